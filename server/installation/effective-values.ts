import {
  type InstallationValues,
  type SettingName,
  settingNames,
  settingSchemas,
} from "#contract/administration/installation.ts";
import type { Secrets } from "../config/secrets.ts";
import type { SettingRow } from "../database/schema.ts";

/** Values that apply if neither the environment nor an owner sets others. */
export const defaultValues: InstallationValues = {
  productName: "Parley",
  registration: "open",
  registrationDomains: [],
  trustedNetworks: [],
  dailyReplies: 500,
  toolCallsPerMinute: 60,
  toolCallsPerDay: 1000,
  systemPrompt: "",
  releaseCheck: "off",
  ownToolServers: "off",
  shareLinks: "anyone",
  shareDaysMax: 0,
};

/** Rows of settings by name. */
export type StoredSettings = ReadonlyMap<string, SettingRow>;

export function byName(rows: readonly SettingRow[]): StoredSettings {
  return new Map(rows.map((row) => [row.name, row]));
}

/** Returns the values that apply. The environment is stronger than the database, and the database than the default. */
export function effectiveValues(
  fixed: Partial<InstallationValues>,
  stored: StoredSettings = new Map(),
): InstallationValues {
  const known = settingNames.flatMap((name) => {
    const value = readStored(name, stored);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...defaultValues, ...Object.fromEntries(known), ...fixed };
}

/** Returns the stored value of a setting; undefined without one, or if a version of other rules stored it. */
export function readStored<N extends SettingName>(name: N, stored: StoredSettings): InstallationValues[N] | undefined {
  const row = stored.get(name);
  if (row === undefined) return undefined;
  const parsed = settingSchemas[name].safeParse(JSON.parse(row.value));
  return parsed.success ? (parsed.data as InstallationValues[N]) : undefined;
}

/** Whether people with any address can register. */
export function isOpenToAll({ registration, registrationDomains }: RegistrationValues): boolean {
  return registration === "open" && registrationDomains.length === 0;
}

export type SharingValues = Pick<InstallationValues, "shareLinks" | "shareDaysMax">;

export type RegistrationValues = Pick<InstallationValues, "registration" | "registrationDomains">;

/** Returns a warning for the log if everybody can register on a public server and cause costs, else null. */
export function warnOfOpenRegistration(
  { isReachable, secrets }: { isReachable: boolean; secrets: Secrets },
  values: RegistrationValues,
): string | null {
  const isPaid = secrets.openaiApiKey !== undefined || secrets.anthropicApiKey !== undefined;
  if (!isPaid || !isReachable || !isOpenToAll(values)) return null;
  return "Registration is open to everyone and replies cost money: see REGISTRATION and REGISTRATION_DOMAINS, or the settings in the administration.";
}
