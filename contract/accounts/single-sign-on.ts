/**
 * Sign-in by the identity provider of an organisation: OpenID Connect, a directory (LDAP), or a header of a trusted proxy.
 * Times are Unix times in ms.
 */

import * as z from "zod/mini";
import { EMAIL_MAX } from "../limits.ts";
import { rule } from "../text/validation.ts";
import { timeField } from "../times.ts";
import { invitationKeyField, presentPasswordField, workField } from "./accounts.ts";
import { identityProviderKinds, providerSlugField } from "./identity-providers.ts";

const CODE_MAX = 8192;
const STATE_MAX = 128;
const ISSUER_MAX = 1024;

/** The state is valid once, in the browser that began the attempt, for ten minutes. */
export const ssoPurposes = ["sign-in", "connect", "prove"] as const;
export type SsoPurpose = (typeof ssoPurposes)[number];

/** Begins an attempt by OpenID Connect. `connect` and `prove` require a session. */
export const beginSsoSchema = z.object({ provider: providerSlugField(), purpose: z.enum(ssoPurposes) });
export type BeginSso = z.infer<typeof beginSsoSchema>;
/** `url`: of the provider, where the browser goes next. `state`: with which it returns. */
export const ssoAttemptSchema = z.object({ url: z.string(), state: z.string() });
export type SsoAttempt = z.infer<typeof ssoAttemptSchema>;

/** Parameters with which a provider sends the browser to `/sso/PROVIDER` (RFC 6749 and 9207). */
export const ssoAnswerSchema = z.object({
  provider: providerSlugField(),
  code: z.string().check(z.minLength(1), z.maxLength(CODE_MAX)),
  state: z.string().check(z.minLength(1), z.maxLength(STATE_MAX)),
  iss: z.optional(z.string().check(z.maxLength(ISSUER_MAX))),
});
export type SsoAnswer = z.infer<typeof ssoAnswerSchema>;

/** `invitation` admits a new account; one that exists signs in without it. */
export const ssoSignInSchema = z.object({ sso: ssoAnswerSchema, invitation: z.optional(invitationKeyField()) });

/** `work`: as for the password of an account. */
const directoryFields = {
  provider: providerSlugField(),
  username: z
    .string({ error: rule("required") })
    .check(z.minLength(1, { error: rule("required") }), z.maxLength(EMAIL_MAX, { error: rule("max", EMAIL_MAX) })),
  password: presentPasswordField(),
  work: workField(),
};
/** Name and password of a directory. */
export const directoryCredentialsSchema = z.object(directoryFields);
export type DirectoryCredentials = z.infer<typeof directoryCredentialsSchema>;

/** Sign-in with the name and password of a directory. */
export const directorySignInSchema = z.object({ ...directoryFields, invitation: z.optional(invitationKeyField()) });
export type DirectorySignIn = z.infer<typeof directorySignInSchema>;

/** Sign-in by the header that a trusted proxy sets. */
export const headerSignInSchema = z.object({ invitation: z.optional(invitationKeyField()) });

/** Connects an identity: of a provider's answer, of a directory, or the one that a trusted proxy names in its header. */
export const connectIdentitySchema = z.union([
  z.object({ sso: ssoAnswerSchema }),
  z.object({ directory: directoryCredentialsSchema }),
  z.object({ header: z.literal(true) }),
]);
export type ConnectIdentity = z.infer<typeof connectIdentitySchema>;

/** An identity of an account at a provider. */
export const connectedIdentitySchema = z.object({
  id: z.string(),
  /** Name of the provider; its issuer if it is no longer set up. */
  provider: z.string(),
  /** The provider; absent if it is no longer set up. */
  slug: z.optional(z.string()),
  kind: z.optional(z.enum(identityProviderKinds)),
  /** What the provider calls the person, such as an address or a name. */
  label: z.string(),
  createdAt: timeField(),
  lastUsedAt: z.nullable(timeField()),
  /** A restored backup brought it back since its last use. */
  isRestored: z.optional(z.boolean()),
});
export type ConnectedIdentity = z.infer<typeof connectedIdentitySchema>;
/** Identities of one account. */
export const IDENTITIES_MAX = 20;
export const connectedIdentitiesSchema = z.array(connectedIdentitySchema).check(z.maxLength(IDENTITIES_MAX));
export const identityParamsSchema = z.object({ id: z.string().check(z.maxLength(64)) });

/** Answer to a sign-out of a session that a provider began: the page goes there to sign out of the provider too. */
export const providerLogoutSchema = z.object({ providerLogout: z.string() });

/** Form of OpenID Connect Back-Channel Logout 1.0, section 2.5. */
export const backChannelLogoutSchema = z.object({
  logout_token: z.string().check(z.minLength(1), z.maxLength(16_384)),
});
export const loggedOutSchema = z.object({});
export const identityProviderParamsSchema = z.object({ provider: providerSlugField() });
