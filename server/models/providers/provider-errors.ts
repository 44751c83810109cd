import type { IncomingHttpHeaders } from "node:http";
import { SECOND } from "#contract/limits.ts";
import { type AssistantErrorCode, ModelError } from "../model-error.ts";
import { field, isRecord, parseJson } from "./wire-json.ts";

/** Error codes of the wire formats (`error.code`, `error.type`) and of the common local servers, with our codes. */
const CODES: Readonly<Record<string, AssistantErrorCode>> = {
  invalid_api_key: "assistant-misconfigured",
  authentication_error: "assistant-misconfigured",
  permission_error: "assistant-misconfigured",
  billing_error: "assistant-misconfigured",
  billing_not_active: "assistant-misconfigured",
  insufficient_quota: "assistant-misconfigured",
  account_deactivated: "assistant-misconfigured",
  invalid_organization: "assistant-misconfigured",
  unsupported_country_region_territory: "assistant-misconfigured",
  model_not_found: "assistant-misconfigured",
  not_found_error: "assistant-misconfigured",
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

/** Anthropic and vLLM have no error code for a prompt beyond the window, so their message is matched. */
const TOO_LONG = /^prompt is too long|maximum context length/i;

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
/** Anthropic has no parameter for the field, but begins its sentence with it: bare with a colon, or quoted. */
const NAMED = /^(?:([a-z_.]{1,100}): |[`'"]([a-z_.]{1,100})[`'"])/;
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

type ParsedError = { code: AssistantErrorCode; providerCode?: string | undefined; field?: string | undefined };

function errorFromBody(body: unknown, status: number): ParsedError {
  const nested = field(body, "error");
  const error = isRecord(nested) ? nested : body;
  const text = typeof nested === "string" ? nested : field(error, "message");
  const message = typeof text === "string" ? text : "";
  const words = [field(error, "code"), field(error, "type")].filter((word) => typeof word === "string");
  const known = words.find((word) => Object.hasOwn(CODES, word));
  // A code of another form is dropped: it may contain anything, including the request's headers.
  const providerCode = known ?? words.find((word) => /^[a-z_]{1,40}$/.test(word));
  const refused = refusedField(field(error, "param"), message);
  if (known === undefined && TOO_LONG.test(message)) return { code: "assistant-too-long", providerCode };
  if (known !== undefined) return { code: CODES[known] ?? "assistant-failed", providerCode, field: refused };
  const numeric = field(error, "code");
  const statusOfBody = status >= 300 || typeof numeric !== "number" ? status : numeric;
  const isUnsuited = refused !== undefined && (statusOfBody === 400 || statusOfBody === 422);
  return { code: isUnsuited ? "assistant-unsuited" : codeOfStatus(statusOfBody), providerCode, field: refused };
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
  // Redirects are not followed: one means that the configured address is wrong.
  if ((status >= 300 && status < 400) || [401, 402, 403, 404, 405].includes(status)) return "assistant-misconfigured";
  return "assistant-failed";
}

function retryAfterOf(headers: IncomingHttpHeaders): number | undefined {
  const inMs = Number.parseFloat(String(headers["retry-after-ms"] ?? ""));
  if (inMs >= 0) return inMs;
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  if (!/^[\d.]+$|^[A-Z][a-z]{2}, /.test(value)) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * SECOND : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
