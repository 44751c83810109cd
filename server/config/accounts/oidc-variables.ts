import * as z from "zod/mini";
import { PROVIDER_NAME_MAX } from "#contract/accounts/identity-providers.ts";
import { oneOf, plainUrl, text } from "../variable-schemas.ts";
import { groupRules, type MappingRule, readMappingRules, roleRules } from "./mapping-rules.ts";

/** An identity provider with OpenID Connect, as the environment sets it. Its client secret is a secret. */
export type OidcSettings = Readonly<{
  issuer: string;
  clientId: string;
  name: string;
  scopes: string;
  /** Path of the claim with the groups of a person, with dots. */
  groupsClaim: string;
  groupRules: readonly MappingRule[];
  roleRules: readonly MappingRule[];
  /** Whether a verified address of this issuer proves who owns the account with it. */
  isEmailAuthoritative: boolean;
  /** Whether people who sign in by it show their second factor too. */
  needsSecondFactor: boolean;
}>;

export const providerName = text.check(
  z.maxLength(PROVIDER_NAME_MAX, { error: `must be at most ${PROVIDER_NAME_MAX} characters long` }),
);

export const oidcVariables = {
  OIDC_ISSUER: plainUrl,
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  OIDC_NAME: providerName,
  OIDC_SCOPES: text,
  OIDC_GROUPS_CLAIM: text,
  OIDC_GROUPS: groupRules,
  OIDC_ROLES: roleRules,
  OIDC_EMAIL_AUTHORITATIVE: oneOf("true", "false"),
  OIDC_SECOND_FACTOR: oneOf("true", "false"),
  OIDC_ONLY: oneOf("true", "false"),
} as const;

type OidcValues = Readonly<Record<keyof typeof oidcVariables, string | undefined>>;

/** Returns the provider of the environment; undefined without one. */
export function oidcSettingsOf(values: OidcValues): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = values;
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    name: values.OIDC_NAME ?? new URL(issuer).hostname,
    scopes: values.OIDC_SCOPES ?? "openid email profile",
    groupsClaim: values.OIDC_GROUPS_CLAIM ?? "groups",
    groupRules: readMappingRules(values.OIDC_GROUPS ?? "") ?? [],
    roleRules: readMappingRules(values.OIDC_ROLES ?? "") ?? [],
    isEmailAuthoritative: values.OIDC_EMAIL_AUTHORITATIVE === "true",
    needsSecondFactor: values.OIDC_SECOND_FACTOR === "true",
  };
}
