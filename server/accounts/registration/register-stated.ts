import { newId } from "../../database/new-id.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { canonicalEmail, emailKeyOf, usernameKeyOf } from "../account-keys.ts";
import type { AccountMails } from "../account-mails.ts";
import {
  deleteLapsedByUsername,
  findUserByUsername,
  findVerifiedByEmail,
  freshAccount,
  insertUser,
} from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { completeInvitation, spendInvitation } from "../invitations/spend-invitation.ts";
import { makeFirstOwner } from "../roles/owners.ts";
import { personNamesOf, type StatedNames, usernamesFor } from "./person-names.ts";
import { refuseUnwantedRegistration } from "./registration-rules.ts";

/** A person without a password, as a provider states them. */
export type StatedPerson = StatedNames & {
  email: string;
  /** First name for a person whose names have no Latin letters. */
  fallbackName: string;
  googleSubject: string | null;
  /** Whether the address counts as verified. Otherwise the account is pending, and its key is mailed. */
  isVerified: boolean;
};

/**
 * Registers a person whom a provider states, in the transaction of their first sign-in, with a username from their name.
 * @throws Failure those of registration
 */
export async function registerStated(
  accounts: AccountContext,
  db: Queryable,
  person: StatedPerson,
  { client, invitation }: { client: Client; invitation: string | undefined },
): Promise<UserRow> {
  const { config, installation, mails, securityLog } = accounts;
  if (invitation === undefined) refuseUnwantedRegistration(await installation.readRegistration(db), person.email);
  const now = accounts.clock.now();
  const user = await toAccount(db, person, now);
  await insertUser(db, user);
  if (invitation !== undefined) await spendInvitation(db, invitation, { user, client });
  await securityLog.record(db, "registered", user.id, client);
  if (!person.isVerified) {
    await mailPending(mails, db, user, client.device);
    return user;
  }
  return completeInvitation(db, await makeFirstOwner({ config, client, now }, db, user), now);
}

/**
 * Mails the key of a pending account; to the owner of the address, if it has one, that they have an account: then the
 * pending one can never be verified, and nothing reveals it.
 */
export async function mailPending(
  mails: AccountMails,
  db: Queryable,
  user: UserRow,
  device: string | null,
): Promise<void> {
  const owner = await findVerifiedByEmail(db, user.email_key);
  if (owner) await mails.sendAlreadyHaveAccount(db, owner);
  else await mails.sendVerification(db, user, device);
}

async function toAccount(db: Queryable, person: StatedPerson, now: number): Promise<UserRow> {
  const username = await findFreeUsername(db, person, now);
  return {
    id: newId(),
    username,
    username_key: usernameKeyOf(username),
    email: canonicalEmail(person.email),
    email_key: emailKeyOf(person.email),
    ...personNamesOf(person, person.fallbackName),
    password_hash: null,
    google_subject: person.googleSubject,
    verified_at: person.isVerified ? now : null,
    created_at: now,
    ...freshAccount,
  };
}

async function findFreeUsername(db: Queryable, names: StatedNames, now: number): Promise<string> {
  for (const username of usernamesFor(names)) {
    const key = usernameKeyOf(username);
    await deleteLapsedByUsername(db, key, now);
    if (!(await findUserByUsername(db, key))) return username;
  }
  throw new Failure("internal");
}

const TRIES = 10;

/** Repeats a transaction while other ones take the username that it chose, or register the same person. */
export async function retryTaken<T>(transact: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transact();
    } catch (error) {
      if (!isUniqueViolation(error) || tries === TRIES) throw error;
    }
  }
}
