import {
  type InstallationValues,
  isNetwork,
  type settingVariables,
  shareReaches,
  toDomains,
  toNetworks,
} from "#contract/administration/installation.ts";

type Variable = (typeof settingVariables)[keyof typeof settingVariables];

const networksIn = (value: string) => toNetworks(value.split(/[\s,]+/));

/** Returns whether a value of TRUSTED_NETWORKS is valid. */
export const areNetworks = (value: string): boolean => networksIn(value).every(isNetwork);

/** Returns the settings of the installation that variables set; owners cannot change these. */
export function fixedSettingsOf(values: Readonly<Record<Variable, string | undefined>>): Partial<InstallationValues> {
  const { PRODUCT_NAME, REGISTRATION, REGISTRATION_DOMAINS, TRUSTED_NETWORKS } = values;
  const { DAILY_REPLIES_PER_USER, TOOL_CALLS_PER_MINUTE, TOOL_CALLS_PER_DAY, SYSTEM_PROMPT, RELEASES_CHECK } = values;
  const { MCP_OWN_SERVERS, SHARE_LINKS, SHARE_DAYS_MAX } = values;
  const shareLinks = shareReaches.find((reach) => reach === SHARE_LINKS);
  return {
    ...(PRODUCT_NAME && { productName: PRODUCT_NAME }),
    ...(REGISTRATION && { registration: REGISTRATION === "closed" ? "closed" : "open" }),
    ...(REGISTRATION_DOMAINS && { registrationDomains: toDomains(REGISTRATION_DOMAINS.split(/[\s,]+/)) }),
    ...(TRUSTED_NETWORKS && { trustedNetworks: networksIn(TRUSTED_NETWORKS) }),
    ...(DAILY_REPLIES_PER_USER && { dailyReplies: Number(DAILY_REPLIES_PER_USER) }),
    ...(TOOL_CALLS_PER_MINUTE && { toolCallsPerMinute: Number(TOOL_CALLS_PER_MINUTE) }),
    ...(TOOL_CALLS_PER_DAY && { toolCallsPerDay: Number(TOOL_CALLS_PER_DAY) }),
    ...(SYSTEM_PROMPT && { systemPrompt: SYSTEM_PROMPT }),
    ...(RELEASES_CHECK && { releaseCheck: RELEASES_CHECK === "on" ? "on" : "off" }),
    ...(MCP_OWN_SERVERS && { ownToolServers: MCP_OWN_SERVERS === "on" ? "on" : "off" }),
    ...(shareLinks && { shareLinks }),
    ...(SHARE_DAYS_MAX && { shareDaysMax: Number(SHARE_DAYS_MAX) }),
  };
}
