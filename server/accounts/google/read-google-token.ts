import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import type { AccountContext, Accounts } from "../accounts.ts";
import { hashOf, insertUsedNonce } from "../sessions/nonce-store.ts";
import { NONCE_LIFE_MS } from "./google-nonces.ts";
import type { GoogleProfile } from "./google-tokens.ts";

/** An id_token from a request. `nonceCookie`: the browser's cookie, which must contain the token's nonce. */
export type PostedToken = { idToken: string; client: Client; nonceCookie: string | undefined };

/**
 * Validates a Google token for sign-in, re-authentication and connection. A token with a nonce is valid once.
 * @throws Failure `bad-google-token`, `google-domain`, `google-unavailable`, `too-many-requests`; `not-found` if Google
 * is not configured
 */
export async function readGoogleToken(
  accounts: AccountContext,
  { idToken, client, nonceCookie }: PostedToken,
): Promise<GoogleProfile> {
  const { google, limits } = accounts;
  if (!google) throw new Failure("not-found");
  // Checking a signature costs less than a request: wrong tokens of one person never refuse a right one.
  const codes = ["bad-google-token"] as const;
  const profile = await limits.countWrong({ name: "google", client, codes }, () =>
    checkToken(accounts, google, { idToken, client, nonceCookie }),
  );
  // A program can use a token several times.
  await limits.take("account-sign-in", `google ${profile.subject}`);
  return profile;
}

async function checkToken(
  accounts: AccountContext,
  google: NonNullable<Accounts["google"]>,
  { idToken, client, nonceCookie }: PostedToken,
): Promise<GoogleProfile> {
  const { clock } = accounts;
  const profile = await google.tokens.read(idToken, clock.now());
  if (client.isBrowser && !google.nonces.isOfBrowser(profile.nonce ?? "", nonceCookie, clock.now())) {
    throw new Failure("bad-google-token");
  }
  await spendNonce(accounts, profile);
  return profile;
}

async function spendNonce({ database, clock }: AccountContext, { nonce, expiresAt }: GoogleProfile): Promise<void> {
  if (nonce === undefined) return;
  const forgetAt = Math.max(expiresAt, clock.now() + NONCE_LIFE_MS);
  if (!(await insertUsedNonce(database, hashOf(nonce), forgetAt))) throw new Failure("bad-google-token");
}
