import {
  type ChangeSettings,
  DAILY_REPLIES_MAX,
  type InstallationSettingsAnswer,
  isDomain,
  isNetwork,
  PRODUCT_NAME_MAX,
  REGISTRATION_DOMAINS_MAX,
  type SettingName,
  SHARE_DAYS_MAX,
  SYSTEM_PROMPT_MAX,
  shareReaches,
  TOOL_CALLS_MAX,
  TRUSTED_NETWORKS_MAX,
  toDomains,
  toNetworks,
} from "#contract/administration/installation.ts";
import { oneLine } from "#contract/text/name-text.ts";

/** A setting with a form. The check for newer versions has a switch on the overview. */
export type FormSetting = Exclude<SettingName, "releaseCheck" | "ownToolServers">;

/** A broken rule of a setting: a key of `installation:problem`, with the limit. */
export type DraftProblem = {
  rule: "required" | "tooLong" | "number" | "days" | "domain" | "tooMany" | "network" | "tooManyNetworks";
  max: number;
};

/** Settings that are whole numbers from 1, with the largest number. */
export const numberMaxima = {
  dailyReplies: DAILY_REPLIES_MAX,
  toolCallsPerMinute: TOOL_CALLS_MAX,
  toolCallsPerDay: TOOL_CALLS_MAX,
} as const;

/** Returns the value of a setting as the text of its control. */
export function draftOf(name: FormSetting, settings: InstallationSettingsAnswer): string {
  if (name === "registrationDomains") return settings.registrationDomains.value.join(", ");
  if (name === "trustedNetworks") return settings.trustedNetworks.value.join(", ");
  if (name === "shareDaysMax" && settings.shareDaysMax.value === 0) return "";
  return String(settings[name].value);
}

/** Returns the change that a text of a control stands for, or the rule that it breaks. */
export function changeOf(name: FormSetting, draft: string): { change: ChangeSettings } | { problem: DraftProblem } {
  switch (name) {
    case "productName": {
      const productName = oneLine(draft);
      if (productName === "") return broken("required");
      return productName.length > PRODUCT_NAME_MAX ? broken("tooLong", PRODUCT_NAME_MAX) : { change: { productName } };
    }
    case "registration":
      return { change: { registration: draft === "closed" ? "closed" : "open" } };
    case "registrationDomains": {
      const registrationDomains = toDomains(draft.split(/[\s,;]+/));
      if (!registrationDomains.every(isDomain)) return broken("domain");
      const isTooLong = registrationDomains.length > REGISTRATION_DOMAINS_MAX;
      return isTooLong ? broken("tooMany", REGISTRATION_DOMAINS_MAX) : { change: { registrationDomains } };
    }
    case "trustedNetworks": {
      const trustedNetworks = toNetworks(draft.split(/[\s,;]+/));
      if (!trustedNetworks.every(isNetwork)) return broken("network");
      const isTooLong = trustedNetworks.length > TRUSTED_NETWORKS_MAX;
      return isTooLong ? broken("tooManyNetworks", TRUSTED_NETWORKS_MAX) : { change: { trustedNetworks } };
    }
    case "dailyReplies":
    case "toolCallsPerMinute":
    case "toolCallsPerDay": {
      const max = numberMaxima[name];
      return isWhole(draft, max) ? { change: { [name]: Number(draft) } } : broken("number", max);
    }
    case "shareLinks":
      return { change: { shareLinks: shareReaches.find((reach) => reach === draft) ?? "off" } };
    case "shareDaysMax": {
      if (draft.trim() === "") return { change: { shareDaysMax: 0 } };
      return isWhole(draft, SHARE_DAYS_MAX)
        ? { change: { shareDaysMax: Number(draft) } }
        : broken("days", SHARE_DAYS_MAX);
    }
    case "systemPrompt": {
      const systemPrompt = draft.trim();
      const isTooLong = systemPrompt.length > SYSTEM_PROMPT_MAX;
      return isTooLong ? broken("tooLong", SYSTEM_PROMPT_MAX) : { change: { systemPrompt } };
    }
  }
}

const isWhole = (draft: string, max: number) => /^\s*\d+\s*$/.test(draft) && Number(draft) >= 1 && Number(draft) <= max;

function broken(rule: DraftProblem["rule"], max = 0): { problem: DraftProblem } {
  return { problem: { rule, max } };
}

/** Returns the change that restores what is stored now. */
export function changeBack(name: FormSetting, settings: InstallationSettingsAnswer): ChangeSettings {
  const { source, value } = settings[name];
  return { [name]: source === "database" ? value : null };
}
