import type { TrustedHeaderSettings } from "../../config/accounts/header-variables.ts";
import type { IdentityProvider } from "./confirmed-identity.ts";
import { rulesOf } from "./environment-rules.ts";

/** A proxy that authenticates people as an identity provider. */
export type HeaderProvider = IdentityProvider & Readonly<{ kind: "header"; settings: TrustedHeaderSettings }>;

const HEADER_SLUG = "header";

/** Returns the sign-in by header that the environment sets. */
export function headerProviderOf(settings: TrustedHeaderSettings): HeaderProvider {
  const { name, header, isEmailAuthoritative } = settings;
  return {
    kind: "header",
    slug: HEADER_SLUG,
    name,
    issuer: `header:${header}`,
    ...rulesOf(settings),
    isEmailAuthoritative,
    needsSecondFactor: false,
    settings,
  };
}
