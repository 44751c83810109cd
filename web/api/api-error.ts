import { SECOND } from "#contract/limits.ts";
import { type Problem, problemSchema } from "#contract/problem.ts";

/** Codes of failures that no server reports: there was no response, or the contract does not define it. */
export type ClientErrorCode = "unreachable" | "unexpected-answer";

type ApiErrorDetails = { code?: string; problem?: Problem; body?: string; retryAfterMs?: number; cause?: unknown };

/**
 * Failed API call. `status`: the HTTP status, 0 without a response; `code`: the stable code of a problem document;
 * `problem`: the whole document; `body`: the raw text of the response; `retryAfterMs`: the delay before a retry that
 * the server asks for.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code?: string;
  readonly problem?: Problem;
  readonly body?: string;
  readonly retryAfterMs?: number;

  constructor(status: number, message: string, details: ApiErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.status = status;
    if (details.code !== undefined) this.code = details.code;
    if (details.problem !== undefined) this.problem = details.problem;
    if (details.body !== undefined) this.body = details.body;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
  }
}

/** Reads the body of a failed response. Only a problem document is parsed; any other body stays raw text. */
export async function readApiError(response: Response): Promise<ApiError> {
  const { status } = response;
  const body = await response.text().catch(() => "");
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const asked = Number.isFinite(seconds) ? { retryAfterMs: seconds * SECOND } : {};
  const parsed = problemSchema.safeParse(parseJson(body));
  if (parsed.success) {
    const problem = parsed.data;
    return new ApiError(status, problem.error, { code: problem.code, problem, body, ...asked });
  }
  return new ApiError(status, body || `HTTP ${status}`, { body, ...asked });
}

/** Parses JSON; undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
