import { detailText, isUnreachable, textByCode } from "../../api/problem-text.ts";
import { i18n } from "../../locales/i18n.ts";

/** The person declined what a request needed, such as a proof: the request was not made, and no text is shown. */
export class Declined extends Error {
  override readonly name = "Declined";
}

/** @returns null for {@link Declined} */
export function failureText(error: unknown): string | null {
  if (error instanceof Declined) return null;
  const told = isUnreachable(error) ? null : (textByCode(error) ?? detailText(error));
  return told ?? i18n.t("failed", { ns: "settings" });
}
