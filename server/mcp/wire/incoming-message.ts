import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { field, isRecord } from "../../text/wire-json.ts";
import { adaptResult } from "./task-results.ts";

/** Fields of `_meta` under which the rest of the client finds lists that the SDK does not validate. */
const stashes = { content: "parley/content", tools: "parley/tools" } as const;

/** Elements and members of a message that the SDK validates. */
const VALIDATED_MAX = 5000;
const TOO_LARGE = { code: -32_603, message: "The answer has too many parts." };

/**
 * Changes a message before the SDK handles it. For each element that its schemas refuse, the SDK allocates about 10 kB,
 * so that a message of 1 MB would take gigabytes. Lists of tools and contents of results are stashed, because their
 * readers check each element; a message with too much of the rest is replaced by an error.
 */
export function adaptMessage(message: JSONRPCMessage): void {
  const result = field(message, "result");
  const taskResult = field(result, "result");
  if (isRecord(result)) {
    for (const name of ["content", "tools"] as const) stash(result, name);
    adaptResult(message);
  }
  const opaque = new Set([taskResult, field(result, "structuredContent"), ...stashedIn(result)]);
  if (countNodes(message, opaque) <= VALIDATED_MAX) return;
  if ("method" in message) {
    message.params = {};
    return;
  }
  Reflect.deleteProperty(message, "result");
  Object.assign(message, { error: TOO_LARGE });
}

/** Returns the contents of a result as the server sent them; not an array if they are none. */
export const resultContentOf = (result: unknown): unknown => stashOf(result, "content") ?? field(result, "content");

/** Returns a page of tools as the server sent it. */
export const toolsOf = (result: unknown): readonly unknown[] => stashOf(result, "tools") ?? [];

function stash(result: Record<string, unknown>, name: keyof typeof stashes): void {
  const list = result[name];
  if (!Array.isArray(list)) return;
  result[name] = [];
  result._meta = { ...(isRecord(result._meta) && result._meta), [stashes[name]]: list };
}

function stashOf(result: unknown, name: keyof typeof stashes): readonly unknown[] | undefined {
  const list = field(field(result, "_meta"), stashes[name]);
  return Array.isArray(list) ? list : undefined;
}

const stashedIn = (result: unknown) => [stashOf(result, "content"), stashOf(result, "tools")];

/** Counts elements and members, up to one more than {@link VALIDATED_MAX}. */
function countNodes(value: unknown, opaque: ReadonlySet<unknown>): number {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null || opaque.has(next)) continue;
    const inner: unknown[] = Object.values(next);
    count += inner.length;
    if (count > VALIDATED_MAX) return count;
    open.push(...inner);
  }
  return count;
}
