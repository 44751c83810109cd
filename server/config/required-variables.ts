import { headerProblems } from "./accounts/header-variables.ts";
import { ldapProblems } from "./accounts/ldap-variables.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that another one needs. */
const needs: readonly (readonly [variable: string, needed: string])[] = [
  ["GOOGLE_JWKS_URL", "GOOGLE_CLIENT_ID"],
  ["GOOGLE_HOSTED_DOMAIN", "GOOGLE_CLIENT_ID"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  ["OIDC_CLIENT_ID", "OIDC_ISSUER"],
  ["OIDC_CLIENT_SECRET", "OIDC_ISSUER"],
  ["OIDC_NAME", "OIDC_ISSUER"],
  ["OIDC_SCOPES", "OIDC_ISSUER"],
  ["OIDC_GROUPS_CLAIM", "OIDC_GROUPS"],
  ["OIDC_GROUPS", "OIDC_ISSUER"],
  ["OIDC_ROLES", "OIDC_ISSUER"],
  ["OIDC_EMAIL_AUTHORITATIVE", "OIDC_ISSUER"],
  ["OIDC_SECOND_FACTOR", "OIDC_ISSUER"],
  ["LDAP_NAME", "LDAP_URL"],
  ["LDAP_STARTTLS", "LDAP_URL"],
  ["LDAP_USER_DN", "LDAP_URL"],
  ["LDAP_SEARCH_BASE", "LDAP_URL"],
  ["LDAP_SEARCH_FILTER", "LDAP_SEARCH_BASE"],
  ["LDAP_BIND_DN", "LDAP_SEARCH_BASE"],
  ["LDAP_BIND_DN", "LDAP_BIND_PASSWORD"],
  ["LDAP_BIND_PASSWORD", "LDAP_BIND_DN"],
  ["LDAP_ID_ATTRIBUTE", "LDAP_URL"],
  ["LDAP_EMAIL_ATTRIBUTE", "LDAP_URL"],
  ["LDAP_GROUP_ATTRIBUTE", "LDAP_URL"],
  ["LDAP_GROUP_BASE", "LDAP_URL"],
  ["LDAP_GROUP_FILTER", "LDAP_GROUP_BASE"],
  ["LDAP_GROUPS", "LDAP_URL"],
  ["LDAP_ROLES", "LDAP_URL"],
  ["LDAP_EMAIL_AUTHORITATIVE", "LDAP_URL"],
  ["LDAP_SECOND_FACTOR", "LDAP_URL"],
  ["TRUSTED_HEADER_EMAIL", "TRUSTED_HEADER"],
  ["TRUSTED_HEADER_NAME", "TRUSTED_HEADER"],
  ["TRUSTED_HEADER_GROUPS", "TRUSTED_HEADER"],
  ["TRUSTED_HEADER_LABEL", "TRUSTED_HEADER"],
  ["TRUSTED_HEADER_GROUP_RULES", "TRUSTED_HEADER_GROUPS"],
  ["TRUSTED_HEADER_ROLE_RULES", "TRUSTED_HEADER_GROUPS"],
  ["TRUSTED_HEADER_EMAIL_AUTHORITATIVE", "TRUSTED_HEADER_EMAIL"],
  ["FILES_URL", "FILES_ACCESS_KEY_ID"],
  ["FILES_URL", "FILES_SECRET_ACCESS_KEY"],
  ["METRICS_HOST", "METRICS_PORT"],
];

const searchNeeds: Readonly<Record<string, string>> = {
  searxng: "SEARCH_URL",
  brave: "SEARCH_KEY",
  tavily: "SEARCH_KEY",
};

const neededByRedis = { SECRET_KEY: "the same for all servers", DATABASE_URL: "a PostgreSQL that all servers share" };

/**
 * Returns the problems of variables that are missing beside others.
 * @param values those that are valid
 * @param env all that are set: an invalid one is a problem of its own and not missing
 */
export function missingWith(values: Variables, env: Variables): string[] {
  const isSet = (name: string) => Boolean(env[name]?.trim() || env[`${name}_FILE`]?.trim());
  const missing = needs.filter(([variable, needed]) => values[variable] && !isSet(needed));
  const missingForRedis = Object.entries(neededByRedis).filter(([name]) => values.REDIS_URL && !isSet(name));
  const { SEARCH_ENGINE: engine = "", SEARCH_KEY: searchKey } = values;
  const neededBySearch = searchNeeds[engine];
  const hasEngine = isSet("SEARCH_ENGINE") || isSet("SEARCH_URL");
  return [
    ...(neededBySearch && !isSet(neededBySearch) ? [`${neededBySearch} is required with SEARCH_ENGINE=${engine}`] : []),
    ...(searchKey && !hasEngine ? ["SEARCH_ENGINE or SEARCH_URL is required with SEARCH_KEY"] : []),
    ...missing.map(([variable, needed]) => `${needed} is required with ${variable}`),
    ...ldapProblems(values, isSet),
    ...headerProblems(values),
    ...missingForRedis.map(([name, what]) => `${name} is required with REDIS_URL: ${what}`),
  ];
}
