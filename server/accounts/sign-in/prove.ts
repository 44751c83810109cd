import type { ProofRequest, Proved } from "#contract/accounts/account-settings.ts";
import type { PasskeyAssertion } from "#contract/accounts/passkeys.ts";
import type { DirectoryCredentials, SsoAnswer } from "#contract/accounts/single-sign-on.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { findUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { findIdentity } from "../external-identity-store.ts";
import { readGoogleToken } from "../google/read-google-token.ts";
import { confirmByDirectory } from "../ldap/sign-in-by-directory.ts";
import { confirmByOidc } from "../oidc/confirm-by-oidc.ts";
import type { ConfirmedIdentity } from "../sso/confirmed-identity.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { checkPasskey, spendPasskey } from "../webauthn/check-passkey.ts";
import { checkPassword } from "./check-password.ts";

/** Cookies of the browser: with nonces for Google tokens, and with attempts at identity providers. */
export type Proof = Changer & { nonceCookie: string | undefined; attemptCookie: string | undefined };

/** Whether an accepted proof still belongs to the account, whose row is now locked. */
type StillProves = (db: Queryable, user: UserRow) => boolean | Promise<boolean>;

type Prover = Omit<Proof, "identity" | "attemptCookie"> & { user: UserRow };

/**
 * Re-authenticates the account's owner; valid for ten minutes in this session.
 * @throws Failure `wrong-password`, `bad-google-token`, `bad-passkey`, `bad-sso-answer`, and those of checking either
 */
export async function prove(accounts: AccountContext, request: ProofRequest, proof: Proof): Promise<Proved> {
  const { identity } = proof;
  const stillProves = await check(accounts, request, proof);
  const provedUntil = await changeAs(accounts, identity, "session", async ({ db, user }) => {
    // The password was changed, Google was disconnected or the passkey was used meanwhile.
    if (!(await stillProves(db, user))) throw new Failure("proof-needed");
    return accounts.sessions.prove(db, identity);
  });
  return { provedUntil };
}

async function check(accounts: AccountContext, request: ProofRequest, proof: Proof): Promise<StillProves> {
  const user = await findUser(accounts.database, proof.identity.userId);
  if (!user) throw new Failure("not-signed-in");
  const prover = { user, client: proof.client, nonceCookie: proof.nonceCookie };
  if ("password" in request) return checkByPassword(accounts, request.password, prover);
  if ("id_token" in request) return checkByGoogle(accounts, request.id_token, prover);
  if ("directory" in request) return checkByDirectory(accounts, request.directory, proof);
  if ("sso" in request) return checkBySso(accounts, request.sso, proof);
  return checkByPasskey(accounts, request.passkey, prover);
}

async function checkByPassword(
  accounts: AccountContext,
  password: string,
  { user, client }: Prover,
): Promise<StillProves> {
  const right = await checkPassword(accounts, { user, name: user.username, password, client, isSignedIn: true });
  if (right === null) throw new Failure("wrong-password");
  return (_db, { password_hash }) => password_hash === right;
}

async function checkByGoogle(
  accounts: AccountContext,
  idToken: string,
  { user, client, nonceCookie }: Prover,
): Promise<StillProves> {
  const { subject } = await readGoogleToken(accounts, { idToken, client, nonceCookie });
  if (subject !== user.google_subject) throw new Failure("bad-google-token");
  return (_db, { google_subject }) => google_subject === subject;
}

async function checkBySso(
  accounts: AccountContext,
  answer: SsoAnswer,
  { identity: { userId, sessionId }, client, attemptCookie: cookie }: Proof,
): Promise<StillProves> {
  const { identity } = await confirmByOidc(accounts, { answer, purpose: "prove" }, { client, sessionId, cookie });
  return provesIdentity(accounts, identity, userId);
}

async function checkByDirectory(
  accounts: AccountContext,
  credentials: DirectoryCredentials,
  { identity: { userId }, client }: Proof,
): Promise<StillProves> {
  const confirmed = await confirmByDirectory(accounts, credentials, client);
  if (confirmed === null) throw new Failure("wrong-password");
  return provesIdentity(accounts, confirmed.identity, userId);
}

/** @throws Failure `bad-sso-answer` if the identity is not one of the account */
async function provesIdentity(
  accounts: AccountContext,
  identity: ConfirmedIdentity,
  userId: string,
): Promise<StillProves> {
  const isOwn = async (db: Queryable) => (await findIdentity(db, identity))?.user_id === userId;
  if (!(await isOwn(accounts.database))) throw new Failure("bad-sso-answer");
  return isOwn;
}

async function checkByPasskey(
  accounts: AccountContext,
  passkey: PasskeyAssertion,
  { user, client }: Prover,
): Promise<StillProves> {
  const right = await checkPasskey(accounts, passkey, client);
  if (right.user.id !== user.id) throw new Failure("bad-passkey");
  return async (db) => {
    await spendPasskey(db, right, accounts.clock.now());
    return true;
  };
}
