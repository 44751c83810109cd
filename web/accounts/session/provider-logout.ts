/** Lazy module: a sign-out that goes on at the identity provider (OpenID Connect RP-Initiated Logout 1.0). */

import { providerLogoutSchema } from "#contract/accounts/single-sign-on.ts";
import { parseJson } from "../../api/api-error.ts";
import { leaveForUrl } from "./leave-for-url.ts";

/**
 * Opens the page of the provider that the answer to a sign-out names, if it names one.
 * @throws Error if its address could run a script
 */
export function openProviderLogout(answer: string): void {
  const { data } = providerLogoutSchema.safeParse(parseJson(answer));
  if (data) leaveForUrl(data.providerLogout);
}
