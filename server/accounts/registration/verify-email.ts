import type { EmailKeyRow, Queryable, UserRow } from "../../database/schema.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import {
  deletePendingByEmail,
  findUser,
  holdEmailClaims,
  holdUser,
  isToBeGone,
  markVerified,
} from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { deleteIdentities } from "../external-identity-store.ts";
import { completeInvitation } from "../invitations/spend-invitation.ts";
import { countWrongKeys } from "../mailed-keys/count-wrong-keys.ts";
import { findEmailKey, noteVerified, takeEmailKey } from "../mailed-keys/email-key-store.ts";
import { hashMailedKey } from "../mailed-keys/mailed-keys.ts";
import { makeFirstOwner } from "../roles/owners.ts";
import { type FinishedSignIn, finishSignIn } from "../second-factor/finish-sign-in.ts";
import { confirmPassword, isOwnKey } from "../trust/confirmed-password.ts";

/**
 * `confirm-password` asks the owner of a verified account whether a sign-in with its password was theirs; `sign-in` is of a
 * link that the operator prints.
 */
const PURPOSES = ["verify-email", "confirm-password", "sign-in"] as const;

/** A key that has verified its account before is used again in the browser that registered. */
export type AlreadyVerified = "already-verified";

/**
 * Uses a mailed key up, verifies its account and signs in. Removes other pending accounts with the address. {@link
 * isOwnKey} decides whether the registered password counts as the owner's.
 * Scanners of mails use keys before their readers do. So a used key that has not expired is a success for the browser
 * that registered, without a session, and has an error of its own for others.
 * @throws Failure `already-verified`; `bad-key`, the same for an invalid, replaced or expired one; `too-many-requests`
 */
export async function verifyEmail(
  accounts: AccountContext,
  key: string,
  client: Client,
): Promise<FinishedSignIn | AlreadyVerified> {
  return countWrongKeys(accounts, client, () => useKey(accounts, key, client));
}

async function useKey(
  accounts: AccountContext,
  key: string,
  client: Client,
): Promise<FinishedSignIn | AlreadyVerified> {
  const { database, clock } = accounts;
  const hash = hashMailedKey(key);
  const now = clock.now();
  const verify = database.transaction().execute(async (db): Promise<FinishedSignIn | undefined> => {
    const found = await findEmailKey(db, PURPOSES, hash, now);
    const claimant = found && (await findUser(db, found.user_id));
    if (!claimant || isToBeGone(claimant, now)) return undefined;
    await holdEmailClaims(db, claimant.email_key);
    const taken = await takeEmailKey(db, PURPOSES, hash, now);
    const user = taken && (await spendKey(accounts, db, { taken, client, now }));
    if (!user) return undefined;
    if (taken.purpose === "verify-email") await noteVerified(db, taken);
    const isOwn = taken.purpose === "sign-in" || isOwnKey(client, taken.device);
    const method = isOwn ? "mail" : "mail-elsewhere";
    // The person has chosen the password in this browser, perhaps a moment ago.
    const isRegistering = taken.purpose === "verify-email" && client.device !== null && client.device === taken.device;
    const how = { client, method, ...(isRegistering && { provedAt: user.created_at }) } as const;
    return finishSignIn(accounts, db, user, how);
  });
  const verified = await verify.catch((error: unknown) => {
    // The address was verified for another account after the mail was sent.
    if (isUniqueViolation(error)) return undefined;
    throw error;
  });
  return verified ?? repeat(accounts, hash, client);
}

/** Decides about a key that is not valid (any more). */
async function repeat({ database, clock }: AccountContext, hash: string, client: Client): Promise<AlreadyVerified> {
  const now = clock.now();
  const used = await findEmailKey(database, ["verified-email"], hash, now);
  const user = used && (await findUser(database, used.user_id));
  if (!user || isToBeGone(user, now)) throw new Failure("bad-key");
  if (client.device === null || client.device !== used.device) throw new Failure("already-verified");
  return "already-verified";
}

type SpentKey = { taken: EmailKeyRow; client: Client; now: number };

async function spendKey(
  { config, securityLog }: AccountContext,
  db: Queryable,
  { taken, client, now }: SpentKey,
): Promise<UserRow | undefined> {
  if (taken.purpose === "sign-in") return holdUser(db, taken.user_id);
  const isOwn = isOwnKey(client, taken.device);
  if (taken.purpose === "confirm-password") {
    const held = await holdUser(db, taken.user_id);
    return held && isOwn ? confirmPassword(db, held) : held;
  }
  const user = await markVerified(db, taken.user_id, now, isOwn);
  if (!user) return undefined;
  // The person who reads this mailbox has not signed in by them: they may be an attacker's.
  if (!isOwn) await deleteIdentities(db, user.id);
  await deletePendingByEmail(db, user.email_key);
  await securityLog.record(db, "verified", user.id, client);
  return completeInvitation(db, await makeFirstOwner({ config, client, now }, db, user), now);
}
