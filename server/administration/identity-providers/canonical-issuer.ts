import { isPrivateAddress } from "../../models/connections/discovery/server-name.ts";
import { canonicalBaseUrl } from "../../outbound/base-url.ts";

/** Path of the metadata (OpenID Connect Discovery 1.0, section 4), which people copy with the issuer. */
const METADATA = /\/\.well-known\/openid-configuration\/?$/;

/**
 * Returns an issuer in its stored form, with a last slash if it was entered: issuers are compared to the letter. Undefined
 * for an address that an owner cannot enter, for one with a query or a fragment, and for http outside of private networks.
 */
export function canonicalIssuer(entered: string): string | undefined {
  const issuer = entered.trim().replace(METADATA, "");
  const url = URL.parse(issuer);
  if (!url || canonicalBaseUrl(issuer) === undefined || /[?#]/.test(issuer)) return undefined;
  if (url.protocol === "http:" && !isPrivateAddress(url)) return undefined;
  return issuer;
}

/** Returns a key that issuers have in common which differ in their last slash or in the case of their host. */
export const comparedIssuerOf = (issuer: string): string => canonicalBaseUrl(issuer) ?? issuer;
