/** Settings of the installation that its owners change in the browser. Times are Unix times in ms. */

import * as z from "zod/mini";
import { nameText } from "../text/name-text.ts";
import { rule } from "../text/validation.ts";
import { wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";

/** In UTF-16 units. */
export const PRODUCT_NAME_MAX = 60;
/** In UTF-16 units. */
export const SYSTEM_PROMPT_MAX = 8000;
export const DAILY_REPLIES_MAX = 1_000_000;
export const TOOL_CALLS_MAX = 1_000_000;
/** In days. */
export const SHARE_DAYS_MAX = 3650;
export const REGISTRATION_DOMAINS_MAX = 100;
export const TRUSTED_NETWORKS_MAX = 100;
/** RFC 1035: the longest host name. */
const DOMAIN_MAX = 253;

/** Each setting, with the environment variable that fixes it. */
export const settingVariables = {
  productName: "PRODUCT_NAME",
  registration: "REGISTRATION",
  registrationDomains: "REGISTRATION_DOMAINS",
  trustedNetworks: "TRUSTED_NETWORKS",
  dailyReplies: "DAILY_REPLIES_PER_USER",
  toolCallsPerMinute: "TOOL_CALLS_PER_MINUTE",
  toolCallsPerDay: "TOOL_CALLS_PER_DAY",
  systemPrompt: "SYSTEM_PROMPT",
  releaseCheck: "RELEASES_CHECK",
  ownToolServers: "MCP_OWN_SERVERS",
  shareLinks: "SHARE_LINKS",
  shareDaysMax: "SHARE_DAYS_MAX",
} as const;

/** The widest audience of links to chats. `off`: links cannot be opened. `signed-in`: people with an account. */
export const shareReaches = ["off", "signed-in", "anyone"] as const;
export type ShareReach = (typeof shareReaches)[number];

export type SettingName = keyof typeof settingVariables;
export const settingNames = Object.keys(settingVariables) as SettingName[];

/**
 * `registrationDomains`: lower case; empty means any. `trustedNetworks`: addresses and ranges (CIDR) of the operator's
 * own networks, in which people share addresses. `systemPrompt`: empty means the built-in one. `dailyReplies`,
 * `toolCallsPerMinute`, `toolCallsPerDay`: of one account. `releaseCheck`: whether the server asks for newer versions.
 * `ownToolServers`: whether people may add MCP servers of their own. `shareDaysMax`: longest life of a link to a chat in
 * days; 0: without end. It shortens existing links too.
 */
export type InstallationValues = {
  readonly productName: string;
  readonly registration: "open" | "closed";
  readonly registrationDomains: readonly string[];
  readonly trustedNetworks: readonly string[];
  readonly dailyReplies: number;
  readonly toolCallsPerMinute: number;
  readonly toolCallsPerDay: number;
  readonly systemPrompt: string;
  readonly releaseCheck: "on" | "off";
  readonly ownToolServers: "on" | "off";
  readonly shareLinks: ShareReach;
  readonly shareDaysMax: number;
};

const LABEL = "[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?";
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`);

/** Whether a text is a domain of addresses, in lower case. */
export const isDomain = (text: string) => text.length <= DOMAIN_MAX && DOMAIN.test(text);

/** Returns domains in lower case, each once, without the `@` that people put before them. */
export function toDomains(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => wellFormed(word).trim().toLowerCase().replace(/^@/, "")))].filter(Boolean);
}

const BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`);
const IPV6_GROUP = /^[\da-f]{1,4}$/i;

/** Shorter prefixes contain more than any network of one operator: 10.0.0.0/8 and fc00::/7 are the largest private ones. */
const prefixes = { ipv4: { min: 8, max: 32 }, ipv6: { min: 7, max: 128 } };

/** Whether a text is an address or a range (CIDR) of IPv4 or IPv6 that can be the operator's own network. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const kind = IPV4.test(address) ? "ipv4" : isIpv6(address) ? "ipv6" : null;
  if (kind === null || rest.length > 0) return false;
  const { min, max } = prefixes[kind];
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= min && Number(bits) <= max);
}

/**
 * Whether a text is an IPv6 address in groups of hexadecimal digits. Not one that maps an IPv4 address: requests have
 * these in their IPv4 form, so that no such range would ever match.
 */
function isIpv6(text: string): boolean {
  const halves = text.split("::");
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const isFull = halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8;
  return isFull && groups.every((group) => IPV6_GROUP.test(group)) && !/^::ffff:/i.test(text);
}

/** Returns addresses and ranges in lower case, each once. */
export function toNetworks(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => wellFormed(word).trim().toLowerCase()))].filter(Boolean);
}

/**
 * Schemas of new values. Domains are checked by {@link isDomain} and networks by {@link isNetwork}: their rules have
 * sentences of their own.
 */
export const settingSchemas = {
  productName: nameText(PRODUCT_NAME_MAX),
  registration: z.enum(["open", "closed"]),
  registrationDomains: z
    .array(z.string().check(z.maxLength(1000)))
    .check(z.overwrite(toDomains), z.maxLength(REGISTRATION_DOMAINS_MAX)),
  trustedNetworks: z
    .array(z.string().check(z.maxLength(100)))
    .check(z.overwrite(toNetworks), z.maxLength(TRUSTED_NETWORKS_MAX)),
  dailyReplies: z.int().check(z.minimum(1), z.maximum(DAILY_REPLIES_MAX)),
  toolCallsPerMinute: z.int().check(z.minimum(1), z.maximum(TOOL_CALLS_MAX)),
  toolCallsPerDay: z.int().check(z.minimum(1), z.maximum(TOOL_CALLS_MAX)),
  systemPrompt: z
    .string()
    .check(
      z.overwrite(wellFormed),
      z.trim(),
      z.maxLength(SYSTEM_PROMPT_MAX, { error: rule("max", SYSTEM_PROMPT_MAX) }),
    ),
  releaseCheck: z.enum(["on", "off"]),
  ownToolServers: z.enum(["on", "off"]),
  shareLinks: z.enum(shareReaches),
  shareDaysMax: z.int().check(z.minimum(0), z.maximum(SHARE_DAYS_MAX)),
} as const;

const changed = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));

/** Settings to change; null resets one to its default. What is absent stays. */
export const changeSettingsSchema = z.object({
  productName: changed(settingSchemas.productName),
  registration: changed(settingSchemas.registration),
  registrationDomains: changed(settingSchemas.registrationDomains),
  trustedNetworks: changed(settingSchemas.trustedNetworks),
  dailyReplies: changed(settingSchemas.dailyReplies),
  toolCallsPerMinute: changed(settingSchemas.toolCallsPerMinute),
  toolCallsPerDay: changed(settingSchemas.toolCallsPerDay),
  systemPrompt: changed(settingSchemas.systemPrompt),
  releaseCheck: changed(settingSchemas.releaseCheck),
  ownToolServers: changed(settingSchemas.ownToolServers),
  shareLinks: changed(settingSchemas.shareLinks),
  shareDaysMax: changed(settingSchemas.shareDaysMax),
});
export type ChangeSettings = z.infer<typeof changeSettingsSchema>;

/** Where a value comes from. The environment is stronger than the database, and the database than the default. */
export const settingSources = ["environment", "database", "default"] as const;
export type SettingSource = (typeof settingSources)[number];

/** `changedAt`: only of values from the database. */
const stated = <T extends z.core.$ZodType>(value: T) =>
  z.object({ value, source: z.enum(settingSources), default: value, changedAt: z.optional(timeField()) });

export const installationSettingsSchema = z.object({
  productName: stated(z.string()),
  registration: stated(z.enum(["open", "closed"])),
  registrationDomains: stated(z.array(z.string())),
  trustedNetworks: stated(z.array(z.string())),
  dailyReplies: stated(z.int()),
  toolCallsPerMinute: stated(z.int()),
  toolCallsPerDay: stated(z.int()),
  systemPrompt: stated(z.string()),
  releaseCheck: stated(z.enum(["on", "off"])),
  ownToolServers: stated(z.enum(["on", "off"])),
  shareLinks: stated(z.enum(shareReaches)),
  shareDaysMax: stated(z.int()),
});
export type InstallationSettingsAnswer = z.infer<typeof installationSettingsSchema>;
