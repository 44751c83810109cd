import type { ErrorAnswer, RequestBody } from "../wire.ts";
import { refuseChatParts, refuseInputParts } from "./openai-content.ts";
import { fieldRefusal } from "./openai-errors.ts";

/** `hasVision`: absent if it has. */
type Family = { pattern: RegExp; efforts: readonly string[]; hasReasoning: boolean; hasVision?: boolean };

/**
 * Limits of OpenAI's models, from its documentation. They do not come from the catalogue, because they test it. Models
 * of other servers have no limits here.
 */
const families: readonly Family[] = [
  { pattern: /^gpt-6(-astra|\.1-sol)/, efforts: ["low", "medium", "high", "xhigh", "max"], hasReasoning: true },
  { pattern: /^gpt-6/, efforts: ["none", "low", "medium", "high", "xhigh", "max"], hasReasoning: true },
  { pattern: /^gpt-5\.[6-9]/, efforts: ["none", "low", "medium", "high", "xhigh", "max"], hasReasoning: true },
  { pattern: /^gpt-5\.[2-5]/, efforts: ["none", "low", "medium", "high", "xhigh"], hasReasoning: true },
  { pattern: /^gpt-5\.1/, efforts: ["none", "low", "medium", "high"], hasReasoning: true },
  { pattern: /^gpt-5/, efforts: ["minimal", "low", "medium", "high"], hasReasoning: true },
  { pattern: /^o\d/, efforts: ["low", "medium", "high"], hasReasoning: true },
  { pattern: /^gpt-3/, efforts: [], hasReasoning: false, hasVision: false },
  { pattern: /^gpt-4/, efforts: [], hasReasoning: false },
];

const CHAT_FIELDS = new Set(
  [
    "audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages",
    "metadata modalities model n parallel_tool_calls prediction presence_penalty prompt_cache_key",
    "prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream",
    "stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options",
  ].flatMap((line) => line.split(" ")),
);
const RESPONSES_FIELDS = new Set(
  [
    "background context_management conversation include input instructions max_output_tokens max_tool_calls metadata",
    "model parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning",
    "safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p",
    "truncation user",
  ].flatMap((line) => line.split(" ")),
);

const PHASES = new Set(["commentary", "final_answer"]);

/** Returns the refusal of a request for a chat completion; `undefined` for a valid one. */
export function refuseChatCompletion(body: RequestBody): ErrorAnswer | undefined {
  const family = familyOf(body);
  const hasVision = family && family.hasVision !== false;
  const refusal = refuseChatParts(body.messages ?? [], body.model ?? "", hasVision);
  if (refusal || !family) return refusal;
  const unknown = Object.keys(body).find((name) => !CHAT_FIELDS.has(name));
  if (unknown !== undefined) return unknownField(unknown);
  if (family.hasReasoning && body.max_tokens !== undefined) return unsupportedField("max_tokens");
  return refuseTuning(family, body, { name: "reasoning_effort", value: body.reasoning_effort });
}

/** Returns OpenAI's refusal of a request for a response; `undefined` for a valid one. */
export function refuseResponse(body: RequestBody): ErrorAnswer | undefined {
  const unknown = Object.keys(body).find((name) => !RESPONSES_FIELDS.has(name));
  if (unknown !== undefined) return unknownField(unknown);
  const streamOption = Object.keys(body.stream_options ?? {}).find((name) => name !== "include_obfuscation");
  if (streamOption !== undefined) return unknownField(`stream_options.${streamOption}`);
  if (body.input === undefined || body.input.length === 0) {
    return fieldRefusal("missing_required_parameter", "input", "Missing required parameter: 'input'.");
  }
  const family = familyOf(body);
  if (family && !family.hasReasoning && body.reasoning?.effort !== undefined) {
    return unsupportedField("reasoning.effort");
  }
  return (
    refuseContent(body.input) ??
    (family && refuseTuning(family, body, { name: "reasoning.effort", value: body.reasoning?.effort }))
  );
}

/** Returns OpenAI's refusal of a summary of reasoning for an organisation that is not verified. */
export function refuseSummary({ reasoning }: RequestBody): ErrorAnswer | undefined {
  if (reasoning?.summary === undefined) return undefined;
  const message = "Your organization must be verified to generate reasoning summaries.";
  return fieldRefusal("unsupported_value", "reasoning.summary", message);
}

function refuseContent(input: NonNullable<RequestBody["input"]>): ErrorAnswer | undefined {
  if (typeof input === "string") return undefined;
  for (const [index, { role, phase }] of input.entries()) {
    if (phase !== undefined && (role !== "assistant" || !PHASES.has(phase))) {
      return fieldRefusal("invalid_value", `input[${index}].phase`, `Invalid value: '${phase}'.`);
    }
  }
  return refuseInputParts(input);
}

function refuseTuning(
  { efforts, hasReasoning }: Family,
  { temperature }: RequestBody,
  effort: { name: string; value: unknown },
): ErrorAnswer | undefined {
  if (effort.value !== undefined && !efforts.some((name) => name === effort.value)) {
    if (!hasReasoning) return unsupportedField(effort.name);
    const message = `Unsupported value: '${String(effort.value)}' is not supported with this model.`;
    return fieldRefusal("unsupported_value", effort.name, message);
  }
  const hasFixedTemperature = hasReasoning && effort.value !== "none";
  return hasFixedTemperature && temperature !== undefined ? unsupportedField("temperature") : undefined;
}

function familyOf({ model }: RequestBody): Family | undefined {
  return model === undefined ? undefined : families.find(({ pattern }) => pattern.test(model));
}

const unknownField = (name: string) => fieldRefusal("unknown_parameter", name, `Unknown parameter: '${name}'.`);
const unsupportedField = (name: string) =>
  fieldRefusal("unsupported_parameter", name, `Unsupported parameter: '${name}' is not supported with this model.`);
