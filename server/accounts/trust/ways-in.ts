import type { Queryable, UserRow } from "../../database/schema.ts";
import type { AccountContext } from "../accounts.ts";
import { listIdentities } from "../external-identity-store.ts";
import { hasPasskey } from "../webauthn/has-passkey.ts";

/** Returns whether the owner of an account can sign in without a mail or an administrator. */
export async function hasWayIn(
  accounts: Pick<AccountContext, "config" | "identityProviders">,
  db: Queryable,
  user: Pick<UserRow, "id" | "password_hash" | "google_subject">,
): Promise<boolean> {
  if (user.google_subject !== null) return true;
  const issuers = new Set((await accounts.identityProviders.list(db)).map(({ issuer }) => issuer));
  // Identities of providers that are no longer set up wait for them.
  if ((await listIdentities(db, user.id)).some(({ issuer }) => issuers.has(issuer))) return true;
  if (accounts.config.isSsoOnly) return false;
  return user.password_hash !== null || hasPasskey(accounts, db, user.id);
}
