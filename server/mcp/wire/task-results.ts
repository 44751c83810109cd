import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { field, isRecord } from "../../text/wire-json.ts";

/** Extension of the revision 2026-07-28; the revision 2025-11-25 has tasks of its own, with other fields. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Field of `_meta` under which the rest of the client finds the task. */
const TASK = "parley/task";

/**
 * Changes results to what the SDK accepts. The SDK refuses results of extensions (`resultType: "task"`), calls of the
 * revision 2025-11-25 that became tasks and have no content, and results without a `resultType`, which the revision
 * 2026-07-28 wants to be complete ones. It ignores the field in older revisions.
 */
export function adaptResult(message: JSONRPCMessage): void {
  const result = field(message, "result");
  if (!isRecord(result)) return;
  const isModern = result.resultType === "task" && typeof result.taskId === "string";
  const isLegacy = result.resultType === undefined && isRecord(result.task) && !Object.hasOwn(result, "content");
  if (isModern || isLegacy) {
    const task = isModern ? { ...result } : result.task;
    for (const name of Object.keys(result)) delete result[name];
    Object.assign(result, { content: [], _meta: { [TASK]: task } });
  }
  result.resultType ??= "complete";
}

/** Returns the task that a call became; undefined if it has a result. */
export const taskOf = (result: unknown): unknown => field(field(result, "_meta"), TASK);
