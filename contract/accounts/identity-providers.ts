/** Identity providers of an installation, by which people sign in. */

import * as z from "zod/mini";

export const identityProviderKinds = ["oidc", "ldap", "header"] as const;
export type IdentityProviderKind = (typeof identityProviderKinds)[number];

/** Characters of a provider's name, which its button shows. */
export const PROVIDER_NAME_MAX = 60;
/** Identity providers of an installation. */
export const IDENTITY_PROVIDERS_MAX = 20;

const SLUG_MAX = 40;
export const providerSlugField = () => z.string().check(z.maxLength(SLUG_MAX), z.regex(/^[a-z0-9-]+$/));

/** Providers that the sign-in page offers. */
export const offeredProvidersSchema = z
  .array(z.object({ slug: z.string(), name: z.string(), kind: z.enum(identityProviderKinds) }))
  .check(z.maxLength(IDENTITY_PROVIDERS_MAX));
export type OfferedProvider = z.infer<typeof offeredProvidersSchema>[number];
