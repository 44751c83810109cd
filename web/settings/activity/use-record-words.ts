import { useTranslation } from "react-i18next";
import type { AuditEntry } from "#contract/administration.ts";
import { type AuditKind, auditKinds } from "#contract/audit.ts";
import { accountRoles } from "#contract/roles.ts";

type RecordFacts = Pick<AuditEntry, "kind" | "before" | "after">;

export type RecordWords = {
  /** Names what happened. */
  kindOf: (record: RecordFacts) => string;
  /** Sentences about the values before and after. */
  changesOf: (record: RecordFacts) => string[];
};

const fields = ["role", "quotaMb", "budgetUsd"] as const;
const isKnown = (kind: string): kind is AuditKind => auditKinds.some((each) => each === kind);
const providerNames: Partial<Record<string, string>> = { openai: "OpenAI", anthropic: "Anthropic" };

/** Returns the words for records of administration. The namespace `administration` must be registered. */
export function useRecordWords(): RecordWords {
  const { t } = useTranslation("administration");
  const wordOf = (value: unknown) => {
    const role = accountRoles.find((each) => each === value);
    if (role) return t(`roles.${role}`);
    return value === null || value === undefined ? t("audit.none") : String(value);
  };
  const providerOf = (name: unknown) =>
    name === "local" ? t("overview.providers.local") : (providerNames[String(name)] ?? String(name));

  const kindOf = ({ kind }: RecordFacts) => (isKnown(kind) ? t(`audit.kinds.${kind}`) : t("audit.otherKind"));
  const changesOf = ({ kind, before, after }: RecordFacts) => {
    if (kind === "provider-tested") {
      return [
        t(after?.ok === true ? "audit.tested.ok" : "audit.tested.failed", { provider: providerOf(after?.provider) }),
      ];
    }
    if (kind === "ownership-offered") {
      return [t(after?.staysOwner === true ? "audit.offered.shares" : "audit.offered.handsOver")];
    }
    return fields
      .filter((field) => before?.[field] !== after?.[field])
      .map((field) => {
        const values = { before: wordOf(before?.[field]), after: wordOf(after?.[field]) };
        return t("audit.change", { field: t(`audit.field.${field}`), ...values });
      });
  };
  return { kindOf, changesOf };
}
