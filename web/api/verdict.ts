/**
 * Class of a failed response. `unavailable`: our server is unreachable or unavailable, so the request may be retried.
 * `rate-limited`: the account has as many replies as it can have at once. `at-capacity`: other replies have reserved what
 * is left of a budget. Both may be retried once another reply has ended. `gone`: our server reports that the object does
 * not exist. `refused`: anything else.
 */
export type Verdict = "unavailable" | "rate-limited" | "at-capacity" | "gone" | "refused";

/** Statuses of a proxy whose server is unreachable. */
const PROXY_STATUSES: readonly number[] = [502, 503, 504];

/** Classifies a failed response. `status`: 0 without one; `code`: of its problem document, if it is one. */
export function verdict({ status, code }: { status: number; code?: string | undefined }): Verdict {
  if (status === 0) return "unavailable";
  if (code === undefined) return PROXY_STATUSES.includes(status) ? "unavailable" : "refused";
  if (status === 503 && (code === "draining" || code === "unavailable")) return "unavailable";
  if (status === 429 && code === "too-many-replies") return "rate-limited";
  if (status === 429 && code === "budget-reserved") return "at-capacity";
  return status === 404 && code === "not-found" ? "gone" : "refused";
}
