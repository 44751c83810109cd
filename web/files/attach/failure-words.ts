import { isErrorCode } from "#contract/errors.ts";
import { i18n } from "../../locales/i18n.ts";

/** Returns the sentence for the error of a file: a code of `contract/errors.ts`, or one of this page. */
export function failureWords(error: string): string {
  if (error === "heic" || error === "offline") return i18n.t(`files:failure.${error}`);
  return i18n.t(`errors:${isErrorCode(error) ? error : "internal"}`);
}
