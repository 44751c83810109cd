import {
  type ChangeSettings,
  type InstallationSettingsAnswer,
  type InstallationValues,
  isDomain,
  isNetwork,
  type SettingName,
  settingNames,
} from "#contract/administration/installation.ts";
import { holdAdministration, recordAudit } from "../audit/record-audit.ts";
import type { Queryable } from "../database/schema.ts";
import { Failure, type Issue } from "../failure.ts";
import { byName, defaultValues, effectiveValues, readStored, type StoredSettings } from "./effective-values.ts";
import { deleteSetting, listSettingsNamed, putSetting } from "./setting-store.ts";

type Fixed = Partial<InstallationValues>;

/**
 * Changes settings in the caller's transaction, each with a record of its own. A value that equals the default is not
 * stored. Of two concurrent changes of one setting the last one stays; the records show both.
 * @returns whether anything changed
 * @throws Failure `invalid-input` with the rules `fixed`, `domain` and `network`; then nothing is changed
 */
export async function changeSettings(
  db: Queryable,
  changes: ChangeSettings,
  { fixed, at, actor }: { fixed: Fixed; at: number; actor: string },
): Promise<boolean> {
  refuseImpossible(changes, fixed);
  await holdAdministration(db);
  const stored = await readStoredSettings(db);
  let hasChanged = false;
  for (const name of settingNames) {
    const wish = changes[name];
    if (wish === undefined) continue;
    const before = readStored(name, stored) ?? null;
    const after = wish === null || isSame(wish, defaultValues[name]) ? null : wish;
    if (isSame(before, after)) continue;
    if (after === null) await deleteSetting(db, name);
    else await putSetting(db, { name, value: JSON.stringify(after), changed_at: at });
    const values = { before: { [name]: before }, after: { [name]: after } };
    await recordAudit(db, { kind: "setting-changed", at, actor, subject: null, ...values });
    hasChanged = true;
  }
  return hasChanged;
}

function refuseImpossible(changes: ChangeSettings, fixed: Fixed): void {
  const issues: Issue[] = settingNames
    .filter((name) => changes[name] !== undefined && fixed[name] !== undefined)
    .map((field) => ({ field, rule: "fixed" }));
  if (changes.registrationDomains?.some((domain) => !isDomain(domain))) {
    issues.push({ field: "registrationDomains", rule: "domain" });
  }
  if (changes.trustedNetworks?.some((network) => !isNetwork(network))) {
    issues.push({ field: "trustedNetworks", rule: "network" });
  }
  if (issues.length > 0) throw new Failure("invalid-input", { issues });
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Returns each setting with its value, its source and its default, read from the database. */
export async function describeSettings(db: Queryable, fixed: Fixed): Promise<InstallationSettingsAnswer> {
  const stored = await readStoredSettings(db);
  const values = effectiveValues(fixed, stored);
  const stateOf = <N extends SettingName>(name: N) => {
    const isStored = fixed[name] === undefined && readStored(name, stored) !== undefined;
    const source = fixed[name] === undefined ? (isStored ? "database" : "default") : "environment";
    return { source, ...(isStored && { changedAt: stored.get(name)?.changed_at }) } as const;
  };
  const { registrationDomains: domains, trustedNetworks: networks } = values;
  return {
    productName: { ...stateOf("productName"), value: values.productName, default: defaultValues.productName },
    registration: { ...stateOf("registration"), value: values.registration, default: defaultValues.registration },
    registrationDomains: { ...stateOf("registrationDomains"), value: [...domains], default: [] },
    trustedNetworks: { ...stateOf("trustedNetworks"), value: [...networks], default: [] },
    dailyReplies: { ...stateOf("dailyReplies"), value: values.dailyReplies, default: defaultValues.dailyReplies },
    toolCallsPerMinute: {
      ...stateOf("toolCallsPerMinute"),
      value: values.toolCallsPerMinute,
      default: defaultValues.toolCallsPerMinute,
    },
    toolCallsPerDay: {
      ...stateOf("toolCallsPerDay"),
      value: values.toolCallsPerDay,
      default: defaultValues.toolCallsPerDay,
    },
    systemPrompt: { ...stateOf("systemPrompt"), value: values.systemPrompt, default: defaultValues.systemPrompt },
    releaseCheck: { ...stateOf("releaseCheck"), value: values.releaseCheck, default: defaultValues.releaseCheck },
    ownToolServers: {
      ...stateOf("ownToolServers"),
      value: values.ownToolServers,
      default: defaultValues.ownToolServers,
    },
    shareLinks: { ...stateOf("shareLinks"), value: values.shareLinks, default: defaultValues.shareLinks },
    shareDaysMax: { ...stateOf("shareDaysMax"), value: values.shareDaysMax, default: defaultValues.shareDaysMax },
  };
}

async function readStoredSettings(db: Queryable): Promise<StoredSettings> {
  const rows = await listSettingsNamed(db, settingNames);
  return byName(rows);
}
