import type { Client, Entry } from "ldapts";
import { SECOND } from "#contract/limits.ts";
import type { LdapGroupLocation } from "../../config/accounts/ldap-variables.ts";
import type { LdapProvider } from "../sso/ldap-provider.ts";
import { openDirectorySocket } from "./directory-socket.ts";

/** For all that one sign-in asks of the directory. */
const TIMEOUT_MS = 10 * SECOND;
const GROUPS_MAX = 2000;

/** Result codes of a bind by which a directory refuses a person (RFC 4511, appendix A.2). */
const REFUSED_BIND = new Set([
  19, // constraintViolation: a policy has locked the entry
  32, // noSuchObject
  34, // invalidDNSyntax
  48, // inappropriateAuthentication: the entry has no password
  49, // invalidCredentials
  53, // unwillingToPerform: the entry is disabled
]);

export type BindCredentials = { username: string; password: string };

/** `groups`: undefined if no rule needs them. */
export type DirectoryPerson = { entry: Entry; groups: readonly string[] | undefined };

/**
 * Authenticates a person by binding as their entry, and reads it. Neither referrals nor aliases are followed.
 * @param credentials.password never empty: a directory accepts every name without a password, as anonymous
 * @returns null if the name or the password is wrong; `several` if the name has more than one entry
 * @throws Error if the directory cannot be used
 */
export async function authenticate(
  provider: LdapProvider,
  credentials: BindCredentials,
): Promise<DirectoryPerson | "several" | null> {
  const { Client } = await import("ldapts");
  const socket = await openDirectorySocket(provider.settings, AbortSignal.timeout(TIMEOUT_MS));
  const unused = [socket];
  try {
    await using client = new Client({
      // The connection exists already, with TLS.
      url: "ldap://connected",
      createConnection: () => {
        const connection = unused.pop();
        if (!connection) throw new Error("The connection to the directory was lost.");
        return connection;
      },
    });
    return await authenticateWith(client, provider, credentials);
  } finally {
    socket.destroy();
  }
}

async function authenticateWith(
  client: Client,
  provider: LdapProvider,
  { username, password }: BindCredentials,
): Promise<DirectoryPerson | "several" | null> {
  const { entry: location } = provider.settings;
  if ("userDn" in location) {
    const dn = fill(location.userDn, { username: await escapeForDn(username) });
    if (!(await bindsAs(client, dn, password))) return null;
    const [entry] = await search(client, provider, { base: dn, scope: "base", filter: "(objectClass=*)" });
    if (!entry) throw new Error("The person may not read their own entry.");
    return { entry, groups: await findGroups(client, provider, { entry, username }) };
  }
  await bindAsService(client, provider);
  const filter = fill(location.searchFilter, { username: await escapeForFilter(username) });
  const found = await search(client, provider, { base: location.searchBase, scope: "sub", filter });
  const [entry] = found;
  if (found.length > 1) return "several";
  if (!entry || !(await bindsAs(client, entry.dn, password))) return null;
  if (needsSearchOfGroups(provider)) await bindAsService(client, provider);
  return { entry, groups: await findGroups(client, provider, { entry, username }) };
}

/** Binds as a person. @returns whether the directory accepts the password */
async function bindsAs(client: Client, dn: string, password: string): Promise<boolean> {
  const { ResultCodeError } = await import("ldapts");
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (error instanceof ResultCodeError && REFUSED_BIND.has(error.code)) return false;
    throw error;
  }
}

async function bindAsService(client: Client, { settings, bindPassword }: LdapProvider): Promise<void> {
  const { entry } = settings;
  if (!("searchBase" in entry) || entry.bindDn === undefined || bindPassword === undefined) return;
  await client.bind(entry.bindDn, bindPassword);
}

type Search = { base: string; scope: "base" | "sub"; filter: string };

/** Reads the entries of persons, at most two: a name with two is refused. */
async function search(client: Client, { settings }: LdapProvider, { base, scope, filter }: Search): Promise<Entry[]> {
  const { idAttribute, emailAttribute, groups } = settings;
  const { searchEntries } = await client.search(base, {
    scope,
    filter,
    sizeLimit: 2,
    derefAliases: "never",
    // Operational attributes, such as the unique id, are returned by name only.
    attributes: [
      ...new Set([idAttribute, emailAttribute, "displayName", "cn", "givenName", "sn"]),
      ...("attribute" in groups ? [groups.attribute] : []),
    ],
    explicitBufferAttributes: [idAttribute],
  });
  return searchEntries;
}

const needsGroups = ({ groupRules, roleRules }: LdapProvider) => groupRules.length + roleRules.length > 0;

const needsSearchOfGroups = (provider: LdapProvider) => needsGroups(provider) && "base" in provider.settings.groups;

/** Returns the names of a person's groups. An entry without groups has none, as a directory leaves empty attributes out. */
async function findGroups(
  client: Client,
  provider: LdapProvider,
  { entry, username }: { entry: Entry; username: string },
): Promise<string[] | undefined> {
  if (!needsGroups(provider)) return undefined;
  const { groups } = provider.settings;
  if ("attribute" in groups) return attributeTextsOf(entry, groups.attribute).slice(0, GROUPS_MAX);
  return searchGroups(client, groups, { dn: entry.dn, username });
}

async function searchGroups(
  client: Client,
  { base, filter }: Extract<LdapGroupLocation, { base: string }>,
  { dn, username }: { dn: string; username: string },
): Promise<string[]> {
  const values = { dn: await escapeForFilter(dn), username: await escapeForFilter(username) };
  const { searchEntries } = await client.search(base, {
    scope: "sub",
    filter: fill(filter, values),
    sizeLimit: GROUPS_MAX,
    derefAliases: "never",
    // No attributes (RFC 4511, section 4.5.1.8): the name of the entry is enough.
    attributes: ["1.1"],
  });
  return searchEntries.map((entry) => entry.dn);
}

/** Replaces `{name}` by values that are escaped for where they stand. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (field, name: string) => values[name] ?? field);
}

/** RFC 4515. */
async function escapeForFilter(value: string): Promise<string> {
  const { Filter } = await import("ldapts");
  return Filter.escape(value);
}

/** RFC 4514. The value has no spaces at its ends, which the library would quote as older directories do. */
async function escapeForDn(value: string): Promise<string> {
  const { DN } = await import("ldapts");
  return new DN().addPairRDN("x", value).toString().slice("x=".length);
}

/** Returns the values of an attribute, whose name is not case-sensitive. */
export function attributeValuesOf(entry: Entry, attribute: string): (string | Buffer)[] {
  const name = Object.keys(entry).find((key) => key.toLowerCase() === attribute.toLowerCase());
  return name === undefined ? [] : [entry[name] ?? []].flat();
}

/** Returns the values of an attribute that are text. */
export function attributeTextsOf(entry: Entry, attribute: string): string[] {
  return attributeValuesOf(entry, attribute).flatMap((value) =>
    typeof value === "string" && value !== "" ? [value] : [],
  );
}
