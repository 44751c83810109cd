import type { ErrorAnswer, WireFailure } from "../wire.ts";

type OpenAiError = { message: string; type: string; param: string | null; code: string | null };

/** HTTP status and error of OpenAI's APIs for each failure. */
export const openAiErrors: Readonly<Record<WireFailure, readonly [number, OpenAiError]>> = {
  server: [500, { message: "The server had an error.", type: "server_error", param: null, code: null }],
  "wrong-key": [
    401,
    { message: "Incorrect API key provided.", type: "invalid_request_error", param: null, code: "invalid_api_key" },
  ],
  "unknown-model": [
    404,
    {
      message: "The model `x` does not exist or you do not have access to it.",
      type: "invalid_request_error",
      param: null,
      code: "model_not_found",
    },
  ],
  "too-long": [
    400,
    {
      message: "This model's maximum context length is 400000 tokens.",
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    },
  ],
  "rate-limited": [429, { message: "Rate limit reached.", type: "requests", param: null, code: "rate_limit_exceeded" }],
  overloaded: [503, { message: "Slow down.", type: "server_error", param: null, code: "slow_down" }],
};

type GoogleError = { code: number; message: string; status: string; details?: object[] };

const wrongGoogleKey = {
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason: "API_KEY_INVALID",
  domain: "googleapis.com",
  metadata: { service: "generativelanguage.googleapis.com" },
};

/** Errors of Gemini's imitation of OpenAI, with the HTTP status as their code. */
const googleErrors: Readonly<Record<WireFailure, GoogleError>> = {
  server: { code: 500, message: "An internal error has occurred.", status: "INTERNAL" },
  "wrong-key": {
    code: 400,
    message: "API key not valid. Please pass a valid API key.",
    status: "INVALID_ARGUMENT",
    details: [wrongGoogleKey],
  },
  "unknown-model": { code: 404, message: "models/x is not found for API version v1main.", status: "NOT_FOUND" },
  "too-long": {
    code: 400,
    message: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
    status: "INVALID_ARGUMENT",
  },
  "rate-limited": { code: 429, message: "Resource has been exhausted.", status: "RESOURCE_EXHAUSTED" },
  overloaded: { code: 503, message: "The model is overloaded. Please try again later.", status: "UNAVAILABLE" },
};

/** Returns an array with one error: unlike OpenAI, Gemini does not answer with an object. */
export function googleErrorAnswer(failure: WireFailure): ErrorAnswer {
  const error = googleErrors[failure];
  return { status: error.code, body: JSON.stringify([{ error }]) };
}

export function openAiErrorAnswer(failure: WireFailure): ErrorAnswer {
  const [status, error] = openAiErrors[failure];
  return { status, body: JSON.stringify({ error }, null, 2) };
}

/** Returns the answer to a request with a field that the API refuses. */
export function fieldRefusal(code: string | null, param: string | null, message: string): ErrorAnswer {
  const error: OpenAiError = { message, type: "invalid_request_error", param, code };
  return { status: 400, body: JSON.stringify({ error }, null, 2) };
}
