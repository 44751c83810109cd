import { useTranslation } from "react-i18next";
import { accountRoles } from "#contract/accounts/roles.ts";
import type { AuditEntry } from "#contract/administration/administration.ts";
import { type AuditKind, auditKinds } from "#contract/administration/audit.ts";
import type { NamedGroup } from "#contract/administration/groups.ts";
import { settingNames, shareReaches } from "#contract/administration/installation.ts";
import { searchEngineKinds, searchEngineNames } from "#contract/administration/web-search.ts";
import { shareAudiences } from "#contract/shares/shares.ts";

/** `groups`: names of the groups in the values; absent: changes of groups are left out. */
type RecordFacts = Pick<AuditEntry, "kind" | "before" | "after"> & { groups?: readonly NamedGroup[] };

export type RecordWords = {
  /** Names what happened. */
  kindOf: (record: RecordFacts) => string;
  /** Sentences about the values before and after. */
  changesOf: (record: RecordFacts) => string[];
};

const fields = [
  ...(["role", "quotaMb", "budgetUsd", "group", "models", "defaultModel"] as const),
  ...([
    "budget",
    "memberBudget",
    "timeZone",
    "needsSecondFactor",
    "mayShare",
    "automaticModels",
    ...settingNames,
  ] as const),
];
/** Longest value that is shown. */
const SHOWN_CHARS = 120;
const shortened = (words: string) => (words.length > SHOWN_CHARS ? `${words.slice(0, SHOWN_CHARS)}…` : words);
const isKnown = (kind: string): kind is AuditKind => auditKinds.some((each) => each === kind);
const providerNames: Partial<Record<string, string>> = { openai: "OpenAI", anthropic: "Anthropic" };

const engineName = (value: unknown) => {
  const kind = searchEngineKinds.find((each) => each === value);
  return kind === undefined ? textOf(value) : searchEngineNames[kind];
};

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

/** Returns the words for records of administration. The namespace `administration` must be registered. */
export function useRecordWords(): RecordWords {
  const { t, i18n } = useTranslation("administration");
  const wordOf = ({ kind, groups = [] }: RecordFacts, field: (typeof fields)[number], value: unknown) => {
    if (field === "group" && typeof value === "string") {
      return groups.find(({ id }) => id === value)?.name ?? t("audit.goneGroup");
    }
    if (field === "models" && value === null) return t("audit.all");
    const role = accountRoles.find((each) => each === value);
    if (role) return t(`roles.${role}`);
    const reach = field === "shareLinks" && shareReaches.find((each) => each === value);
    if (reach) return t(`audit.audience.${reach}`);
    if (field === "shareDaysMax" && value === 0) return t("audit.endless");
    if (value === "open" || value === "closed") return t(`audit.registration.${value}`);
    if (value === "on" || value === "off") return t(`audit.switched.${value}`);
    if (value === null || value === undefined) return t(kind === "setting-changed" ? "audit.standard" : "audit.none");
    const words = Array.isArray(value) ? new Intl.ListFormat(i18n.language).format(value.map(String)) : String(value);
    return shortened(words);
  };
  const providerOf = (name: unknown) =>
    name === "local" ? t("overview.providers.local") : (providerNames[String(name)] ?? String(name));

  const kindOf = ({ kind }: RecordFacts) => (isKnown(kind) ? t(`audit.kinds.${kind}`) : t("audit.otherKind"));
  const connectionWords = ({ before, after }: RecordFacts) => {
    const [old, current] = [before, after].map((values) => textOf(values?.name) ?? textOf(values?.connection));
    const isRenamed = old !== undefined && current !== undefined && old !== current;
    const models = Array.isArray(after?.models) ? [shortened(after.models.map(String).join(", "))] : [];
    if (isRenamed) return [t("audit.change", { field: t("audit.field.productName"), before: old, after: current })];
    return [current ?? old ?? "", ...models].filter((words) => words !== "");
  };
  const engineWords = ({ kind, before, after }: RecordFacts) => {
    const nameIn = (values: RecordFacts["after"]) => engineName(values?.engine) ?? t("audit.none");
    const [old, current] = [nameIn(before), nameIn(after)];
    if (kind === "search-engine-tested") {
      return [t(after?.ok === true ? "audit.tested.ok" : "audit.tested.failed", { provider: current })];
    }
    if (old !== current)
      return [t("audit.change", { field: t("audit.field.searchEngine"), before: old, after: current })];
    return [[current, textOf(after?.baseUrl)].filter(Boolean).join(", ")];
  };
  const serverWords = useServerWords();
  const shareWords = useShareWords();
  const changesOf = (record: RecordFacts) => {
    const { kind, before, after } = record;
    if (kind.startsWith("mcp-server-")) return serverWords(record);
    if (kind.startsWith("share-")) return shareWords(record);
    if (kind.startsWith("search-engine-")) return engineWords(record);
    if (kind === "provider-tested") {
      return [
        t(after?.ok === true ? "audit.tested.ok" : "audit.tested.failed", { provider: providerOf(after?.provider) }),
      ];
    }
    if (kind === "ownership-offered") {
      return [t(after?.staysOwner === true ? "audit.offered.shares" : "audit.offered.handsOver")];
    }
    if (kind === "notice-changed") {
      if (after?.isShown === false) return [t("audit.noticeRemoved")];
      return typeof after?.text === "string" ? [shortened(after.text)] : [];
    }
    const isNamed = kind.startsWith("connection-") || kind.startsWith("identity-provider-");
    if (isNamed || kind === "models-changed") return connectionWords(record);
    const renamed = after?.isRenamed === true ? [t("audit.renamed")] : [];
    const changed = fields
      .filter((field) => field !== "group" || record.groups)
      .filter((field) => String(before?.[field] ?? null) !== String(after?.[field] ?? null));
    const changes = changed.map((field) => {
      const [old, current] = [wordOf(record, field, before?.[field]), wordOf(record, field, after?.[field])];
      return t("audit.change", { field: t(`audit.field.${field}`), before: old, after: current });
    });
    return [...renamed, ...changes];
  };
  return { kindOf, changesOf };
}

/** Returns the words for records of MCP servers: the name and the origin, or the former and the new name. */
function useServerWords(): RecordWords["changesOf"] {
  const { t } = useTranslation("administration");
  return ({ kind, before, after }: RecordFacts) => {
    const [name, origin] = [
      textOf(after?.name) || textOf(before?.name),
      textOf(after?.origin) ?? textOf(before?.origin),
    ];
    if (kind === "mcp-server-tested") {
      const provider = name ?? origin ?? t("audit.none");
      return [t(after?.ok === true ? "audit.tested.ok" : "audit.tested.failed", { provider })];
    }
    const old = textOf(before?.name);
    const isRenamed = old !== undefined && name !== undefined && old !== name;
    if (isRenamed) return [t("audit.change", { field: t("audit.field.productName"), before: old, after: name })];
    return [[name, origin].filter(Boolean).join(", ")];
  };
}

/** Returns the words for records of links to chats: who can open a new one and for how long, or how many were revoked. */
function useShareWords(): RecordWords["changesOf"] {
  const { t } = useTranslation("administration");
  return ({ kind, before, after }: RecordFacts) => {
    if (kind === "share-revoked") {
      return typeof before?.shares === "number" ? [t("audit.links", { count: before.shares })] : [];
    }
    const audience = shareAudiences.find((each) => each === after?.audience);
    if (audience === undefined) return [];
    const life = typeof after?.days === "number" ? t("audit.days", { count: after.days }) : t("audit.endless");
    return [`${t(`audit.audience.${audience}`)} · ${life}`];
  };
}
