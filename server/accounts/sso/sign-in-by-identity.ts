import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import type { GiveBack } from "../../limits/limits.ts";
import { emailKeyOf } from "../account-keys.ts";
import {
  deletePending,
  deletePendingByEmail,
  findUser,
  findVerifiedByEmail,
  holdEmailClaims,
  holdUser,
} from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { findIdentity, insertIdentity, touchIdentity } from "../external-identity-store.ts";
import { countWrongKeys } from "../mailed-keys/count-wrong-keys.ts";
import { countMailTo } from "../mailed-keys/mail-limits.ts";
import { mailPending, registerStated, retryTaken } from "../registration/register-stated.ts";
import { type FinishedSignIn, finishSignIn } from "../second-factor/finish-sign-in.ts";
import type { ProviderSession } from "../sessions/sessions.ts";
import { applyRules } from "./apply-rules.ts";
import type { ConfirmedIdentity, IdentityProvider } from "./confirmed-identity.ts";
import { addIdentity, newIdentityRow } from "./connect-identity.ts";

const FALLBACK_NAME = "New";

export type IdentitySignIn = {
  provider: IdentityProvider;
  identity: ConfirmedIdentity;
  client: Client;
  /** Key of an invitation, used only if an account is created. */
  invitation: string | undefined;
};

/**
 * Signs in by an identity that its provider has confirmed. The first sign-in creates an account, or connects one where
 * the provider's addresses prove ownership; later ones find it by issuer and subject.
 * @throws Failure `email-unverified`, after the mail with the key; `connect-identity`, `sso-no-address`,
 * `bad-sso-answer`, `too-many-requests`, and those of registration and of `beginSession`
 */
export async function signInByIdentity(accounts: AccountContext, signIn: IdentitySignIn): Promise<FinishedSignIn> {
  const { issuer, subject } = signIn.identity;
  await accounts.limits.take("account-sign-in", `sso ${issuer} ${subject}`);
  const giveBack = await countUnverifiedMail(accounts, signIn);
  const mayMail = giveBack !== undefined;
  const work = () => signInOrUp(accounts, { ...signIn, mayMail });
  const finished = await countWrongKeys(accounts, signIn.client, work).catch(async (error: unknown) => {
    await giveBack?.();
    throw error;
  });
  // Its account is stored, and its key is mailed.
  if (finished) return finished;
  accounts.outbox.notify();
  throw new Failure("email-unverified");
}

/**
 * A first sign-in with an unverified address sends a mail to it, and so do later ones, as often as mails to it are
 * allowed. @returns a function that takes the count back; undefined if no mail may be sent again
 */
async function countUnverifiedMail(
  accounts: AccountContext,
  { identity }: IdentitySignIn,
): Promise<GiveBack | undefined> {
  const { email } = identity;
  if (email === undefined || identity.isEmailVerified) return async () => undefined;
  const known = await findIdentity(accounts.database, identity);
  const user = known && (await findUser(accounts.database, known.user_id));
  if (user && user.verified_at !== null) return async () => undefined;
  if (!user || !isAddressOf(user, identity)) return countMailTo(accounts, email);
  return countMailTo(accounts, email).catch((error: unknown) => {
    if (error instanceof Failure && error.code === "too-many-requests") return undefined;
    throw error;
  });
}

const isAddressOf = (user: UserRow, { email }: ConfirmedIdentity) =>
  email !== undefined && user.email_key === emailKeyOf(email);

/** `mayMail`: to a pending account again. */
type CountedSignIn = IdentitySignIn & { mayMail: boolean };

function signInOrUp(accounts: AccountContext, signIn: CountedSignIn): Promise<FinishedSignIn | undefined> {
  const { provider, identity, client } = signIn;
  return retryTaken(() =>
    accounts.database.transaction().execute(async (db) => {
      const found = await findOrMakeAccount(accounts, db, signIn);
      if (found.verified_at === null) return undefined;
      // An owner may have removed the provider meanwhile, which has ended the sessions that it began.
      if (!(await accounts.identityProviders.find(db, provider.slug))) throw new Failure("bad-sso-answer");
      const isRestored = await touchIdentity(db, identity, identity.label, accounts.clock.now());
      const user = await applyRules(accounts, db, found, { provider, groups: identity.groups });
      const { provedAt } = identity;
      const finished = await finishSignIn(accounts, db, user, {
        client,
        method: "sso",
        ...(provedAt !== undefined && { provedAt }),
        provider: providerSessionOf(accounts, signIn),
      });
      return "session" in finished ? { session: { ...finished.session, isRestored } } : finished;
    }),
  );
}

function providerSessionOf({ cipher }: AccountContext, { provider, identity }: IdentitySignIn): ProviderSession {
  const { issuer, subject, session } = identity;
  return {
    issuer,
    subject,
    sid: session?.sid ?? null,
    id_token_encrypted: session?.idToken === undefined ? null : cipher.encrypt(session.idToken, idTokenContext(issuer)),
    needsSecondFactor: provider.needsSecondFactor,
  };
}

/** Purpose of a stored token, for `SecretCipher`: its session has no id yet. */
export const idTokenContext = (issuer: string) => `id-token:${issuer}`;

async function findOrMakeAccount(accounts: AccountContext, db: Queryable, signIn: CountedSignIn): Promise<UserRow> {
  const { identity, provider, client } = signIn;
  const known = await findIdentity(db, identity);
  if (known) {
    const held = await holdUser(db, known.user_id);
    // It was disconnected meanwhile, which has ended the sessions begun by it.
    if (!held || !(await findIdentity(db, identity))) throw new Failure("bad-sso-answer");
    if (held.verified_at !== null) return held;
    if (isAddressOf(held, identity) && !identity.isEmailVerified) {
      if (signIn.mayMail) await mailPending(accounts.mails, db, held, client.device);
      return held;
    }
    // The provider has verified the address, or has another one: the account begins anew.
    await deletePending(db, held.id);
  }
  if (identity.email === undefined) throw new Failure("sso-no-address");
  const emailKey = emailKeyOf(identity.email);
  await holdEmailClaims(db, emailKey);
  const owner = await findVerifiedByEmail(db, emailKey);
  // A person whose address nobody has verified learns nothing about accounts.
  if (!owner || !identity.isEmailVerified) return makeAccount(accounts, db, signIn, identity.email);
  if (!provider.isEmailAuthoritative || !(await addIdentity(accounts, db, { user: owner, identity, client }))) {
    throw new Failure("connect-identity");
  }
  return owner;
}

async function makeAccount(
  accounts: AccountContext,
  db: Queryable,
  { identity, client, invitation }: IdentitySignIn,
  email: string,
): Promise<UserRow> {
  const { isEmailVerified: isVerified } = identity;
  // A pending account with a password and this unverified address must not profit from the verification.
  if (isVerified) await deletePendingByEmail(db, emailKeyOf(email));
  const person = { ...identity, email, fallbackName: FALLBACK_NAME, googleSubject: null, isVerified };
  const user = await registerStated(accounts, db, person, { client, invitation });
  await insertIdentity(db, newIdentityRow(user.id, identity, accounts.clock.now()));
  return user;
}
