import { newId } from "../../database/new-id.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { isUniqueViolation } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { canonicalEmail, emailKeyOf, usernameKeyOf } from "../account-keys.ts";
import {
  deleteLapsedByUsername,
  deletePendingByEmail,
  findUserByGoogleSubject,
  findUserByUsername,
  findVerifiedByEmail,
  freshAccount,
  holdEmailClaims,
  holdUser,
  insertUser,
} from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { completeInvitation, spendInvitation } from "../invitations/spend-invitation.ts";
import { countWrongKeys } from "../mailed-keys/count-wrong-keys.ts";
import { refuseUnwantedRegistration } from "../registration/registration-rules.ts";
import { makeFirstOwner } from "../roles/owners.ts";
import { type FinishedSignIn, finishSignIn } from "../second-factor/finish-sign-in.ts";
import { addGoogle } from "./google-connection.ts";
import { personNamesOf, usernamesFor } from "./google-names.ts";
import type { GoogleProfile } from "./google-tokens.ts";
import { type PostedToken, readGoogleToken } from "./read-google-token.ts";

const TRIES = 10;

type SignIn = {
  profile: GoogleProfile;
  client: Client;
  /** Key of an invitation, used only if an account is created. */
  invitation: string | undefined;
};

/**
 * Signs in by a Google token. The first sign-in creates a verified account; later ones find it by Google's subject.
 * @throws Failure `connect-google`, those of {@link readGoogleToken} and those of registration
 */
export async function signInByGoogle(
  accounts: AccountContext,
  token: PostedToken,
  invitation: string | undefined,
): Promise<FinishedSignIn> {
  const { client } = token;
  const profile = await readGoogleToken(accounts, token);
  return countWrongKeys(accounts, client, () => signInOrUp(accounts, { profile, client, invitation }));
}

async function signInOrUp(accounts: AccountContext, signIn: SignIn): Promise<FinishedSignIn> {
  for (let tries = 1; ; tries++) {
    try {
      return await accounts.database.transaction().execute(async (db) => {
        const user = await findOrMakeAccount(accounts, db, signIn);
        return finishSignIn(accounts, db, user, { client: signIn.client, method: "google" });
      });
    } catch (error) {
      // Another request took the username, or the same person signed in concurrently: try again.
      if (!isUniqueViolation(error) || tries === TRIES) throw error;
    }
  }
}

async function findOrMakeAccount(accounts: AccountContext, db: Queryable, signIn: SignIn): Promise<UserRow> {
  const { profile, client } = signIn;
  const known = await findUserByGoogleSubject(db, profile.subject);
  if (known) {
    const held = await holdUser(db, known.id);
    // Google was disconnected meanwhile, which has ended the sessions begun by it.
    if (held?.google_subject !== profile.subject) throw new Failure("bad-google-token");
    return held;
  }
  const emailKey = emailKeyOf(profile.email);
  await holdEmailClaims(db, emailKey);
  // A pending account with a password and this unverified address must not profit from the verification.
  await deletePendingByEmail(db, emailKey);
  const owner = await findVerifiedByEmail(db, emailKey);
  // A concurrent sign-in of the same person was first.
  if (owner?.google_subject === profile.subject) return owner;
  if (!owner) {
    const made = await makeAccount(accounts, db, signIn);
    await accounts.securityLog.record(db, "registered", made.id, client);
    const now = made.created_at;
    return completeInvitation(db, await makeFirstOwner({ config: accounts.config, client, now }, db, made), now);
  }
  const { subject } = profile;
  const isLinked = profile.isAuthoritative && (await addGoogle(accounts, db, { user: owner, subject, client }));
  if (!isLinked) throw new Failure("connect-google");
  return { ...owner, google_subject: profile.subject };
}

async function makeAccount(
  { installation, clock }: AccountContext,
  db: Queryable,
  { profile, client, invitation }: SignIn,
): Promise<UserRow> {
  if (invitation === undefined) refuseUnwantedRegistration(await installation.readRegistration(db), profile.email);
  const now = clock.now();
  const username = await findFreeUsername(db, profile, now);
  const user: UserRow = {
    id: newId(),
    username,
    username_key: usernameKeyOf(username),
    email: canonicalEmail(profile.email),
    email_key: emailKeyOf(profile.email),
    ...personNamesOf(profile),
    password_hash: null,
    google_subject: profile.subject,
    verified_at: now,
    created_at: now,
    ...freshAccount,
  };
  await insertUser(db, user);
  if (invitation !== undefined) await spendInvitation(db, invitation, { user, client });
  return user;
}

async function findFreeUsername(db: Queryable, profile: GoogleProfile, now: number): Promise<string> {
  for (const username of usernamesFor(profile)) {
    const key = usernameKeyOf(username);
    await deleteLapsedByUsername(db, key, now);
    if (!(await findUserByUsername(db, key))) return username;
  }
  throw new Failure("internal");
}
