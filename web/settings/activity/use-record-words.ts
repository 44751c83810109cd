import { useTranslation } from "react-i18next";
import type { AuditEntry } from "#contract/administration.ts";
import { type AuditKind, auditKinds } from "#contract/audit.ts";
import { settingNames } from "#contract/installation.ts";
import { accountRoles } from "#contract/roles.ts";

type RecordFacts = Pick<AuditEntry, "kind" | "before" | "after">;

export type RecordWords = {
  /** Names what happened. */
  kindOf: (record: RecordFacts) => string;
  /** Sentences about the values before and after. */
  changesOf: (record: RecordFacts) => string[];
};

const fields = ["role", "quotaMb", "budgetUsd", ...settingNames, "notice"] as const;
/** Longest value that is shown. */
const SHOWN_CHARS = 120;
const isKnown = (kind: string): kind is AuditKind => auditKinds.some((each) => each === kind);
const providerNames: Partial<Record<string, string>> = { openai: "OpenAI", anthropic: "Anthropic" };

/** Returns the words for records of administration. The namespace `administration` must be registered. */
export function useRecordWords(): RecordWords {
  const { t, i18n } = useTranslation("administration");
  const wordOf = (kind: string, value: unknown) => {
    const role = accountRoles.find((each) => each === value);
    if (role) return t(`roles.${role}`);
    if (value === "open" || value === "closed") return t(`audit.registration.${value}`);
    if (value === null || value === undefined) return t(kind === "setting-changed" ? "audit.standard" : "audit.none");
    const words = Array.isArray(value) ? new Intl.ListFormat(i18n.language).format(value.map(String)) : String(value);
    return words.length > SHOWN_CHARS ? `${words.slice(0, SHOWN_CHARS)}…` : words;
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
      .filter((field) => String(before?.[field]) !== String(after?.[field]))
      .map((field) => {
        const values = { before: wordOf(kind, before?.[field]), after: wordOf(kind, after?.[field]) };
        return t("audit.change", { field: t(`audit.field.${field}`), ...values });
      });
  };
  return { kindOf, changesOf };
}
