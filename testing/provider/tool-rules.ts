import { parseJson } from "../../server/text/parse-json.ts";
import { isRecord } from "../../server/text/wire-json.ts";
import type { PromptMessage } from "./wire.ts";

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns what is wrong with the calls of a prompt by the rules of all APIs: each answer with calls is followed by one
 * result for each of them, and by nothing before these; `undefined` if nothing is.
 */
export function problemOfCalls(messages: readonly PromptMessage[]): string | undefined {
  let open: string[] = [];
  let isAnswering = false;
  for (const { role, calls = [], callId } of messages) {
    if (role === "tool") {
      if (callId === undefined || !open.includes(callId)) return `No tool call found for the output ${callId}.`;
      open = open.filter((id) => id !== callId);
      isAnswering = true;
      continue;
    }
    // OpenAI's Responses API has each call in an item of its own.
    const isFurtherCall = role === "assistant" && calls.length > 0 && !isAnswering;
    if (open.length > 0 && !isFurtherCall) return `No tool output found for the call ${open[0]}.`;
    isAnswering = false;
    for (const { id, name, arguments: json } of calls) {
      if (open.includes(id)) return `Tool call ids must be unique: ${id}.`;
      if (!NAME.test(name)) return `Invalid tool name '${name}'.`;
      if (!isRecord(parseJson(json))) return `The arguments of ${id} are not an object.`;
      open.push(id);
    }
  }
  return open.length > 0 ? `No tool output found for the call ${open[0]}.` : undefined;
}

/** Returns what is wrong with offered tools; `undefined` if nothing is. */
export function problemOfTools(tools: unknown): string | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools) || tools.length === 0) return "tools: expected a list with at least one element";
  const names = tools.map((tool) => String(tool.function?.name ?? tool.name));
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong !== undefined) return `Invalid tool name '${wrong}'.`;
  if (new Set(names).size < names.length) return "Tool names must be unique.";
  const schemas = tools.map((tool) => tool.function?.parameters ?? tool.parameters ?? tool.input_schema);
  return schemas.every((schema) => schema?.type === "object") ? undefined : "A schema must have the type object.";
}
