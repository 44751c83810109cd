import type { AuthProvider, JSONRPCMessage, OAuthClientProvider, Transport } from "@modelcontextprotocol/client";
import { MINUTE } from "#contract/limits.ts";
import type { HttpTransport, StdioTransport } from "../../config/mcp-file.ts";
import type { Log } from "../../log.ts";
import type { OutboundGuard } from "../../outbound/outbound-guard.ts";
import type { McpServer } from "../mcp-server.ts";
import { adaptMessage } from "../wire/incoming-message.ts";
import { loadStdio, type Sdk } from "./sdk.ts";
import { type Exchange, serverFetch } from "./server-fetch.ts";

/** What authorises the requests of a person. `needScope`: stores which scope a request lacked. */
export type Authorisation =
  | (AuthProvider & { needScope?(scope: string | undefined): Promise<void> })
  | OAuthClientProvider;

/** `exchange`: of HTTP. `endSession`: of revisions with sessions. */
export type OpenedTransport = { transport: Transport; exchange?: Exchange; endSession?(): Promise<void> };

export type TransportDeps = { guard: OutboundGuard; log: Log };

/** Error of a request whose event stream ended without its response: the server may have run it. */
export const STREAM_ENDED = "The stream ended without a response";
const INTERNAL_ERROR = -32603;

const RECONNECTIONS = {
  initialReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 2,
  maxReconnectionDelay: MINUTE,
  maxRetries: 3,
};
/** Shortest wait before a stream is resumed, whatever the server wants, in ms. */
const RECONNECT_MIN = 250;
/** Times that the streams of a connection are resumed. */
const RECONNECTS_MAX = 100;

/** In bytes of one line of output. */
const STDIO_MESSAGE_MAX = 16 * 1024 * 1024;
/** Characters of a line of errors, and lines of a process, that are logged. */
const LOG_LINE_MAX = 500;
const LOG_LINES_MAX = 1000;

export function openHttp(
  { StreamableHTTPClientTransport, InsufficientScopeError }: Sdk,
  server: { transport: HttpTransport; source: McpServer["source"] },
  { guard, authorisation }: { guard: OutboundGuard; authorisation: Authorisation | undefined },
): OpenedTransport {
  const { request, exchange } = serverFetch(guard, server);
  const transport = new StreamableHTTPClientTransport(new URL(server.transport.url), {
    fetch: request,
    ...(authorisation && { authProvider: authorisation }),
    reconnectionOptions: RECONNECTIONS,
    reconnectionScheduler: boundedScheduler(),
  });
  answerEndedStreams(transport);
  if (authorisation && "needScope" in authorisation) {
    reportLackingScope(transport, async (error) => {
      if (error instanceof InsufficientScopeError) await authorisation.needScope?.(error.requiredScope);
    });
  }
  adaptMessages(transport);
  return { transport, exchange, endSession: () => transport.terminateSession() };
}

/** Adapts each message before the handler of the SDK, which has another one while it searches for the revision. */
function adaptMessages(transport: Transport): void {
  let handler: Transport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    get: () => handler,
    set: (next: Transport["onmessage"]) => {
      handler =
        next &&
        ((message, extra) => {
          adaptMessage(message);
          next(message, extra);
        });
    },
  });
}

/** The next sign-in of the person asks for the scope. */
function reportLackingScope(transport: Transport, report: (error: unknown) => Promise<void>): void {
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    try {
      await send(message, options);
    } catch (error) {
      await report(error);
      throw error;
    }
  };
}

/** A stream that the server ends at once, or with a short wait, is not resumed for ever. */
function boundedScheduler() {
  let count = 0;
  return (reconnect: () => void, delay: number) => {
    count += 1;
    if (count > RECONNECTS_MAX) return undefined;
    const timer = setTimeout(reconnect, Math.min(Math.max(delay, RECONNECT_MIN), MINUTE)).unref();
    return () => clearTimeout(timer);
  };
}

/** The SDK waits for the response of a request whose stream has ended; here it is an error. */
function answerEndedStreams(transport: Transport): void {
  const send = transport.send.bind(transport);
  transport.send = (message: JSONRPCMessage, options) => {
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id === undefined || options?.onRequestStreamEnd) return send(message, options);
    const error = { code: INTERNAL_ERROR, message: STREAM_ENDED };
    // Of a request that was answered, the SDK discards it.
    const onRequestStreamEnd = () => transport.onmessage?.({ jsonrpc: "2.0", id, error });
    return send(message, { ...options, onRequestStreamEnd });
  };
}

/** Starts nothing yet: the SDK starts the program when it connects. */
export async function openStdio({ command, env }: StdioTransport, name: string, log: Log): Promise<OpenedTransport> {
  const { StdioClientTransport } = await loadStdio();
  const [program, ...args] = command;
  const transport = new StdioClientTransport({
    command: program,
    args,
    env,
    stderr: "pipe",
    maxBufferSize: STDIO_MESSAGE_MAX,
  });
  let lines = 0;
  transport.stderr?.on("data", (output: Buffer) => {
    lines += 1;
    if (lines <= LOG_LINES_MAX)
      log.debug({ server: name, output: output.toString().slice(0, LOG_LINE_MAX) }, "MCP server wrote");
  });
  adaptMessages(transport);
  return { transport };
}
