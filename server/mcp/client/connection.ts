import { isDeepStrictEqual } from "node:util";
import type { Client, JsonSchemaValidator, jsonSchemaValidator, PriorDiscovery } from "@modelcontextprotocol/client";
import { MINUTE, SECOND } from "#contract/limits.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { withTimeout } from "../../concurrency/with-timeout.ts";
import type { ToolContext } from "../../tools/tool.ts";
import { ToolInputError } from "../../tools/tool-input-error.ts";
import type { McpServer } from "../mcp-server.ts";
import type { StoredTool } from "../stored-tool.ts";
import { answerElicitation } from "../wire/answer-elicitation.ts";
import { TASKS_EXTENSION } from "../wire/task-results.ts";
import type { ConvertedTools } from "../wire/to-stored-tools.ts";
import { readList } from "./read-list.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import type { Exchange } from "./server-fetch.ts";
import { type Authorisation, type OpenedTransport, openHttp, openStdio, type TransportDeps } from "./transports.ts";

export type ConnectionDeps = TransportDeps & { clock: Clock; version: string };

/** `prior`: revision of the server, if it was found lately. `exchange`: receives the state of the last request. */
export type ConnectionOptions = {
  authorisation?: Authorisation | undefined;
  prior?: PriorDiscovery | undefined;
  signal: AbortSignal;
  onExchange?: (exchange: Exchange) => void;
};

const CONNECT_MS = 15 * SECOND;
/** Time for a program that does not answer requests of the new revision at all. */
const STDIO_PROBE_MS = 5 * SECOND;
/** Age of a list that is read again before a call, because servers need not notify of changes. */
const LIST_AGE_MS = 5 * MINUTE;
/** Shortest time between two readings that notifications cause. */
const LIST_GAP_MS = 5 * SECOND;
const CLOSE_MS = 2 * SECOND;

/** Schemas of servers are never compiled: patterns and references of a hostile one could take any time. */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (data) => ({ valid: true, data: data as T, errorMessage: undefined }),
};

/** A connection to a server, with its list of tools. Over HTTP it has one call at a time; a program has several. */
export class Connection {
  readonly server: McpServer;
  readonly client: Client;
  readonly sdk: Sdk;
  readonly clock: Clock;
  readonly #opened: OpenedTransport;
  readonly #calls = new Set<ToolContext>();
  #list: ConvertedTools = { tools: [], leftOut: [] };
  #listedAt = Number.NEGATIVE_INFINITY;
  /** Whether the server speaks the revision 2026-07-28 or a later one, which have no sessions. */
  isModern = false;
  revision = "";
  /** What spares the next connection the search for the revision. */
  prior: PriorDiscovery = { kind: "legacy" };
  #isListStale = false;
  /** Whether a call was given up, whose questions a program may still ask. */
  #hasAbandoned = false;
  #isClosed = false;
  /** Called after a list that differs from the one before. */
  onListChanged: () => Promise<void> = () => Promise.resolve();

  private constructor(server: McpServer, sdk: Sdk, opened: OpenedTransport, { clock, version }: ConnectionDeps) {
    this.server = server;
    this.sdk = sdk;
    this.clock = clock;
    this.#opened = opened;
    const { kind } = server.transport;
    this.client = new sdk.Client(
      { name: "Parley", version },
      {
        capabilities: { elicitation: { form: {}, url: {} }, extensions: { [TASKS_EXTENSION]: {} } },
        versionNegotiation: { mode: "auto", ...(kind === "stdio" && { probe: { timeoutMs: STDIO_PROBE_MS } }) },
        inputRequired: { autoFulfill: false },
        jsonSchemaValidator: NO_VALIDATOR,
      },
    );
    this.client.onclose = () => {
      this.#isClosed = true;
    };
    // Errors of requests reject them; others concern streams that the SDK resumes.
    this.client.onerror = () => undefined;
    this.client.setRequestHandler("elicitation/create", ({ params }) =>
      answerElicitation(params, this.#hasAbandoned ? [] : [...this.#calls]),
    );
    this.client.setNotificationHandler("notifications/tools/list_changed", () => this.#onListChanged());
  }

  /** Connects to a server and reads its list. @throws errors of the SDK, OutboundRefusal, the signal's reason */
  static async open(server: McpServer, deps: ConnectionDeps, options: ConnectionOptions): Promise<Connection> {
    const { signal } = options;
    const sdk = await loadSdk();
    const { transport, source, name } = server;
    const opened =
      transport.kind === "http"
        ? openHttp(sdk, { transport, source }, { guard: deps.guard, authorisation: options.authorisation })
        : await openStdio(transport, name, deps.log);
    if (opened.exchange) options.onExchange?.(opened.exchange);
    const connection = new Connection(server, sdk, opened, deps);
    const onAbort = () => void connection.close();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      signal.throwIfAborted();
      await connection.#connect(options);
      await connection.readTools(signal);
      connection.#listen();
      return connection;
    } catch (error) {
      await connection.close();
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  async #connect({ signal, prior }: ConnectionOptions): Promise<void> {
    await this.client.connect(this.#opened.transport, { signal, timeout: CONNECT_MS, ...(prior && { prior }) });
    // The SDK forgets them when the connection is closed.
    this.isModern = this.client.getProtocolEra() === "modern";
    this.revision = this.client.getNegotiatedProtocolVersion() ?? "";
    const discover = this.client.getDiscoverResult();
    if (this.isModern && discover) this.prior = { kind: "modern", discover };
  }

  #listen(): void {
    const canListen = this.isModern && this.client.getServerCapabilities()?.tools?.listChanged === true;
    // Without the notifications, the list is read again by its age.
    if (canListen) this.client.listen({ toolsListChanged: true }, { timeout: CONNECT_MS }).catch(() => undefined);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get list(): ConvertedTools {
    return this.#list;
  }

  /** Whether a person's token was sent. */
  get hasToken(): boolean {
    return this.#opened.exchange?.hasToken === true;
  }

  /** Reads the list from the server. */
  async readTools(signal: AbortSignal): Promise<ConvertedTools> {
    const hasHeaders = this.isModern && this.server.transport.kind === "http";
    this.#isListStale = false;
    this.#listedAt = this.clock.now();
    const before = this.#list;
    this.#list = await readList(this.client, { hasHeaders, signal }).catch((error: unknown) => {
      this.#isListStale = true;
      throw error;
    });
    if (!isDeepStrictEqual(before, this.#list)) await this.onListChanged();
    return this.#list;
  }

  /** Finds a tool in the list, which is read again if it may have changed. */
  async findTool(name: string, signal: AbortSignal): Promise<StoredTool | undefined> {
    if (this.#isListStale || this.clock.now() - this.#listedAt > LIST_AGE_MS) await this.readTools(signal);
    return this.#list.tools.find((tool) => tool.name === name);
  }

  /**
   * Runs work for a call, to whose person the questions of the server meanwhile go. After a call without a result, all
   * questions of a program of an older revision are cancelled, because they do not name their call.
   */
  async during<T>(context: ToolContext, work: () => Promise<T>): Promise<T> {
    this.#calls.add(context);
    try {
      return await work();
    } catch (error) {
      this.#hasAbandoned ||= !(error instanceof ToolInputError);
      throw error;
    } finally {
      this.#calls.delete(context);
    }
  }

  #onListChanged(): void {
    this.#isListStale = true;
    if (this.clock.now() - this.#listedAt < LIST_GAP_MS) return;
    this.readTools(AbortSignal.timeout(CONNECT_MS)).catch(() => undefined);
  }

  /** Ends the session and the connection. Never throws. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { endSession } = this.#opened;
    if (endSession)
      await withTimeout(
        endSession().catch(() => undefined),
        CLOSE_MS,
      );
    await this.client.close().catch(() => undefined);
    // Of a connection that was never made, the client has no transport.
    await this.#opened.transport.close().catch(() => undefined);
  }
}
