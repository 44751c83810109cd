import type { PasskeyAssertion, PasskeyChallenge } from "#contract/accounts/passkeys.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { holdUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { refuseOtherWays } from "../refuse-other-ways.ts";
import { type FinishedSignIn, finishSignIn } from "../second-factor/finish-sign-in.ts";
import { checkPasskey, spendPasskey } from "../webauthn/check-passkey.ts";
import { CHALLENGE_LIFE_MS, makeChallenge } from "../webauthn/passkey-challenges.ts";
import { needPasskeySite } from "../webauthn/passkey-site.ts";
import { takeRestoredPasskey } from "../webauthn/passkey-store.ts";

/** @throws Failure `passkeys-unavailable`, `too-many-requests` */
export async function beginPasskeyUse(accounts: AccountContext, client: Client): Promise<PasskeyChallenge> {
  await accounts.limits.takeOfNetwork("passkey-challenge", client);
  const { host } = needPasskeySite(accounts.config.publicUrl);
  const challenge = makeChallenge(accounts, { device: client.device });
  return { challenge, rpId: host, timeout: CHALLENGE_LIFE_MS, userVerification: "required" };
}

/**
 * Signs in by a passkey, which counts as both factors: the authenticator has verified the person.
 * @throws Failure those of {@link checkPasskey}, and `account-disabled`
 */
export async function signInByPasskey(
  accounts: AccountContext,
  assertion: PasskeyAssertion,
  client: Client,
): Promise<FinishedSignIn> {
  refuseOtherWays(accounts);
  const right = await checkPasskey(accounts, assertion, client);
  return accounts.database.transaction().execute(async (db) => {
    const user = await holdUser(db, right.user.id);
    if (!user) throw new Failure("bad-passkey");
    await spendPasskey(db, right, accounts.clock.now());
    const isRestored = await takeRestoredPasskey(db, right.id);
    const finished = await finishSignIn(accounts, db, user, { client, method: "passkey" });
    return "session" in finished ? { session: { ...finished.session, isRestored } } : finished;
  });
}
