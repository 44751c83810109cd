import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { emailKeyOf } from "../account-keys.ts";
import {
  deletePendingByEmail,
  findUserByGoogleSubject,
  findVerifiedByEmail,
  holdEmailClaims,
  holdUser,
} from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { countWrongKeys } from "../mailed-keys/count-wrong-keys.ts";
import { registerStated, retryTaken } from "../registration/register-stated.ts";
import { type FinishedSignIn, finishSignIn } from "../second-factor/finish-sign-in.ts";
import { addGoogle } from "./google-connection.ts";
import type { GoogleProfile } from "./google-tokens.ts";
import { type PostedToken, readGoogleToken } from "./read-google-token.ts";

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

function signInOrUp(accounts: AccountContext, signIn: SignIn): Promise<FinishedSignIn> {
  return retryTaken(() =>
    accounts.database.transaction().execute(async (db) => {
      const user = await findOrMakeAccount(accounts, db, signIn);
      return finishSignIn(accounts, db, user, { client: signIn.client, method: "google" });
    }),
  );
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
    const { invitation } = signIn;
    const person = { ...profile, fallbackName: "Google", googleSubject: profile.subject, isVerified: true };
    return registerStated(accounts, db, person, { client, invitation });
  }
  const { subject } = profile;
  const isLinked = profile.isAuthoritative && (await addGoogle(accounts, db, { user: owner, subject, client }));
  if (!isLinked) throw new Failure("connect-google");
  return { ...owner, google_subject: profile.subject };
}
