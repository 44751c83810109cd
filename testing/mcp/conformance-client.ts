// The program that the official scenarios run as the client. It does what every scenario wants: it lists the tools and
// calls each, accepts the defaults of all questions, and answers after all tools were called.

import { pino } from "pino";
import type { FormAnswers, ToolForm } from "#contract/conversation/tool-forms.ts";
import { toErrorOutcome } from "../../server/mcp/client/call-errors.ts";
import { callTool } from "../../server/mcp/client/call-tool.ts";
import { Connection } from "../../server/mcp/client/connection.ts";
import type { StoredTool } from "../../server/mcp/stored-tool.ts";
import { allowedHostOf, type GuardedRequest } from "../../server/outbound/guarded-request.ts";
import { Outbound } from "../../server/outbound/outbound.ts";
import { OutboundGuard } from "../../server/outbound/outbound-guard.ts";
import { field, isRecord } from "../../server/text/wire-json.ts";
import type { CallQuestion, ToolArguments, ToolOutcome } from "../../server/tools/tool.ts";
import { httpServer, toolContext } from "./mcp-calls.ts";

/** The servers of scenarios have several ports of this machine. */
class LocalGuard extends OutboundGuard {
  override open(address: string | URL, request: GuardedRequest) {
    return super.open(address, { ...request, allowed: allowedHostOf(new URL(address)) });
  }
}

const context: Record<string, unknown> = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const server = httpServer(process.argv.at(-1) ?? "");

const answersTo = (forms: readonly ToolForm[]): FormAnswers => ({
  id: "answer",
  forms: forms.map(({ key, fields }) => ({
    key,
    values: Object.fromEntries(fields.map(({ name, kind, default: given }) => [name, given ?? kind === "boolean"])),
  })),
});

const watch = {
  onProgress: () => undefined,
  storeTask: () => Promise.resolve(true),
  ask: (forms: readonly ToolForm[]) => Promise.resolve(answersTo(forms)),
};

/** Arguments that a schema requires. */
function argumentsFor({ name, inputSchema }: StoredTool): ToolArguments {
  const calls = Array.isArray(context.toolCalls) ? context.toolCalls : [];
  const given = field(
    calls.find((call) => field(call, "name") === name),
    "arguments",
  );
  if (isRecord(given)) return given;
  const properties = isRecord(inputSchema.properties) ? Object.entries(inputSchema.properties) : [];
  return Object.fromEntries(properties.map(([key, schema]) => [key, valueFor(field(schema, "type"))]));
}

function valueFor(type: unknown): unknown {
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return true;
  return type === "string" ? "text" : {};
}

await using opened = new AsyncDisposableStack();
const connection = opened.adopt(
  await Connection.open(
    server,
    {
      guard: new LocalGuard({ outbound: new Outbound(), isPublic: () => true }),
      log: pino({ level: "silent" }),
      clock: { now: () => Date.now() },
      version: "1.0.0",
    },
    { signal: new AbortController().signal },
  ),
  (each) => each.close(),
);

const call = (tool: StoredTool, question?: CallQuestion): Promise<ToolOutcome> => {
  const resumption = question && { state: question.state, answers: answersTo(question.forms) };
  const callContext = toolContext({ watch, resumption });
  const given = argumentsFor(tool);
  const work = () => callTool(connection, { server, tool, given, context: callContext });
  return connection.during(callContext, work).catch((error: unknown) => toErrorOutcome(error, connection.sdk));
};

const questions = new Map<StoredTool, CallQuestion>();
for (const tool of connection.list.tools) {
  const { question } = await call(tool);
  if (question) questions.set(tool, question);
}
for (const [tool, question] of questions) await call(tool, question);
