import { isErrorCode } from "#contract/errors.ts";
import { currentAuthConfig } from "../../accounts/auth-config.ts";
import { i18n } from "../../locales/i18n.ts";
import { sizeText } from "../../locales/size-text.ts";

/**
 * Returns the words for the error of a file: a code of `contract/errors.ts`, or one of this page. They name the limit
 * that the file exceeds, which the server's sentence does not.
 */
export function failureWords(error: string): string {
  const { files: limits } = currentAuthConfig();
  if (error === "heic" || error === "offline") return i18n.t(`files:failure.${error}`);
  if (limits && error === "file-too-large")
    return i18n.t("files:failure.size", { size: sizeText(limits.maxBytes, i18n.language) });
  if (limits && error === "too-many-files") return i18n.t("files:failure.count", { max: limits.maxPerMessage });
  return i18n.t(`errors:${isErrorCode(error) ? error : "internal"}`);
}
