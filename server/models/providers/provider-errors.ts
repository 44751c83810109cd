import type { IncomingHttpHeaders } from "node:http";
import { parseJson } from "../../text/parse-json.ts";
import { parseRetryAfter } from "../../text/retry-after.ts";
import { field, isRecord } from "../../text/wire-json.ts";
import { type AssistantErrorCode, ModelError } from "../model-error.ts";

/**
 * Error codes of the wire formats (`error.code`, `error.type`, Gemini's `error.details[].reason`) and of the common local
 * servers, with our codes.
 */
const CODES: Readonly<Record<string, AssistantErrorCode>> = {
  invalid_api_key: "assistant-misconfigured",
  authentication_error: "assistant-misconfigured",
  permission_error: "assistant-misconfigured",
  billing_error: "assistant-no-credit",
  billing_not_active: "assistant-no-credit",
  billing_hard_limit_reached: "assistant-no-credit",
  insufficient_quota: "assistant-no-credit",
  exceeded_current_quota_error: "assistant-no-credit",
  budget_exceeded: "assistant-no-credit",
  account_deactivated: "assistant-misconfigured",
  API_KEY_INVALID: "assistant-misconfigured",
  invalid_organization: "assistant-misconfigured",
  unsupported_country_region_territory: "assistant-misconfigured",
  model_not_found: "assistant-model-gone",
  not_found_error: "assistant-model-gone",
  model_not_available: "assistant-model-gone",
  invalid_model: "assistant-model-gone",
  DeploymentNotFound: "assistant-model-gone",
  unsupported_parameter: "assistant-unsuited",
  unsupported_value: "assistant-unsuited",
  unknown_parameter: "assistant-unsuited",
  rate_limit_exceeded: "assistant-busy",
  rate_limit_error: "assistant-busy",
  overloaded_error: "assistant-busy",
  slow_down: "assistant-busy",
  context_length_exceeded: "assistant-too-long",
  string_above_max_length: "assistant-too-long",
  exceed_context_size_error: "assistant-too-long",
  request_too_large: "assistant-too-long",
  content_filter: "assistant-refused",
  content_policy_violation: "assistant-refused",
  // OpenAI's reasoning models refuse a prompt by these.
  invalid_prompt: "assistant-refused",
  bio_policy: "assistant-refused",
  misalignment_policy_violation: "assistant-refused",
  server_error: "assistant-failed",
  api_error: "assistant-failed",
  timeout_error: "assistant-failed",
};

/** OpenAI's error codes for a file that it does not accept; those of pictures are `ResponseError.code` of its API. */
const FILE_CODES: ReadonlySet<string> = new Set([
  "invalid_image",
  "invalid_image_format",
  "invalid_base64_image",
  "invalid_image_url",
  "invalid_image_mode",
  "image_too_large",
  "image_too_small",
  "image_parse_error",
  "image_content_policy_violation",
  "image_file_too_large",
  "unsupported_image_media_type",
  "empty_image_file",
  "invalid_file",
  "unsupported_file",
]);

/**
 * Sentences for what several providers have no error code for. `statuses`: of the responses in which a sentence has this
 * meaning; absent: any. An error within a stream has no status, and has the meaning too.
 */
const MEANINGS: readonly { pattern: RegExp; code: AssistantErrorCode; statuses?: readonly number[] }[] = [
  {
    // Anthropic, vLLM, Mistral, OpenRouter, Gemini, xAI, Together, LM Studio (three of them), LiteLLM.
    pattern:
      /^prompt is too long|maximum (?:context|prompt) length|exceeds the maximum number of tokens|tokens \+ `?max_new_tokens|exceeds? (?:the )?(?:available )?context (?:limit|size|length|window)|greater than the context length|context (?:the )?overflows|n_keep .{0,20}>= n_ctx|context size has been exceeded|ContextWindowExceededError/i,
    code: "assistant-too-long",
  },
  {
    // Anthropic (two of them), xAI (two of them), DeepSeek, OpenRouter (two of them), SiliconFlow, Zhipu.
    pattern:
      /credit balance is too low|reached your specified .{0,40}usage limits|(?:have|has) any credits|used all available credits|insufficient (?:balance|credits?|funds)|^key limit exceeded|requires more credits|balance is insufficient|余额不足/i,
    code: "assistant-no-credit",
  },
  {
    pattern: /(?:incorrect|invalid|wrong) api key|api key not valid/i,
    code: "assistant-misconfigured",
    statuses: [400],
  },
  {
    // Ollama, vLLM, Gemini, DeepSeek, xAI; LiteLLM; Mistral; OpenRouter (two of them); Together; LM Studio; Azure.
    pattern:
      /\bmodels?\b.{0,200}\b(?:not found|n[o']t exist)|invalid model(?: name)?\b|not a valid model|no endpoints found for|unable to access model|no models? (?:is |are )?loaded|\bdeployment\b.{0,80}not exist/i,
    code: "assistant-model-gone",
    statuses: [400, 404, 422],
  },
];

/**
 * Sentences by which servers refuse any picture: Ollama, llama.cpp, LM Studio and Mistral; OpenRouter; vLLM (three of them); DeepSeek;
 * OpenAI and Azure; Groq.
 */
const NO_PICTURES =
  /\b(?:images?|vision|multimodal)\b.{0,60}\b(?:not (?:supported|enabled)|unsupported)|not support (?:images?|vision|multimodal)|not a multimodal model|unknown image model type|support image input|at most 0 image|unknown variant `image_url`|image_url is only supported|content must be a string/i;
const NO_PICTURES_STATUSES: readonly number[] = [0, 400, 404, 415, 422, 500];

/**
 * Fields of our requests that follow from a model's entry in the catalogue. A provider that refuses one of them refuses
 * every request of the model. Other names are dropped: they may contain anything, including the request's text.
 */
const FIELDS: readonly string[] = [
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "temperature",
  "thinking",
  "output_config",
  "reasoning",
  "reasoning_effort",
  "stream",
  "stream_options",
  "store",
];
const PATH = /^[a-z_]{1,40}(?:\.[a-z_]{1,40}){0,3}$/;
/**
 * Anthropic and Gemini have no parameter for the field. Anthropic begins its sentence with it: bare with a colon, or
 * quoted; Gemini quotes it after a fixed beginning.
 */
const NAMED = /^(?:([a-z_.]{1,100}): |(?:Invalid JSON payload received\. Unknown name )?[`'"]([a-z_.]{1,100})[`'"])/;
/**
 * A part of a message, by its path in a request: OpenAI's parameter `input[0].content[1].image_url`, or the beginning of
 * Anthropic's sentence, `messages.2.content.0.pdf.source`.
 */
const PART = /^(messages|input)\.?\[?(\d{1,6})\]?\.content\.?\[?(\d{1,6})\b/;
/** A code of another form is dropped: it may contain anything, including the request's headers. Google's are capitals. */
const PROVIDER_CODE = /^(?:[a-z_]{1,40}|[A-Z_]{1,40})$/;
/** A model that refuses an answer at the end of the prompt does not name the field. */
const PREFILL = /^This model does not support assistant message prefill/;

/** Converts a response that is not an event stream. `body` is its beginning; `headers` have lower-case names. */
export function errorFromResponse(status: number, headers: IncomingHttpHeaders, body: string): ModelError {
  const { code, ...details } = errorFromBody(parseJson(body), status);
  return new ModelError(code, { ...details, status, retryAfterMs: retryAfterOf(headers) });
}

/** Converts an error event within a stream. */
export function errorFromEvent(event: unknown): ModelError {
  const { code, ...details } = errorFromBody(event, 0);
  return new ModelError(code, details);
}

type ParsedError = { code: AssistantErrorCode } & Pick<
  ConstructorParameters<typeof ModelError>[1] & object,
  "providerCode" | "field" | "part" | "isAboutFile" | "refusesPictures" | "refusesTools"
>;

function errorFromBody(json: unknown, status: number): ParsedError {
  // Gemini answers with an array of one error.
  const body = Array.isArray(json) ? json[0] : json;
  const nested = field(body, "error");
  const error = isRecord(nested) ? nested : body;
  const text = typeof nested === "string" ? nested : field(error, "message");
  const message = typeof text === "string" ? text : "";
  const words = codesOf(error);
  const fileCode = words.find((word) => FILE_CODES.has(word));
  const known = words.find((word) => Object.hasOwn(CODES, word));
  const providerCode = fileCode ?? known ?? words.find((word) => PROVIDER_CODE.test(word));
  const param = field(error, "param") ?? invalidField(field(error, "detail") ?? field(text, "detail"));
  const part = partOf(typeof param === "string" ? param : message);
  const numeric = field(error, "code");
  const statusOfBody = status >= 300 || typeof numeric !== "number" ? status : numeric;
  const isOfPictures = refusesPictures(message, statusOfBody);
  if (fileCode !== undefined || isOfPictures) {
    return { code: "assistant-failed", providerCode, part, isAboutFile: true, refusesPictures: isOfPictures };
  }
  if (NO_TOOLS_STATUSES.includes(statusOfBody) && NO_TOOLS.test(message)) {
    return { code: "assistant-unsuited", providerCode, field: "tools", refusesTools: true };
  }
  const refused = refusedField(param, message);
  const code = known === undefined ? undefined : CODES[known];
  // A code such as `api_error` says less than a sentence or a status: Ollama sends it for a missing model.
  const isPrecise = code !== undefined && code !== "assistant-failed";
  const meaning = isPrecise ? code : meaningOf(message, statusOfBody);
  // Groq's limit of tokens per minute is smaller than the request: a retry is refused too.
  if (status === 413 && meaning === "assistant-busy") return { code: "assistant-too-long", providerCode };
  if (meaning !== undefined) return { code: meaning, providerCode, field: refused, part };
  const isUnsuited = refused !== undefined && (statusOfBody === 400 || statusOfBody === 422);
  return { code: isUnsuited ? "assistant-unsuited" : codeOfStatus(statusOfBody), providerCode, field: refused, part };
}

function meaningOf(message: string, status: number): AssistantErrorCode | undefined {
  const isOf = (statuses?: readonly number[]) => status === 0 || !statuses || statuses.includes(status);
  return MEANINGS.find(({ pattern, statuses }) => isOf(statuses) && pattern.test(message))?.code;
}

/**
 * Sentences of Ollama, vLLM, llama.cpp, OpenRouter and Groq about a model, or a server as it was started, that takes no
 * tools.
 */
const NO_TOOLS =
  /does not support (?:tools|tool|function)|tool (?:use|calling|choice)[^.]{0,40}(?:not supported|requires)|support tool use|tools? param(?:eter)? requires|tools are not supported/i;
const NO_TOOLS_STATUSES: readonly number[] = [400, 404, 422, 500, 501];

function refusesPictures(message: string, status: number): boolean {
  return NO_PICTURES_STATUSES.includes(status) && NO_PICTURES.test(message);
}

/** Returns the field that a validation error of FastAPI names, which vLLM, LiteLLM and Mistral are built on. */
function invalidField(detail: unknown): string | undefined {
  const loc = Array.isArray(detail) ? field(detail[0], "loc") : undefined;
  return Array.isArray(loc) ? loc.filter((name) => name !== "body").join(".") : undefined;
}

function partOf(path: string): string | undefined {
  const [, list, message, part] = PART.exec(path) ?? [];
  return list && `${list}.${message}.content.${part}`;
}

/** Returns the texts that may be an error's code, the most specific first. */
function codesOf(error: unknown): string[] {
  const details = field(error, "details");
  const reasons = Array.isArray(details) ? details.map((detail) => field(detail, "reason")) : [];
  const codes = [field(error, "code"), field(error, "type"), ...reasons, field(error, "status")];
  return codes.filter((code) => typeof code === "string");
}

/** Returns the field of our requests that an error names, if it follows from the model's entry in the catalogue. */
function refusedField(param: unknown, message: string): string | undefined {
  if (PREFILL.test(message)) return "prefill";
  const [, bare, quoted] = NAMED.exec(message) ?? [];
  const name = typeof param === "string" ? param : (bare ?? quoted);
  if (name === undefined || !PATH.test(name)) return undefined;
  return FIELDS.includes(name.split(".")[0] ?? "") ? name : undefined;
}

function codeOfStatus(status: number): AssistantErrorCode {
  if (status === 413) return "assistant-too-long";
  if (status === 429 || status === 503 || status === 529) return "assistant-busy";
  if (status === 402) return "assistant-no-credit";
  // Redirects are not followed: one means that the configured address is wrong.
  if ((status >= 300 && status < 400) || [401, 403, 404, 405].includes(status)) return "assistant-misconfigured";
  return "assistant-failed";
}

function retryAfterOf(headers: IncomingHttpHeaders): number | undefined {
  const inMs = Number.parseFloat(String(headers["retry-after-ms"] ?? ""));
  return inMs >= 0 ? inMs : parseRetryAfter(headers["retry-after"]);
}
