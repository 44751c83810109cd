import type { PriorDiscovery } from "@modelcontextprotocol/client";
import { SECOND } from "#contract/limits.ts";
import { AbortScope } from "../../concurrency/abort-scope.ts";
import { OutboundGuard } from "../../outbound/outbound-guard.ts";
import { CallInterrupted } from "../../tools/call-interrupted.ts";
import type { ToolOutcome } from "../../tools/tool.ts";
import { ToolInputError } from "../../tools/tool-input-error.ts";
import type { McpCall, McpListing } from "../mcp-clients.ts";
import { isAnswer, isEndedSession, isUnauthorised, sentenceOf, toErrorOutcome } from "./call-errors.ts";
import { type CallRun, callTool, runOf } from "./call-tool.ts";
import { Connection } from "./connection.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { type ListingFailure, toFailure } from "./listing-failure.ts";
import { LostCallError } from "./lost-call-error.ts";
import type { McpConnectionsDeps } from "./mcp-connections-deps.ts";
import type { ConnectionOwner, Lease, Schedule } from "./pool-deps.ts";
import { loadSdk } from "./sdk.ts";
import type { Exchange } from "./server-fetch.ts";
import { ServerStates } from "./server-states.ts";
import { awaitRetry, type KnownTask } from "./tasks.ts";

const LISTING_MS = 20 * SECOND;

/** A server that has no list. */
class ListingError extends Error {
  readonly failure: ListingFailure;
  readonly hasToken: boolean;

  constructor(failure: ListingFailure, hasToken: boolean, cause: unknown) {
    super(failure.code, { cause });
    this.name = "ListingError";
    this.failure = failure;
    this.hasToken = hasToken;
  }
}

/** The part of {@link McpConnections} that is loaded with the first connection. */
export class OpenedConnections implements AsyncDisposable {
  readonly #deps: McpConnectionsDeps;
  readonly #guard: OutboundGuard;
  readonly #states: ServerStates;
  readonly #pool: ConnectionPool;

  constructor(deps: McpConnectionsDeps) {
    this.#deps = deps;
    const { outbound, isPublicAddress } = deps;
    this.#guard = new OutboundGuard({ outbound, ...(isPublicAddress && { isPublic: isPublicAddress }) });
    this.#states = new ServerStates(deps);
    const { schedule = scheduleTimer } = deps;
    this.#pool = new ConnectionPool({ open: (owner, signal) => this.#openStored(owner, signal), schedule });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  async close(key: string, userId?: string): Promise<void> {
    await this.#pool.close(key, userId);
  }

  /** @throws the signal's reason */
  async inspect(owner: ConnectionOwner, signal: AbortSignal): Promise<McpListing> {
    if (owner.server.transport.kind === "stdio") return this.#listProgram(owner, signal);
    return this.#listOnce(signal, () => this.#open(owner, signal));
  }

  /** @throws the signal's reason */
  async refresh(owner: ConnectionOwner, signal: AbortSignal): Promise<McpListing> {
    if (owner.server.transport.kind === "stdio") return this.#listProgram(owner, signal);
    return this.#listOnce(signal, () => this.#openStored(owner, signal));
  }

  /** @throws ToolInputError; the signal's reason; CallInterrupted; LostCallError */
  async call(call: McpCall): Promise<ToolOutcome> {
    const { server, context } = call;
    try {
      const outcome = await this.#callAgain(call);
      await this.#count(server.key, outcome.isError === true);
      return outcome;
    } catch (error) {
      await this.#count(server.key, true);
      context.signal.throwIfAborted();
      const isOurs = error instanceof ToolInputError || error instanceof CallInterrupted;
      throw isOurs ? error : new LostCallError(error);
    }
  }

  /** Never throws: a result is not lost because it was not counted. */
  async #count(key: string, isFailure: boolean): Promise<void> {
    await this.#states
      .countCall(key, isFailure)
      .catch((err: unknown) => this.#deps.log.warn({ err, server: key }, "a call of a tool was not counted"));
  }

  /** Lists the tools by a connection of its own, because one in use may be of another sign-in. */
  async #listOnce(signal: AbortSignal, open: () => Promise<Connection>): Promise<McpListing> {
    try {
      const connection = await open();
      // A closed client has no revision any more.
      const listing = listingOf(connection);
      await connection.close();
      return listing;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ListingError) return error.failure;
      throw error;
    }
  }

  async #listProgram(owner: ConnectionOwner, signal: AbortSignal): Promise<McpListing> {
    try {
      const { connection } = await this.#pool.acquire(owner, signal);
      await connection.readTools(signal);
      await this.#states.storeList(stateOwnerOf(owner), connection);
      return listingOf(connection);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ListingError) return error.failure;
      return { ok: false, code: "unreachable", reason: "program" };
    }
  }

  /**
   * Calls a tool, once more if its session had ended, in which case the server has not run it. A call that has become a
   * task is never sent again: until the task answers, it is asked for again.
   */
  async #callAgain(call: McpCall): Promise<ToolOutcome> {
    const { server, context } = call;
    const run = runOf(call);
    for (;;) {
      const lease = await this.#lease(call, run);
      if (!lease) continue;
      const { connection, isReused } = lease;
      try {
        return await connection.during(context, () => callTool(connection, call, run));
      } catch (error) {
        // Requests that were cut off may still run on it.
        if (server.transport.kind === "http" && !(error instanceof ToolInputError)) void connection.close();
        context.signal.throwIfAborted();
        const isAgain = isReused && !connection.isModern && isEndedSession(error, connection.sdk);
        if (run.task) await this.#retryTask(run.task, error, call, connection);
        else if (!isAgain) return await this.#toOutcome(error, call, connection);
      } finally {
        lease.release();
      }
    }
  }

  /** @returns undefined if a task could not be asked for, and is to be asked for again */
  async #lease({ server, context }: McpCall, { task }: CallRun): Promise<Lease | undefined> {
    try {
      return await this.#acquire({ server, userId: context.userId }, context.signal);
    } catch (error) {
      context.signal.throwIfAborted();
      if (!task) throw error;
      await awaitRetry(task, error, context.signal);
      return undefined;
    }
  }

  /** Waits until a task is asked for again. @throws the error if it is about the task itself */
  async #retryTask(task: KnownTask, error: unknown, call: McpCall, connection: Connection): Promise<void> {
    const isFinal = error instanceof ToolInputError || error instanceof CallInterrupted;
    if (isFinal || isAnswer(error, connection.sdk)) throw error;
    await this.#storeRefusal(error, call, connection);
    await awaitRetry(task, error, call.context.signal);
  }

  async #toOutcome(error: unknown, call: McpCall, connection: Connection): Promise<ToolOutcome> {
    const failure = await this.#storeRefusal(error, call, connection);
    if (failure) throw new ToolInputError(sentenceOf(failure));
    return toErrorOutcome(error, connection.sdk);
  }

  /** Stores that a server wants a sign-in or other keys. @returns undefined for any other error */
  async #storeRefusal(
    error: unknown,
    { server, context }: McpCall,
    { sdk, hasToken }: Connection,
  ): Promise<ListingFailure | undefined> {
    if (!isUnauthorised(error, sdk)) return undefined;
    const exchange: Exchange = { hasToken, ...(error instanceof sdk.SdkHttpError && { status: error.status }) };
    const failure = toFailure(error, { sdk, server, exchange });
    await this.#states.storeFailure({ key: server.key, userId: context.userId }, failure, hasToken);
    return failure;
  }

  async #acquire(owner: ConnectionOwner, signal: AbortSignal): Promise<Lease> {
    try {
      return await this.#pool.acquire(owner, signal);
    } catch (error) {
      if (error instanceof ListingError) throw new ToolInputError(sentenceOf(error.failure));
      throw error;
    }
  }

  async #openStored(owner: ConnectionOwner, signal: AbortSignal): Promise<Connection> {
    const stateOwner = stateOwnerOf(owner);
    try {
      const connection = await this.#open(owner, signal);
      await this.#states.storeList(stateOwner, connection);
      connection.onListChanged = () => this.#states.storeList(stateOwner, connection);
      return connection;
    } catch (error) {
      if (error instanceof ListingError) await this.#states.storeFailure(stateOwner, error.failure, error.hasToken);
      throw error;
    }
  }

  /** @throws ListingError; the signal's reason */
  async #open(owner: ConnectionOwner, signal: AbortSignal): Promise<Connection> {
    const prior = await this.#states.findPrior(stateOwnerOf(owner));
    try {
      return await this.#connect(owner, { signal, prior });
    } catch (error) {
      const mayBeUpdated = prior !== undefined && error instanceof ListingError && error.failure.code !== "unreachable";
      if (!mayBeUpdated) throw error;
      return this.#connect(owner, { signal });
    }
  }

  async #connect(
    { server, userId }: ConnectionOwner,
    { signal, prior }: { signal: AbortSignal; prior?: PriorDiscovery | undefined },
  ): Promise<Connection> {
    const { clock, log, version, authorisationOf, listingMs = LISTING_MS } = this.#deps;
    using scope = new AbortScope({ parents: [signal], ms: listingMs });
    const authorisation = server.transport.kind === "http" ? authorisationOf?.(server, userId) : undefined;
    let exchange: Exchange | undefined;
    try {
      return await Connection.open(
        server,
        { guard: this.#guard, clock, log, version },
        {
          authorisation,
          prior,
          signal: scope.signal,
          onExchange: (found) => {
            exchange = found;
          },
        },
      );
    } catch (error) {
      signal.throwIfAborted();
      const sdk = await loadSdk();
      const failure = scope.signal.aborted ? TOO_SLOW : toFailure(error, { sdk, server, exchange });
      throw new ListingError(failure, exchange?.hasToken === true, error);
    }
  }
}

const TOO_SLOW: ListingFailure = { ok: false, code: "unreachable", reason: "too-slow" };

const stateOwnerOf = ({ server, userId }: ConnectionOwner) => ({ key: server.key, userId });

const listingOf = ({ revision, list }: Connection): McpListing => ({ ok: true, revision, ...list });

const scheduleTimer: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};
