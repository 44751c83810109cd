import { detailText, isUnreachable, textByCode } from "../../api/problem-text.ts";
import { i18n } from "../../locales/i18n.ts";
import { ProofDeclined } from "../proof/proof.ts";

/** Null where there is nothing to tell: the person has declined to give a proof. */
export function failureText(error: unknown): string | null {
  if (error instanceof ProofDeclined) return null;
  const told = isUnreachable(error) ? null : (textByCode(error) ?? detailText(error));
  return told ?? i18n.t("failed", { ns: "settings" });
}
