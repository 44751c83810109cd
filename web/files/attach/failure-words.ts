import { currentAuthConfig } from "../../accounts/auth-config.ts";
import { wordErrorCode } from "../../api/problem-text.ts";
import { i18n } from "../../locales/i18n.ts";
import { sizeText } from "../../locales/size-text.ts";
import { servedKinds } from "../prepare/picture-kinds.ts";

/**
 * Returns the words for the error of a file: a code of `contract/errors.ts`, or one of this page. They name the limit
 * that the file exceeds, which the server's sentence does not.
 */
export function failureWords(error: string): string {
  const { files: limits } = currentAuthConfig();
  if (error === "offline") return i18n.t("files:failure.offline");
  const [reason, kind] = error.split("/");
  if (kind !== undefined) {
    const kinds = [...servedKinds.keys(), ...(reason === "no-decoder" ? ["AVIF", "BMP"] : [])];
    return i18n.t("files:failure.kind", { kind, kinds: new Intl.ListFormat(i18n.language).format(kinds) });
  }
  if (limits && error === "file-too-large")
    return i18n.t("files:failure.size", { size: sizeText(limits.maxBytes, i18n.language) });
  if (limits && error === "too-many-files") return i18n.t("files:failure.count", { max: limits.maxPerMessage });
  return wordErrorCode(error) ?? i18n.t("errors:internal");
}
