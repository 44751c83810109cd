import type { FastifyReply, FastifyRequest } from "fastify";
import { SECOND } from "#contract/limits.ts";
import { type Bus, topics } from "../../bus/bus.ts";
import { outsideRequests } from "../../concurrency/outside-requests.ts";
import { type Identity, identityOf } from "../session-hook.ts";
import { type EventStream, openEventStream } from "./event-stream.ts";

const TICK_MS = SECOND;
/** Each stream gets a sign of life at one tick of so many: every 15 s, and never all streams at once. */
const TICKS = 15;
/** PostgreSQL takes no more than 65,535 parameters. */
const MAX_ASKED = 10_000;

export type OpenStreamsDeps = {
  bus: Bus;
  /** Which of these sessions live. */
  findLiveSessions(ids: readonly string[]): Promise<ReadonlySet<string>>;
};

/** Browsers need four: one for events, three for replies. The rest are other devices, and connections that died unseen. */
export const STREAMS_OF_ACCOUNT_MAX = 32;

type Held = Pick<EventStream, "beat" | "breakOff" | "signal"> & {
  route: string;
  /** Its reader loses nothing when it is broken off. */
  isResumable: boolean;
};
type StreamingSession = { id: string; userId: string; tick: number; streams: Set<Held>; unsubscribe(): void };

/** The streams that are open, by the session that opened each: they end with it. One timer serves them all. */
export class OpenStreams implements AsyncDisposable {
  readonly #deps: OpenStreamsDeps;
  readonly #sessions = new Map<string, StreamingSession>();
  /** By account, oldest first. */
  readonly #accounts = new Map<string, Set<Held>>();
  readonly #byTick = Array.from({ length: TICKS }, () => new Set<StreamingSession>());
  /** Sessions that may have ended, on another server or by their age. */
  readonly #toRevalidate = new Set<string>();
  #checking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;
  #opened = 0;

  constructor(deps: OpenStreamsDeps) {
    this.#deps = deps;
  }

  /**
   * Answers a signed-in request by a stream of events. Beyond {@link STREAMS_OF_ACCOUNT_MAX} the account's oldest stream
   * that can be resumed is broken off: refusing the new one would lock out a reader whose earlier connections died unseen.
   * @param isResumable whether a reader that is broken off can come back and miss nothing
   */
  open(request: FastifyRequest, reply: FastifyReply, { isResumable = true } = {}): EventStream {
    const stream = openEventStream(reply);
    this.#hold(request, { ...stream, isResumable, route: routeOf(request) });
    return stream;
  }

  /**
   * Breaks an answer that takes long off when its request's session ends, as the streams of events.
   * @returns what is aborted once its reader has gone
   */
  watch(request: FastifyRequest, { raw }: FastifyReply): AbortSignal {
    const gone = new AbortController();
    const leave = () => gone.abort();
    raw.on("close", leave);
    if (raw.destroyed) leave();
    const breakOff = () => void raw.destroy();
    const held = { route: routeOf(request), signal: gone.signal, beat: () => {}, breakOff, isResumable: false };
    this.#hold(request, held);
    return gone.signal;
  }

  #hold(request: FastifyRequest, stream: Held): void {
    if (stream.signal.aborted) return;
    const session = this.#sessionOf(identityOf(request));
    session.streams.add(stream);
    stream.signal.addEventListener("abort", () => this.#forget(session, stream), { once: true });
    this.#countIn(session.userId, stream);
    // It may have ended while this stream was being prepared, when there was none to let go of.
    this.#queueRevalidation(session.id);
  }

  #countIn(userId: string, stream: Held): void {
    const own = this.#accounts.get(userId) ?? new Set();
    this.#accounts.set(userId, own.add(stream));
    if (own.size <= STREAMS_OF_ACCOUNT_MAX) return;
    const others = [...own].filter((each) => each !== stream);
    const given = others.find(({ isResumable }) => isResumable) ?? others[0];
    // A download closes a moment later than it is broken off.
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
    // Nobody tells us what other servers have ended.
    if (!this.#deps.bus.hearsAll) this.revalidateAll();
  }

  /** Somebody else may have ended any session: all that have a stream are asked about. */
  revalidateAll(): void {
    for (const id of this.#sessions.keys()) this.#queueRevalidation(id);
  }

  #queueRevalidation(sessionId: string): void {
    this.#toRevalidate.add(sessionId);
    this.#checking ??= this.#check();
  }

  async #check(): Promise<void> {
    // One question for all that come to be doubted together.
    await Promise.resolve();
    while (this.#toRevalidate.size > 0) {
      const ids = [...this.#toRevalidate].filter((id) => this.#sessions.has(id)).slice(0, MAX_ASKED);
      if (ids.length === 0) this.#toRevalidate.clear();
      for (const id of ids) this.#toRevalidate.delete(id);
      // Where nobody can tell now, they are asked about again with their next sign of life.
      const live = ids.length > 0 && (await this.#deps.findLiveSessions(ids).catch(() => undefined));
      if (live) for (const id of ids) if (!live.has(id)) this.breakOff(id);
    }
    this.#checking = undefined;
  }

  /** Lets go of every reader of a session; what they read goes on without them. */
  breakOff(sessionId: string): void {
    for (const stream of [...(this.#sessions.get(sessionId)?.streams ?? [])]) stream.breakOff();
  }

  /** How many streams are open, by the patterns of their routes. */
  countByRoute(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { streams } of this.#sessions.values()) {
      for (const { route } of streams) counts.set(route, (counts.get(route) ?? 0) + 1);
    }
    return counts;
  }

  /** Lets go of every reader. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of [...this.#sessions.keys()]) this.breakOff(id);
    await this.#checking;
  }
}

/** Pattern of the catch-all route, which serves the files and pages of the web part. */
const EVERYTHING = "/*";

/** The pattern of a request's route; one word for all that have none of their own. */
export function routeOf({ is404, routeOptions: { url } }: FastifyRequest): string {
  return is404 || url === undefined || url === EVERYTHING ? "unknown" : url;
}
