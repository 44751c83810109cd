import type { ErrorAnswer, WireFailure } from "./wire.ts";

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

export function openAiErrorAnswer(failure: WireFailure): ErrorAnswer {
  const [status, error] = openAiErrors[failure];
  return { status, body: JSON.stringify({ error }, null, 2) };
}

/** Returns the answer to a request with a field that the API refuses. */
export function fieldRefusal(code: string, param: string, message: string): ErrorAnswer {
  const error: OpenAiError = { message, type: "invalid_request_error", param, code };
  return { status: 400, body: JSON.stringify({ error }, null, 2) };
}
