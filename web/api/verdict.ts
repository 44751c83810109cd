import { isErrorCode } from "#contract/errors.ts";

/**
 * `away`: our server is not there now, or says that it cannot; what was asked may be asked again. `crowded`: it may be
 * asked again too, once another reply has ended. `gone`: our server says that there is no such thing. `refused`:
 * anything else.
 */
export type Verdict = "away" | "crowded" | "gone" | "refused";

/** What a proxy says whose server is not there. */
const PROXY_STATUSES: readonly number[] = [502, 503, 504];

/** What an answer that is no success says. `status`: 0 where none came; `code`: of its problem document, if it is one. */
export function verdict({ status, code }: { status: number; code?: string | undefined }): Verdict {
  if (status === 0) return "away";
  if (code === undefined || !isErrorCode(code)) return PROXY_STATUSES.includes(status) ? "away" : "refused";
  if (status === 503 && (code === "draining" || code === "unavailable")) return "away";
  if (status === 429 && code === "too-many-replies") return "crowded";
  return status === 404 && code === "not-found" ? "gone" : "refused";
}
