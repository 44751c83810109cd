import type { ProofRequest, Proved } from "#contract/accounts/account-settings.ts";
import type { UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { findUser } from "../account-store.ts";
import type { Accounts } from "../accounts.ts";
import { readGoogleToken } from "../google/read-google-token.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { checkPassword } from "./check-password.ts";

export type Proof = Changer & { nonceCookie: string | undefined };

/**
 * Re-authenticates the account's owner; valid for ten minutes in this session. Add further kinds of proof here.
 * @throws Failure `wrong-password`, `bad-google-token`, and those of checking either
 */
export async function prove(accounts: Accounts, request: ProofRequest, proof: Proof): Promise<Proved> {
  const { identity } = proof;
  const stillProves = await check(accounts, request, proof);
  const provedUntil = await changeAs(accounts, identity, "session", async ({ db, user }) => {
    // The password was changed or Google was disconnected meanwhile.
    if (!stillProves(user)) throw new Failure("proof-needed");
    return accounts.sessions.prove(db, identity);
  });
  return { provedUntil };
}

/** @returns a check, for later, whether the proof is still valid */
async function check(
  accounts: Accounts,
  request: ProofRequest,
  { identity, client, nonceCookie }: Proof,
): Promise<(user: UserRow) => boolean> {
  const user = await findUser(accounts.database, identity.userId);
  if (!user) throw new Failure("not-signed-in");
  if ("password" in request) {
    const { password } = request;
    const guess = { user, name: user.username, password, client, isSignedIn: true };
    const right = await checkPassword(accounts, guess);
    if (right === null) throw new Failure("wrong-password");
    return ({ password_hash }) => password_hash === right;
  }
  const { subject } = await readGoogleToken(accounts, { idToken: request.id_token, client, nonceCookie });
  if (subject !== user.google_subject) throw new Failure("bad-google-token");
  return ({ google_subject }) => google_subject === subject;
}
