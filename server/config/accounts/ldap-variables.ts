import * as z from "zod/mini";
import { isLoopbackUrl } from "../loopback.ts";
import { oneOf, text } from "../variable-schemas.ts";
import { groupRules, type MappingRule, readMappingRules, roleRules } from "./mapping-rules.ts";
import { providerName } from "./oidc-variables.ts";

/** Where the entry of a person is: at a name made from the username, or found by a search. */
export type LdapEntryLocation =
  | Readonly<{ userDn: string }>
  | Readonly<{ searchBase: string; searchFilter: string /** Absent: the search is anonymous. */; bindDn?: string }>;

/** Where the groups of a person are: in an attribute of the entry, or found by a search. */
export type LdapGroupLocation = Readonly<{ attribute: string }> | Readonly<{ base: string; filter: string }>;

/** A directory, as the environment sets it. The password of its service account is a secret. */
export type LdapSettings = Readonly<{
  url: string;
  name: string;
  /** Whether an `ldap:` connection changes to TLS before anything else is sent. */
  usesStartTls: boolean;
  entry: LdapEntryLocation;
  /** Attribute with the unique id of an entry, which is never given to another. */
  idAttribute: string;
  emailAttribute: string;
  groups: LdapGroupLocation;
  groupRules: readonly MappingRule[];
  roleRules: readonly MappingRule[];
  /** Whether an address of the directory proves who owns the account with it. */
  isEmailAuthoritative: boolean;
  needsSecondFactor: boolean;
}>;

const ldapUrl = z.string().check(
  z.refine(isLdapUrl, {
    error: "must be a URL with ldap or ldaps of a host alone, such as ldaps://ldap.example.org",
  }),
);

function isLdapUrl(value: string): boolean {
  const url = URL.parse(value);
  return (
    /^ldaps?:$/.test(url?.protocol ?? "") &&
    url?.hostname !== "" &&
    url?.href === `${url?.protocol}//${url?.host}${url?.pathname}` &&
    /^\/?$/.test(url.pathname)
  );
}

const attribute = z.string().check(z.regex(/^[a-z][a-z\d-]*$/i, { error: "must be the name of an attribute" }));

const userDn = z.string().check(
  z.regex(/^[^=,{}]+=\{username\}/, {
    error: "must be a name with {username} as its first value, such as uid={username},ou=people,dc=example,dc=org",
  }),
);

/** A filter that contains one of some fields. */
const filterWith = (...fields: string[]) =>
  z.string().check(
    z.refine((value) => /^\(.+\)$/.test(value) && fields.some((field) => value.includes(field)), {
      error: `must be a filter in brackets with ${fields.join(" or ")}`,
    }),
  );

export const ldapVariables = {
  LDAP_URL: ldapUrl,
  LDAP_NAME: providerName,
  LDAP_STARTTLS: oneOf("true", "false"),
  LDAP_USER_DN: userDn,
  LDAP_SEARCH_BASE: text,
  LDAP_SEARCH_FILTER: filterWith("{username}"),
  LDAP_BIND_DN: text,
  LDAP_BIND_PASSWORD: text,
  LDAP_ID_ATTRIBUTE: attribute,
  LDAP_EMAIL_ATTRIBUTE: attribute,
  LDAP_GROUP_ATTRIBUTE: attribute,
  LDAP_GROUP_BASE: text,
  LDAP_GROUP_FILTER: filterWith("{dn}", "{username}"),
  LDAP_GROUPS: groupRules,
  LDAP_ROLES: roleRules,
  LDAP_EMAIL_AUTHORITATIVE: oneOf("true", "false"),
  LDAP_SECOND_FACTOR: oneOf("true", "false"),
} as const;

type LdapValues = Readonly<Partial<Record<keyof typeof ldapVariables, string | undefined>>>;

/** Returns the directory of the environment; undefined without one. */
export function ldapSettingsOf(values: LdapValues): LdapSettings | undefined {
  const { LDAP_URL: url } = values;
  const entry = entryOf(values);
  if (url === undefined || entry === undefined) return undefined;
  return {
    url,
    name: values.LDAP_NAME ?? new URL(url).hostname,
    usesStartTls: values.LDAP_STARTTLS === "true",
    entry,
    idAttribute: values.LDAP_ID_ATTRIBUTE ?? "entryUUID",
    emailAttribute: values.LDAP_EMAIL_ATTRIBUTE ?? "mail",
    groups: groupsOf(values),
    groupRules: readMappingRules(values.LDAP_GROUPS ?? "") ?? [],
    roleRules: readMappingRules(values.LDAP_ROLES ?? "") ?? [],
    isEmailAuthoritative: values.LDAP_EMAIL_AUTHORITATIVE === "true",
    needsSecondFactor: values.LDAP_SECOND_FACTOR === "true",
  };
}

function entryOf(values: LdapValues): LdapEntryLocation | undefined {
  const { LDAP_USER_DN: ofPerson, LDAP_SEARCH_BASE: searchBase, LDAP_BIND_DN: bindDn } = values;
  if (ofPerson !== undefined) return { userDn: ofPerson };
  if (searchBase === undefined) return undefined;
  const searchFilter = values.LDAP_SEARCH_FILTER ?? "(uid={username})";
  return { searchBase, searchFilter, ...(bindDn !== undefined && { bindDn }) };
}

function groupsOf(values: LdapValues): LdapGroupLocation {
  const { LDAP_GROUP_BASE: base, LDAP_GROUP_FILTER: filter = "(member={dn})" } = values;
  return base === undefined ? { attribute: values.LDAP_GROUP_ATTRIBUTE ?? "memberOf" } : { base, filter };
}

/**
 * Returns the problems of variables of a directory that contradict each other. Without TLS every password could be read
 * on its way to another machine.
 * @param isSet whether a variable has a value, perhaps an invalid one
 */
export function ldapProblems(values: LdapValues, isSet: (name: string) => boolean): string[] {
  const { LDAP_URL: url, LDAP_STARTTLS: startTls } = values;
  if (url === undefined) return [];
  const isPlain = url.startsWith("ldap:") && startTls !== "true";
  const [hasTemplate, hasSearch] = [isSet("LDAP_USER_DN"), isSet("LDAP_SEARCH_BASE")];
  return [
    isPlain && !isLoopbackUrl(url)
      ? "LDAP_URL must be ldaps:, or needs LDAP_STARTTLS=true: passwords would be sent without encryption"
      : "",
    url.startsWith("ldaps:") && startTls === "true" ? "LDAP_STARTTLS is for ldap: only; ldaps: has TLS already" : "",
    hasTemplate || hasSearch ? "" : "LDAP_USER_DN or LDAP_SEARCH_BASE is required with LDAP_URL",
    hasTemplate && hasSearch ? "LDAP_USER_DN and LDAP_SEARCH_BASE are both set: set only one of them" : "",
  ].filter(Boolean);
}
