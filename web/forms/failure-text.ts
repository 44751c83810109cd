import { detailText, isUnreachable, textByCode } from "../api/problem-text.ts";
import { i18n } from "../locales/i18n.ts";

/** Thrown if the person declines a precondition of a request, such as a proof. No text is shown. */
export class Declined extends Error {
  override readonly name = "Declined";
}

/** Returns the sentence for an error; null for {@link Declined}. */
export function failureText(error: unknown): string | null {
  if (error instanceof Declined) return null;
  const text = isUnreachable(error) ? null : (textByCode(error) ?? detailText(error));
  return text ?? i18n.t("failed", { ns: "settings" });
}
