import type { RegisterRequest } from "#contract/accounts/accounts.ts";
import { newId } from "../../database/new-id.ts";
import type { UserRow } from "../../database/schema.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { flowOf } from "../../limits/flow-of.ts";
import type { GiveBack } from "../../limits/limits.ts";
import { canonicalEmail, emailKeyOf, usernameKeyOf } from "../account-keys.ts";
import { deleteLapsedByUsername, freshAccount, insertUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { checkInvitation, spendInvitation } from "../invitations/spend-invitation.ts";
import { countMail, countMailTo } from "../mailed-keys/mail-limits.ts";
import { hashNewPassword, refuseGuessable } from "../password-policy.ts";
import { refuseOtherWays } from "../refuse-other-ways.ts";
import { mailPending } from "./register-stated.ts";
import { refuseUnwantedRegistration } from "./registration-rules.ts";
import { countTakenName, nameLookUpOf, refuseTakenName } from "./taken-names.ts";

/**
 * Creates a pending account and mails its key. If the address belongs to a verified account, its owner is notified
 * instead and the new account can never be verified; the answer does not reveal it.
 * @throws Failure `username-taken`, `registration-closed`, `registration-domain`, `bad-invitation`, `invitation-address`,
 * `too-many-requests`, `unavailable`
 */
export async function register(accounts: AccountContext, request: RegisterRequest, client: Client): Promise<void> {
  refuseOtherWays(accounts);
  const { database, installation, outbox } = accounts;
  const { email, invitation } = request;
  const ticket = invitation === undefined ? undefined : await checkInvitation(accounts, invitation, { email, client });
  if (ticket === undefined) refuseUnwantedRegistration(await installation.readRegistration(database), email);
  await refuseGuessable(accounts, request.password, request);
  // A network that may not register anybody learns nothing about names.
  if (ticket === undefined) await accounts.limits.checkOfNetwork("sign-up", client);
  const lookUp = nameLookUpOf(client, ticket);
  await refuseTakenName(accounts, request.username, lookUp);
  const giveBack = await countRegistration(accounts, { email, client, isInvited: ticket !== undefined });
  const insert = makePendingAccount(accounts, request, client);
  await insert.catch(async (error: unknown) => {
    await giveBack();
    if (!isUniqueViolation(error)) throw error;
    await countTakenName(accounts, lookUp);
    throw new Failure("username-taken");
  });
  outbox.notify();
}

type CountedRegistration = { email: string; client: Client; isInvited: boolean };

/**
 * Counts an attempt. The uses of an invitation bound the registrations and mails with it.
 * @returns a function that takes the counts back if no account is created
 */
async function countRegistration(
  accounts: AccountContext,
  { email, client, isInvited }: CountedRegistration,
): Promise<GiveBack> {
  if (isInvited) return countMailTo(accounts, email);
  const giveSignUpBack = await accounts.limits.takeOfNetwork("sign-up", client);
  const giveMailBack = await countMail(accounts, email, client).catch(async (error: unknown) => {
    await giveSignUpBack();
    throw error;
  });
  return async () => {
    await giveSignUpBack();
    await giveMailBack();
  };
}

async function makePendingAccount(accounts: AccountContext, request: RegisterRequest, client: Client): Promise<void> {
  const { database, installation, clock, mails, securityLog } = accounts;
  const passwordHash = await hashNewPassword(accounts, request.password, flowOf(client, "registration"));
  const now = clock.now();
  const user = toPendingAccount(request, passwordHash, now);
  await database.transaction().execute(async (db) => {
    if (request.invitation === undefined) {
      // An owner may have closed the registration since the first check.
      refuseUnwantedRegistration(await installation.readRegistration(db), request.email);
    }
    await deleteLapsedByUsername(db, user.username_key, now);
    await insertUser(db, user);
    await securityLog.record(db, "registered", user.id, client);
    await mailPending(mails, db, user, client.device);
    if (request.invitation !== undefined) await spendInvitation(db, request.invitation, { user, client });
  });
}

/** Returns the row of a new, unverified account. */
export function toPendingAccount(request: RegisterRequest, passwordHash: string, now: number): UserRow {
  return {
    id: newId(),
    username: request.username,
    username_key: usernameKeyOf(request.username),
    email: canonicalEmail(request.email),
    email_key: emailKeyOf(request.email),
    firstname: request.firstname,
    lastname: request.lastname,
    password_hash: passwordHash,
    google_subject: null,
    verified_at: null,
    created_at: now,
    ...freshAccount,
  };
}
