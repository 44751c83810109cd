import type { LdapEntryLocation, LdapSettings } from "../../config/accounts/ldap-variables.ts";
import type { IdentityProvider } from "./confirmed-identity.ts";
import { rulesOf } from "./environment-rules.ts";

/** A directory (LDAP) as an identity provider. */
export type LdapProvider = IdentityProvider &
  Readonly<{
    kind: "ldap";
    settings: LdapSettings;
    /** Password of the service account that searches; absent: the search is anonymous. */
    bindPassword?: string;
  }>;

const LDAP_SLUG = "ldap";

/** Returns the directory that the environment sets. */
export function ldapProviderOf(settings: LdapSettings, bindPassword: string | undefined): LdapProvider {
  const { name, isEmailAuthoritative, needsSecondFactor } = settings;
  return {
    kind: "ldap",
    slug: LDAP_SLUG,
    name,
    issuer: issuerOf(settings),
    ...rulesOf(settings),
    isEmailAuthoritative,
    needsSecondFactor,
    settings,
    ...(bindPassword !== undefined && { bindPassword }),
  };
}

/**
 * Returns the issuer of a directory's identities, such as `ldap:dc=example,dc=org?entryuuid`. Its host changes with
 * replicas and with TLS, and the units below its suffix are reorganised: the suffix stays. Ids of another attribute are
 * identities of another issuer, because both may have the same value for different people.
 */
function issuerOf({ entry, idAttribute }: LdapSettings): string {
  const names = baseOf(entry)
    .split(",")
    .map((name) => name.trim().toLowerCase());
  const first = names.findIndex((_name, index) => names.slice(index).every((name) => name.startsWith("dc=")));
  const suffix = (first === -1 ? names.slice(-1) : names.slice(first)).join(",");
  return `ldap:${suffix}?${idAttribute.toLowerCase()}`;
}

function baseOf(entry: LdapEntryLocation): string {
  return "userDn" in entry ? entry.userDn : entry.searchBase;
}
