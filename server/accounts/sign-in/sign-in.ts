import type { LoginRequest } from "#contract/accounts/accounts.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { usernameKeyOf } from "../account-keys.ts";
import { findUserByUsername, holdUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { refuseOtherWays } from "../refuse-other-ways.ts";
import { type FinishedSignIn, finishSignIn } from "../second-factor/finish-sign-in.ts";
import { admitPassword } from "../trust/confirmed-password.ts";
import { checkPassword } from "./check-password.ts";

/**
 * Signs in by password. Only the right password reveals whether the account exists and is verified.
 * @throws Failure `sso-only`, `wrong-credentials`, `email-unverified`, `account-disabled`, `too-many-requests`, `work-needed`,
 * `unavailable`
 */
export async function signIn(
  accounts: AccountContext,
  { username, password, work }: LoginRequest,
  client: Client,
): Promise<FinishedSignIn> {
  refuseOtherWays(accounts);
  const { database, mails } = accounts;
  const user = await findUserByUsername(database, usernameKeyOf(username));
  const right = await checkPassword(accounts, { user, name: username, password, client, work });
  if (!user || right === null) throw new Failure("wrong-credentials");
  const finished = await database.transaction().execute(async (db) => {
    const held = await holdUser(db, user.id);
    // A concurrent change of the password revokes the sessions of the earlier one.
    if (held?.password_hash !== right) throw new Failure("wrong-credentials");
    if (held.verified_at === null) throw new Failure("email-unverified");
    const admitted = await admitPassword(mails, db, held, client);
    return admitted && finishSignIn(accounts, db, admitted, { client, method: "password" });
  });
  if (!finished) throw new Failure("email-unverified");
  return finished;
}
