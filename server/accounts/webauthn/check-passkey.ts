import type { PasskeyAssertion } from "#contract/accounts/passkeys.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { findUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { isOwnChallenge, spendChallenge } from "./passkey-challenges.ts";
import { needPasskeySite } from "./passkey-site.ts";
import { findPasskey, recordUse } from "./passkey-store.ts";

/** A right answer of an authenticator, which has not been spent. */
export type RightPasskey = { id: string; user: UserRow; counter: number; challenge: string };

/**
 * The only place that checks the answer of an authenticator: signature, site, challenge, and that it verified the person.
 * Must be called outside of transactions; {@link spendPasskey} then accepts the answer.
 * @throws Failure `bad-passkey`, `passkeys-unavailable`, `too-many-requests`
 */
export async function checkPasskey(
  accounts: AccountContext,
  assertion: PasskeyAssertion,
  client: Client,
): Promise<RightPasskey> {
  const { limits } = accounts;
  const codes = ["bad-passkey", "passkeys-unavailable"] as const;
  const right = await limits.countWrong({ name: "passkey", client, codes }, () => check(accounts, assertion, client));
  await limits.take("account-sign-in", `passkey ${right.user.id}`);
  return right;
}

async function check(
  accounts: AccountContext,
  { id, rawId, type, response }: PasskeyAssertion,
  client: Client,
): Promise<RightPasskey> {
  const { config, database } = accounts;
  const { origin, host } = needPasskeySite(config.publicUrl);
  const passkey = await findPasskey(database, id);
  const user = passkey && (await findUser(database, passkey.user_id));
  if (!passkey || !user) throw new Failure("bad-passkey");
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  let challenge = "";
  const { userHandle, ...signed } = response;
  if (userHandle !== undefined && Buffer.from(userHandle, "base64url").toString() !== user.id) {
    throw new Failure("bad-passkey");
  }
  const verified = await verifyAuthenticationResponse({
    response: { id, rawId, type, response: signed, clientExtensionResults: {} },
    expectedChallenge: (answered) => {
      challenge = answered;
      return isOwnChallenge(accounts, answered, { device: client.device });
    },
    expectedOrigin: origin,
    expectedRPID: host,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")),
      counter: passkey.counter,
    },
  }).catch(() => undefined);
  if (!verified?.verified) throw new Failure("bad-passkey");
  return { id, user, counter: verified.authenticationInfo.newCounter, challenge };
}

/**
 * Accepts a right answer, in the transaction of what it permits.
 * @throws Failure `bad-passkey` if it has been accepted, or the passkey was removed, meanwhile
 */
export async function spendPasskey(
  db: Queryable,
  { id, user, counter, challenge }: RightPasskey,
  now: number,
): Promise<void> {
  await spendChallenge(db, challenge, now);
  if (!(await recordUse(db, { id, user_id: user.id }, { counter, now }))) throw new Failure("bad-passkey");
}
