import { parseJson } from "../../api/api-error.ts";
import { ApiError } from "../../api/client.ts";
import { detailText, waitOf, wordErrorCode } from "../../api/problem-text.ts";
import { verdict } from "../../api/verdict.ts";
import { tooOftenText } from "../../api/wait-text.ts";
import { i18n } from "../../locales/i18n.ts";

/** Returns the sentence for an error code in the person's language, or null if the catalogue has none. */
export function wordCode(code: string | undefined): string | null {
  if (code === "unreachable" || code === "unexpected-answer") return i18n.t(`app:failure.${code}`);
  return wordErrorCode(code);
}

/** Returns the sentence for a failed call: by its code, else its own message, else `fallback`. */
export function wordFailure(cause: unknown, fallback: string): string {
  if (!(cause instanceof Error)) return fallback;
  if (!(cause instanceof ApiError)) return cause.message || fallback;
  const waitMs = waitOf(cause);
  if (waitMs !== null) return tooOftenText(waitMs);
  const isWordless = cause.body !== undefined && cause.body.trim() === "";
  if (isWordless) return wordCode(cause.code) ?? fallback;
  // Do not show the error page of a proxy.
  const isPage = cause.code === undefined && verdict(cause) === "unavailable";
  return wordCode(isPage ? "unreachable" : cause.code) ?? ownMessage(cause) ?? fallback;
}

/** Returns the message of a response without a known code; from JSON only its `detail` sentence, or null. */
function ownMessage(cause: ApiError): string | null {
  const isJson = parseJson(cause.body ?? "") !== undefined;
  return isJson ? detailText(cause) : cause.message;
}
