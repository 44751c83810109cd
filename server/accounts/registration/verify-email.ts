import type { EmailKeyRow, Queryable, UserRow } from "../../database/schema.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { networkOf } from "../../limits/networks.ts";
import {
  deletePendingByEmail,
  findUser,
  holdEmailClaims,
  holdUser,
  isToBeGone,
  markVerified,
} from "../account-store.ts";
import type { Accounts } from "../accounts.ts";
import { completeInvitation } from "../invitations/spend-invitation.ts";
import { findEmailKey, takeEmailKey } from "../mailed-keys/email-key-store.ts";
import { hashMailedKey } from "../mailed-keys/mailed-keys.ts";
import { makeFirstOwner } from "../roles/owners.ts";
import { beginSession, type FreshSession } from "../sessions/begin-session.ts";
import { confirmPassword, isOwnKey } from "../trust/confirmed-password.ts";

/** `confirm-password` asks the owner of a verified account whether a sign-in with its password was theirs. */
const PURPOSES = ["verify-email", "confirm-password"] as const;

/**
 * Uses a mailed key up, verifies its account and signs in. Removes other pending accounts with the address. {@link
 * isOwnKey} decides whether the registered password counts as the owner's.
 * @throws Failure `bad-key`, the same for an invalid, used, replaced or expired one; `too-many-requests`
 */
export async function verifyEmail(accounts: Accounts, key: string, client: Client): Promise<FreshSession> {
  const { database, clock, limits } = accounts;
  await limits.take("key-try", networkOf(client.ip));
  const hash = hashMailedKey(key);
  const now = clock.now();
  const verify = database.transaction().execute(async (db): Promise<FreshSession | undefined> => {
    const found = await findEmailKey(db, PURPOSES, hash, now);
    const claimant = found && (await findUser(db, found.user_id));
    if (!claimant || isToBeGone(claimant, now)) return undefined;
    await holdEmailClaims(db, claimant.email_key);
    const taken = await takeEmailKey(db, PURPOSES, hash, now);
    const user = taken && (await spendKey(accounts, db, { taken, client, now }));
    if (!user) return undefined;
    const fresh = await beginSession(accounts, db, user, { client, method: "mail" });
    return { ...fresh, isOtherBrowser: !isOwnKey(client, taken.device) };
  });
  const verified = await verify.catch((error: unknown) => {
    // The address was verified for another account after the mail was sent.
    if (isUniqueViolation(error)) return undefined;
    throw error;
  });
  if (!verified) throw new Failure("bad-key");
  return verified;
}

type SpentKey = { taken: EmailKeyRow; client: Client; now: number };

async function spendKey(
  { config, securityLog }: Accounts,
  db: Queryable,
  { taken, client, now }: SpentKey,
): Promise<UserRow | undefined> {
  const isOwn = isOwnKey(client, taken.device);
  if (taken.purpose === "confirm-password") {
    const held = await holdUser(db, taken.user_id);
    return held && isOwn ? confirmPassword(db, held) : held;
  }
  const user = await markVerified(db, taken.user_id, now, isOwn);
  if (!user) return undefined;
  await deletePendingByEmail(db, user.email_key);
  await securityLog.record(db, "verified", user.id, client);
  return completeInvitation(db, await makeFirstOwner({ config, client, now }, db, user), now);
}
