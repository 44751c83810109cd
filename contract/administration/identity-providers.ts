/** Identity providers with OpenID Connect, which owners manage. */

import * as z from "zod/mini";
import { IDENTITY_PROVIDERS_MAX, PROVIDER_NAME_MAX, providerSlugField } from "../accounts/identity-providers.ts";
import { accountRoles } from "../accounts/roles.ts";
import { nameText } from "../text/name-text.ts";
import { rule } from "../text/validation.ts";
import { looseText, wellFormed } from "../text/well-formed.ts";
import { chooseSlug } from "./choose-slug.ts";

const ISSUER_MAX = 1024;
const CLIENT_MAX = 512;
const SECRET_MAX = 4096;
const SCOPES_MAX = 500;
const CLAIM_MAX = 200;
const VALUE_MAX = 500;
/** Rules of one kind of a provider. */
export const PROVIDER_RULES_MAX = 100;
/** Rules of one kind in an answer: of the environment there may be more. */
export const ANSWERED_RULES_MAX = 1000;

/** Roles that a rule can give; owner is not among them. */
export const ruledRoles = accountRoles.filter((role) => role !== "owner");

/** Slugs of the providers that the environment sets; no other provider has them. */
export const reservedProviderSlugs = ["oidc", "ldap", "header"] as const;

/**
 * Returns the slug that a new provider gets, made of its name; the browser shows the provider's addresses by it before.
 * @param others slugs of the present providers
 */
export const chooseProviderSlug = (name: string, others: readonly string[]): string =>
  chooseSlug(name, { taken: [...reservedProviderSlugs, ...others], fallback: "sso" });

const invalid = { error: rule("invalid") };
const required = { error: rule("required") };

/** One line without blanks, such as an address or an id. */
const word = (max: number) =>
  z
    .string(invalid)
    .check(z.trim(), z.minLength(1, required), z.maxLength(max, invalid), z.regex(/^[^\s\p{Cc}]+$/u, invalid));
const line = (max: number) =>
  z
    .string(invalid)
    .check(
      z.overwrite(wellFormed),
      z.trim(),
      z.minLength(1, required),
      z.maxLength(max, invalid),
      z.regex(/^[^\p{Cc}]+$/u, invalid),
    );

const fields = {
  name: nameText(PROVIDER_NAME_MAX),
  /** Must equal the issuer in the provider's metadata, except for a last slash; never changed. */
  issuer: word(ISSUER_MAX),
  clientId: line(CLIENT_MAX),
  /** Null: a public client. */
  clientSecret: z.nullable(line(SECRET_MAX)),
  /** Separated by spaces (RFC 6749, section 3.3); `openid` among them. */
  scopes: line(SCOPES_MAX).check(
    z.regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: +[\x21\x23-\x5b\x5d-\x7e]+)*$/, invalid),
    z.refine((scopes) => scopes.split(" ").includes("openid"), invalid),
  ),
  /** Path of the claim with the groups of a person, with dots. */
  groupsClaim: line(CLAIM_MAX),
  /** The first rule whose value a person has decides; `*` matches everybody. */
  groupRules: z
    .array(z.object({ value: line(VALUE_MAX), groupId: looseText(64) }))
    .check(z.maxLength(PROVIDER_RULES_MAX, invalid)),
  roleRules: z
    .array(z.object({ value: line(VALUE_MAX), role: z.enum(ruledRoles) }))
    .check(z.maxLength(PROVIDER_RULES_MAX, invalid)),
  isEmailAuthoritative: z.boolean(),
  needsSecondFactor: z.boolean(),
  isEnabled: z.boolean(),
};

/** Settings of a provider for which none were entered. */
export const defaultProviderSettings = {
  scopes: "openid email profile",
  groupsClaim: "groups",
  groupRules: [],
  roleRules: [],
  isEmailAuthoritative: false,
  needsSecondFactor: false,
};

export const newIdentityProviderSchema = z.extend(z.partial(z.object(fields)), {
  name: fields.name,
  issuer: fields.issuer,
  clientId: fields.clientId,
});
export type NewIdentityProvider = z.infer<typeof newIdentityProviderSchema>;

/** Partial change. An absent secret stays. Another issuer is refused: identities belong to the issuer. */
export const changeIdentityProviderSchema = z.partial(z.object(fields));
export type IdentityProviderChange = z.infer<typeof changeIdentityProviderSchema>;

/** `id`: a slug of any form; a malformed one is answered with "not found", like an unknown one. */
export const administeredProviderParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });

export const administeredProviderSchema = z.object({
  slug: z.string(),
  name: z.string(),
  /** An `IdentityProviderKind`. */
  kind: z.string(),
  issuer: z.string(),
  /** Set by the environment: it cannot be changed in the browser. */
  isFixed: z.boolean(),
  isEnabled: z.boolean(),
  /** Identities of accounts that belong to its issuer. */
  identities: z.int(),
  isEmailAuthoritative: z.boolean(),
  needsSecondFactor: z.boolean(),
  /** Absent: it has no OpenID Connect. */
  client: z.optional(
    z.object({
      id: z.string(),
      /** The last characters of its secret; null: it has none. */
      secretEnd: z.nullable(z.string()),
      /** The server cannot decrypt the secret, which must be entered again. */
      isUnreadable: z.boolean(),
      scopes: z.string(),
      groupsClaim: z.string(),
      /** Address to register at the provider, where it returns the browser. */
      redirectAddress: z.string(),
      /** Address to register at the provider for back-channel logout. */
      logoutAddress: z.string(),
    }),
  ),
  /** Rules of the environment name groups, and have no id. */
  groupRules: z
    .array(z.object({ value: z.string(), groupId: z.optional(z.string()), group: z.optional(z.string()) }))
    .check(z.maxLength(ANSWERED_RULES_MAX)),
  roleRules: z.array(z.object({ value: z.string(), role: z.string() })).check(z.maxLength(ANSWERED_RULES_MAX)),
});
export type AdministeredProvider = z.infer<typeof administeredProviderSchema>;

/** Fixed providers first. `publicUrl`: address of this server, with which the addresses of providers begin. */
export const administeredProvidersSchema = z.object({
  publicUrl: z.string(),
  providers: z
    .array(administeredProviderSchema)
    .check(z.maxLength(IDENTITY_PROVIDERS_MAX + reservedProviderSlugs.length)),
});
export type AdministeredProviders = z.infer<typeof administeredProvidersSchema>;

/** Order of the stored providers by their slugs. Providers without an entry follow. */
export const providerOrderSchema = z.object({
  slugs: z.array(looseText(64)).check(z.maxLength(IDENTITY_PROVIDERS_MAX)),
});

/** `slug`: a provider of the list; `issuer`: of one that is not saved. */
export const identityProviderCheckRequestSchema = z.union([
  z.object({ slug: providerSlugField() }),
  z.object({ issuer: fields.issuer }),
]);
export type IdentityProviderCheckRequest = z.infer<typeof identityProviderCheckRequestSchema>;

/**
 * Why a test has failed. `unreachable`: see {@link providerFaults}. `not-found`: its answer has status 404.
 * `not-a-provider`: the answer is no metadata. `other-issuer`: the metadata have the issuer that `issuer` states.
 * `incomplete`: an endpoint is missing, or is at an address that the server does not request.
 * `failed`: another answer than 200 and 404, see `status`.
 */
export const providerCheckFailures = [
  ...(["unreachable", "not-found", "not-a-provider", "other-issuer", "incomplete", "failed"] as const),
] as const;

/** Why a provider is unreachable: as those of search engines. */
export const providerFaults = [
  ...(["name", "refused", "certificate", "proxy", "broken-off", "not-public", "redirect", "slow"] as const),
] as const;
export type ProviderFault = (typeof providerFaults)[number];

/**
 * What a provider publishes about itself. `issuer`: as it writes it. `pkce`: whether it states S256 (RFC 7636); many
 * support it without. `missingScopes`: scopes of the settings that its list lacks; empty without a list. `code`: one of
 * {@link providerCheckFailures}; `reason`: of `unreachable`; a newer server may send others. `isOwnContainer`: it is a
 * loopback address, and the server runs in a container.
 */
export const identityProviderCheckSchema = z.union([
  z.object({
    ok: z.literal(true),
    issuer: z.string(),
    authorizationHost: z.string(),
    tokenHost: z.string(),
    pkce: z.enum(["stated", "unstated", "refused"]),
    hasBackChannelLogout: z.boolean(),
    hasEndSession: z.boolean(),
    missingScopes: z.array(z.string()).check(z.maxLength(SCOPES_MAX)),
  }),
  z.object({
    ok: z.literal(false),
    code: z.string(),
    reason: z.optional(z.string()),
    status: z.optional(z.int()),
    issuer: z.optional(z.string()),
    host: z.string(),
    isOwnContainer: z.optional(z.literal(true)),
  }),
]);
export type IdentityProviderCheck = z.infer<typeof identityProviderCheckSchema>;
