import type { FastifyReply, FastifyRequest } from "fastify";
import { SECOND } from "#contract/limits.ts";
import { type Bus, topics } from "../../bus/bus.ts";
import { outsideRequests } from "../../concurrency/outside-requests.ts";
import { type Identity, identityOf } from "../session-hook.ts";
import { type EventStream, openEventStream } from "./event-stream.ts";

const TICK_MS = SECOND;
/** Number of ticks in a heartbeat interval. Each stream gets a heartbeat every 15 s, but never all at the same tick. */
const TICKS = 15;
/** Limit of sessions in one query. PostgreSQL accepts at most 65,535 parameters. */
const MAX_ASKED = 10_000;

export type OpenStreamsDeps = {
  bus: Bus;
  /** Returns the ids of those sessions that are still valid. */
  findLiveSessions(ids: readonly string[]): Promise<ReadonlySet<string>>;
};

/**
 * Limit of open streams of one account. A browser needs four: one for events, three for replies. The rest is for other
 * devices, and for dead connections that were not detected.
 */
export const STREAMS_OF_ACCOUNT_MAX = 32;

type Held = Pick<EventStream, "beat" | "breakOff" | "signal"> & {
  route: string;
  /** Whether the client can reconnect without missing anything. */
  isResumable: boolean;
};
type StreamingSession = { id: string; userId: string; tick: number; streams: Set<Held>; unsubscribe(): void };

/** Registry of open streams by session. Streams are closed when their session ends. One timer serves all of them. */
export class OpenStreams implements AsyncDisposable {
  readonly #deps: OpenStreamsDeps;
  readonly #sessions = new Map<string, StreamingSession>();
  /** Streams by account, oldest first. */
  readonly #accounts = new Map<string, Set<Held>>();
  readonly #byTick = Array.from({ length: TICKS }, () => new Set<StreamingSession>());
  /** Sessions that may have expired, or ended on another server. */
  readonly #toRevalidate = new Set<string>();
  #checking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;
  #opened = 0;

  constructor(deps: OpenStreamsDeps) {
    this.#deps = deps;
  }

  /**
   * Answers a signed-in request with a stream of events. Beyond {@link STREAMS_OF_ACCOUNT_MAX} it closes the account's
   * oldest stream, preferably a resumable one. Refusing the new stream would lock out a client whose dead connections
   * were not detected.
   * @param isResumable whether a disconnected client can reconnect without missing anything
   */
  open(request: FastifyRequest, reply: FastifyReply, { isResumable = true } = {}): EventStream {
    const stream = openEventStream(reply);
    this.#hold(request, { ...stream, isResumable, route: routeOf(request) });
    return stream;
  }

  /**
   * Closes a long response, such as a download, when its request's session ends, like the streams of events.
   * @returns signal that is aborted when the connection is closed
   */
  watch(request: FastifyRequest, reply: FastifyReply): AbortSignal {
    const held = connectionOf(request, reply);
    this.#hold(request, held);
    return held.signal;
  }

  /**
   * Closes the connection of a body that arrives piece by piece when its request's session ends. It does not count as a
   * stream of the account: a client that sends many files would lose its events.
   */
  watchBody(request: FastifyRequest, reply: FastifyReply): void {
    this.#hold(request, connectionOf(request, reply), { isCounted: false });
  }

  #hold(request: FastifyRequest, stream: Held, { isCounted = true } = {}): void {
    if (stream.signal.aborted) return;
    const session = this.#sessionOf(identityOf(request));
    session.streams.add(stream);
    stream.signal.addEventListener("abort", () => this.#forget(session, stream), { once: true });
    if (isCounted) this.#countIn(session.userId, stream);
    // Race condition: the session may have ended while the stream was being prepared, before it was registered here.
    this.#queueRevalidation(session.id);
  }

  #countIn(userId: string, stream: Held): void {
    const own = this.#accounts.get(userId) ?? new Set();
    this.#accounts.set(userId, own.add(stream));
    if (own.size <= STREAMS_OF_ACCOUNT_MAX) return;
    const others = [...own].filter((each) => each !== stream);
    const given = others.find(({ isResumable }) => isResumable) ?? others[0];
    // A download emits `close` only some time after `breakOff()`.
    if (given) own.delete(given);
    given?.breakOff();
  }

  #sessionOf({ userId, sessionId: id }: Identity): StreamingSession {
    const known = this.#sessions.get(id);
    if (known) return known;
    const unsubscribe = this.#deps.bus.subscribe(topics.session(id), () => this.#queueRevalidation(id));
    const session = { id, userId, tick: this.#opened++ % TICKS, streams: new Set<Held>(), unsubscribe };
    this.#sessions.set(id, session);
    this.#byTick[session.tick]?.add(session);
    this.#timer ??= outsideRequests(() => setInterval(() => this.#tick(), TICK_MS).unref());
    return session;
  }

  #forget(session: StreamingSession, stream: Held): void {
    session.streams.delete(stream);
    const own = this.#accounts.get(session.userId);
    if (own?.delete(stream) && own.size === 0) this.#accounts.delete(session.userId);
    if (session.streams.size > 0 || this.#sessions.get(session.id) !== session) return;
    session.unsubscribe();
    this.#sessions.delete(session.id);
    this.#byTick[session.tick]?.delete(session);
    if (this.#sessions.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    for (const session of this.#byTick[this.#ticks++ % TICKS] ?? []) {
      for (const stream of session.streams) stream.beat();
      this.#queueRevalidation(session.id);
    }
    // Without notifications from all servers, sessions that ended elsewhere are found by polling.
    if (!this.#deps.bus.hearsAll) this.revalidateAll();
  }

  /** Checks all sessions with open streams, because any of them may have ended elsewhere. */
  revalidateAll(): void {
    for (const id of this.#sessions.keys()) this.#queueRevalidation(id);
  }

  #queueRevalidation(sessionId: string): void {
    this.#toRevalidate.add(sessionId);
    this.#checking ??= this.#check();
  }

  async #check(): Promise<void> {
    // Waits for a microtask, so that all sessions queued together are checked by one query.
    await Promise.resolve();
    while (this.#toRevalidate.size > 0) {
      const ids = [...this.#toRevalidate].filter((id) => this.#sessions.has(id)).slice(0, MAX_ASKED);
      if (ids.length === 0) this.#toRevalidate.clear();
      for (const id of ids) this.#toRevalidate.delete(id);
      // If the query fails, the sessions are checked again at their next heartbeat.
      const live = ids.length > 0 && (await this.#deps.findLiveSessions(ids).catch(() => undefined));
      if (live) for (const id of ids) if (!live.has(id)) this.breakOff(id);
    }
    this.#checking = undefined;
  }

  /** Closes all streams of a session. The replies that they show continue. */
  breakOff(sessionId: string): void {
    for (const stream of [...(this.#sessions.get(sessionId)?.streams ?? [])]) stream.breakOff();
  }

  /** Returns the number of open streams by route pattern. */
  countByRoute(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { streams } of this.#sessions.values()) {
      for (const { route } of streams) counts.set(route, (counts.get(route) ?? 0) + 1);
    }
    return counts;
  }

  /** Closes all streams. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of [...this.#sessions.keys()]) this.breakOff(id);
    await this.#checking;
  }
}

/** The connection of a request, closed by `breakOff`. */
function connectionOf(request: FastifyRequest, { raw }: FastifyReply): Held {
  const gone = new AbortController();
  const leave = () => gone.abort();
  raw.on("close", leave);
  if (raw.destroyed) leave();
  const breakOff = () => void raw.destroy();
  return { route: routeOf(request), signal: gone.signal, beat: () => {}, breakOff, isResumable: false };
}

/** Pattern of the catch-all route, which serves the files and pages of the web application. */
const EVERYTHING = "/*";

/** Returns the pattern of a request's route, or `unknown` for a request without a route of its own. */
export function routeOf({ is404, routeOptions: { url } }: FastifyRequest): string {
  return is404 || url === undefined || url === EVERYTHING ? "unknown" : url;
}
