import { isDeepStrictEqual } from "node:util";
import type { CallToolResult, RequestOptions } from "@modelcontextprotocol/client";
import { DAY } from "#contract/limits.ts";
import type { ToolContext, ToolOutcome } from "../../tools/tool.ts";
import { ToolInputError } from "../../tools/tool-input-error.ts";
import type { McpCall } from "../mcp-clients.ts";
import { effectOf, type StoredTool } from "../stored-tool.ts";
import { progressOf } from "../wire/call-progress.ts";
import { type PendingInput, parseState, toQuestion, toResponses } from "../wire/input-requests.ts";
import { taskOf } from "../wire/task-results.ts";
import { toOutcome } from "../wire/tool-result.ts";
import type { Connection } from "./connection.ts";
import { followTask, type KnownTask, startsAsTask, storedTask, taskParameters, toTask } from "./tasks.ts";

/** Results of one call that ask for nothing but to be sent again. */
const ROUNDS_MAX = 10;

/** `task`: once the server has made one of the call, which then is not sent again. */
export type CallRun = { task?: KnownTask };

/** Returns the run of a call that begins or continues. */
export function runOf({ context: { resumption } }: McpCall): CallRun {
  const state = resumption && parseState(resumption.state);
  return state?.kind === "task" ? { task: storedTask(state) } : {};
}

/**
 * Calls a tool, or continues a call that asked or became a task.
 * @throws ToolInputError; the signal's reason; errors of the SDK and the connection
 */
export async function callTool(
  connection: Connection,
  call: McpCall,
  run: CallRun = runOf(call),
): Promise<ToolOutcome> {
  const { context } = call;
  if (run.task) return followTask(connection, context, run.task);
  const state = context.resumption && parseState(context.resumption.state);
  const tool = await approvedTool(connection, call);
  let pending = state?.kind === "input" ? toResponses(state, context.resumption?.answers) : undefined;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const result = await send(connection, { ...call, tool }, pending);
    const task = taskOf(result);
    if (task !== undefined) {
      run.task = toTask(task);
      return followTask(connection, context, run.task);
    }
    if (!connection.sdk.isInputRequiredResult(result)) return toOutcome(result);
    const asked = toQuestion(result);
    if (asked.question) return { text: "", question: asked.question };
    pending = { requestState: asked.requestState };
  }
  throw new ToolInputError("The server asked to be called again too often.");
}

/** Returns the tool as it is in the list now. @throws ToolInputError if it is another one than the person has approved */
async function approvedTool(connection: Connection, { tool, context }: McpCall): Promise<StoredTool> {
  const current = await connection.findTool(tool.name, context.signal);
  if (!current) throw new ToolInputError("The server no longer has this tool.");
  if (!isDeepStrictEqual(facts(current), facts(tool))) {
    throw new ToolInputError("This tool has changed on its server. It must be approved again.");
  }
  return current;
}

/** Returns what a person approves of a tool. */
const facts = (tool: StoredTool) => [tool.name, tool.description, tool.inputSchema, effectOf(tool)];

async function send(
  { client, clock, isModern }: Connection,
  { tool, given, context }: McpCall,
  pending: PendingInput | undefined,
): Promise<CallToolResult> {
  const { name, inputSchema } = tool;
  const parameters = {
    name,
    arguments: { ...given },
    ...pending,
    ...(!isModern && startsAsTask(client, tool) && taskParameters),
  };
  const options = requestOptions(context);
  return client.callTool(parameters, {
    ...options,
    ...(context.watch && { onprogress: progressOf(context.watch, clock) }),
    allowInputRequired: true,
    // Without the schema of its result, which the SDK would compile.
    toolDefinition: { name, inputSchema: { ...inputSchema, type: "object" } },
  });
}

/** The limit of the time belongs to the caller: a person may answer a question of the call meanwhile. */
export const requestOptions = ({ signal }: Pick<ToolContext, "signal">): RequestOptions => ({ signal, timeout: DAY });
