import type { ErrorAnswer, RequestBody } from "../wire.ts";
import { isTooLarge, problemOfBlocks } from "./anthropic-content.ts";

const FIELDS = new Set(
  [
    "cache_control container context_management inference_geo max_tokens mcp_servers messages metadata model",
    "output_config output_format service_tier stop_sequences stream system temperature thinking tool_choice tools top_k",
    "top_p",
  ].flatMap((line) => line.split(" ")),
);
const MAX_CACHE_MARKS = 4;

type Thinking = { type?: string; budget_tokens?: number };

/**
 * Returns Anthropic's refusal of a request; `undefined` for a valid one. The limits are those of its documentation, by
 * the generation in a model's name. They do not come from the catalogue, because they test it.
 */
export function refuseMessage(body: RequestBody): ErrorAnswer | undefined {
  if (isTooLarge(body.messages ?? [])) return tooLarge;
  const message = problemOf(body);
  return message === undefined ? undefined : anthropicRefusal(message);
}

const tooLarge: ErrorAnswer = {
  status: 413,
  body: JSON.stringify({
    type: "error",
    error: { type: "request_too_large", message: "Request exceeds the maximum size" },
    request_id: "req_scripted",
  }),
};

/** Returns the answer to a request that the API refuses. */
export function anthropicRefusal(message: string): ErrorAnswer {
  const error = { type: "invalid_request_error", message };
  return { status: 400, body: JSON.stringify({ type: "error", error, request_id: "req_scripted" }) };
}

function problemOf(body: RequestBody): string | undefined {
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  if (typeof body.max_tokens !== "number") return "max_tokens: Field required";
  const marks = JSON.stringify([body.tools, body.system, body.messages]).split('"cache_control":').length - 1;
  if (marks > MAX_CACHE_MARKS) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
  const generation = generationOf(body.model ?? "");
  return (
    problemOfBlocks(body.messages ?? []) ??
    problemOfPrompt(body, generation) ??
    problemOfThinking(body, body.max_tokens, generation)
  );
}

function problemOfPrompt({ messages = [], thinking }: RequestBody, generation: number): string | undefined {
  const answer = messages.findLast(({ role }) => role === "assistant")?.content;
  const isLoop = Array.isArray(answer) && answer.some(({ type }) => type === "tool_use");
  if (isLoop && (thinking as Thinking | undefined)?.type === "enabled" && !/thinking/.test(answer[0]?.type ?? "")) {
    return "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.";
  }
  const last = messages.at(-1);
  if (last === undefined) return "messages: at least one message is required";
  if (last.role !== "assistant") return undefined;
  if (generation >= 4.6) {
    return "This model does not support assistant message prefill. The conversation must end with a user message.";
  }
  if (typeof last.content === "string" && last.content !== last.content.trimEnd()) {
    return "messages: final assistant content cannot end with trailing whitespace";
  }
  return isThinking(thinking as Thinking | undefined)
    ? "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`."
    : undefined;
}

function problemOfThinking(body: RequestBody, maxTokens: number, generation: number): string | undefined {
  const thinking = body.thinking as Thinking | undefined;
  const refused = `"thinking.type.${thinking?.type}" is not supported for this model.`;
  if (thinking?.type === "adaptive" && generation < 4.6) return "adaptive thinking is not supported on this model";
  if (thinking?.type === "enabled" && generation >= 4.7) return refused;
  if (thinking?.type === "disabled" && generation >= 5.5) return refused;
  const effort = (body.output_config as { effort?: string } | undefined)?.effort;
  if (effort !== undefined && !effortsOf(generation).includes(effort)) {
    return `output_config.effort: This model does not support the effort ${effort}.`;
  }
  if (body.temperature !== undefined && body.temperature !== 1) {
    if (generation >= 4.7) return "`temperature` is deprecated for this model.";
    if (isThinking(thinking)) return "`temperature` may only be set to 1 when thinking is enabled.";
  }
  if (thinking?.type !== "enabled") return undefined;
  const { budget_tokens: budget = 0 } = thinking;
  if (budget < 1024) return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
  return budget >= maxTokens ? "`max_tokens` must be greater than `thinking.budget_tokens`." : undefined;
}

function isThinking(thinking: Thinking | undefined): boolean {
  return thinking?.type === "enabled" || thinking?.type === "adaptive";
}

function effortsOf(generation: number): readonly string[] {
  if (generation >= 4.7) return ["low", "medium", "high", "xhigh", "max"];
  return generation >= 4.6 ? ["low", "medium", "high", "max"] : [];
}

/** Returns 4.5 for `claude-sonnet-4-5-20250929`; for names that are not Anthropic's too. */
function generationOf(model: string): number {
  const [, major, minor = "0"] = /^claude-(?:[a-z]+-)?(\d)(?:-(\d)(?!\d))?/.exec(model) ?? [];
  return major === undefined ? 4.5 : Number(`${major}.${minor}`);
}
