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
import type { Accounts } from "../accounts.ts";
import { refuseUnwantedRegistration } from "../registration/registration-rules.ts";
import { makeFirstOwner } from "../roles/owners.ts";
import { beginSession, type FreshSession } from "../sessions/begin-session.ts";
import { addGoogle } from "./google-connection.ts";
import { personNamesOf, usernamesFor } from "./google-names.ts";
import type { GoogleProfile } from "./google-tokens.ts";
import { type PostedToken, readGoogleToken } from "./read-google-token.ts";

const TRIES = 10;

/**
 * Signs in by a Google token. The first sign-in creates a verified account; later ones find it by Google's subject.
 * @throws Failure `connect-google`, those of {@link readGoogleToken} and those of registration
 */
export async function signInByGoogle(accounts: Accounts, token: PostedToken): Promise<FreshSession> {
  const profile = await readGoogleToken(accounts, token);
  return signInOrUp(accounts, profile, token.client);
}

async function signInOrUp(accounts: Accounts, profile: GoogleProfile, client: Client): Promise<FreshSession> {
  for (let tries = 1; ; tries++) {
    try {
      return await accounts.database.transaction().execute(async (db) => {
        const user = await findOrMakeAccount(accounts, db, profile, client);
        return beginSession(accounts, db, user, { client, method: "google" });
      });
    } catch (error) {
      // Another request took the username, or the same person signed in concurrently: try again.
      if (!isUniqueViolation(error) || tries === TRIES) throw error;
    }
  }
}

async function findOrMakeAccount(
  accounts: Accounts,
  db: Queryable,
  profile: GoogleProfile,
  client: Client,
): Promise<UserRow> {
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
    const made = await makeAccount(accounts, db, profile);
    await accounts.securityLog.record(db, "registered", made.id, client);
    return makeFirstOwner({ config: accounts.config, now: made.created_at }, db, made);
  }
  const { subject } = profile;
  const isLinked = profile.isAuthoritative && (await addGoogle(accounts, db, { user: owner, subject, client }));
  if (!isLinked) throw new Failure("connect-google");
  return { ...owner, google_subject: profile.subject };
}

async function makeAccount({ config, clock }: Accounts, db: Queryable, profile: GoogleProfile): Promise<UserRow> {
  refuseUnwantedRegistration(config, profile.email);
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
