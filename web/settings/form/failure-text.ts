import { detailText, isUnreachable, textByCode } from "../../api/problem-text.ts";
import { i18n } from "../../locales/shell-texts.ts";
import { ProofDeclined } from "../proof/proof.ts";

/** A failure and its sentence; the banner that shows it adds what to do where no answer came at all. */
export type Failure = { text: string; error: unknown };

/** Null where there is nothing to tell: the person has declined to give a proof. */
export function toFailure(error: unknown): Failure | null {
  if (error instanceof ProofDeclined) return null;
  const told = isUnreachable(error) ? null : (textByCode(error) ?? detailText(error));
  return { text: told ?? i18n.t("failed", { ns: "settings" }), error };
}
