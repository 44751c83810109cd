import { isErrorCode } from "#contract/errors.ts";

/**
 * Class of a failed response. `unavailable`: our server is unreachable or unavailable, so the request may be retried.
 * `rate-limited`: it may be retried once another reply has ended. `gone`: our server reports that the object does not exist.
 * `refused`: anything else.
 */
export type Verdict = "unavailable" | "rate-limited" | "gone" | "refused";

/** Statuses of a proxy whose server is unreachable. */
const PROXY_STATUSES: readonly number[] = [502, 503, 504];

/** Classifies a failed response. `status`: 0 without one; `code`: of its problem document, if it is one. */
export function verdict({ status, code }: { status: number; code?: string | undefined }): Verdict {
  if (status === 0) return "unavailable";
  if (code === undefined || !isErrorCode(code)) return PROXY_STATUSES.includes(status) ? "unavailable" : "refused";
  if (status === 503 && (code === "draining" || code === "unavailable")) return "unavailable";
  if (status === 429 && (code === "too-many-replies" || code === "budget-reserved")) return "rate-limited";
  return status === 404 && code === "not-found" ? "gone" : "refused";
}
