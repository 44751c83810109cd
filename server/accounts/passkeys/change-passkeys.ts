import {
  type AddPasskey,
  type BeginPasskey,
  PASSKEY_NAME_MAX,
  PASSKEYS_MAX,
  type Passkey,
  type PasskeyAttestation,
  type PasskeyCreation,
  type PasskeyList,
} from "#contract/accounts/passkeys.ts";
import type { UserRow } from "../../database/schema.ts";
import type { PasskeyRow } from "../../database/tables/second-factor-tables.ts";
import { Failure } from "../../failure.ts";
import { findUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { namesOfClient } from "../client-names.ts";
import { checkCode, spendCode } from "../second-factor/check-code.ts";
import { refuseMissingFactor } from "../second-factor/required-factor.ts";
import { findTotpFactor } from "../second-factor/second-factor-store.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";
import { CHALLENGE_LIFE_MS, isOwnChallenge, makeChallenge, spendChallenge } from "../webauthn/passkey-challenges.ts";
import { needPasskeySite, type PasskeySite, passkeySiteOf } from "../webauthn/passkey-site.ts";
import { deletePasskeys, insertPasskey, listPasskeys, renamePasskey } from "../webauthn/passkey-store.ts";

/** COSE algorithms, the preferred first: Ed25519, ECDSA with P-256, RSA. */
const ALGORITHMS = [-8, -7, -257];

/** Returns the passkeys of an account, the newest first, and why there can be none. */
export async function readPasskeys({ config, database }: AccountContext, userId: string): Promise<PasskeyList> {
  const site = passkeySiteOf(config.publicUrl);
  const host = typeof site === "string" ? undefined : site.host;
  const passkeys = (await listPasskeys(database, userId)).map((row) => toPasskey(row, host));
  return { passkeys, ...(typeof site === "string" && { unavailable: site }) };
}

function toPasskey(row: PasskeyRow, host: string | undefined): Passkey {
  const { id, name, created_at: createdAt, last_used_at: lastUsedAt } = row;
  return {
    id,
    name,
    createdAt,
    lastUsedAt,
    ...(row.host !== host && { otherHost: row.host }),
    ...(row.restored_at !== null && { isRestored: true }),
  };
}

/**
 * Returns the options of a new passkey. A passkey counts as both steps: an account with a second factor shows a code of it,
 * so that a stolen session cannot add one.
 * @throws Failure `passkeys-unavailable`, `too-many-passkeys`; `wrong-code`, also without a code that is needed, and those
 * of {@link checkCode}
 */
export async function beginPasskey(
  accounts: AccountContext,
  { code }: BeginPasskey,
  { identity, client }: Changer,
): Promise<PasskeyCreation> {
  const { clock, config, database } = accounts;
  const { host } = needPasskeySite(config.publicUrl);
  const found = await findUser(database, identity.userId);
  if (!found) throw new Failure("not-signed-in");
  const hasCodes = (await findTotpFactor(database, found.id)) !== undefined;
  const right = hasCodes ? await checkCode(accounts, { user: found, code: code ?? "", client }) : null;
  const { user, own } = await changeAs(accounts, identity, "proof", async ({ db, user }) => {
    if (right) await spendCode(db, user.id, right, clock.now());
    else if (await findTotpFactor(db, user.id)) throw new Failure("wrong-code");
    return { user, own: await listPasskeys(db, user.id) };
  });
  if (own.length >= PASSKEYS_MAX) throw new Failure("too-many-passkeys");
  return {
    challenge: makeChallenge(accounts, { adder: identity.sessionId }),
    rp: { id: host, name: accounts.installation.current.productName },
    user: handleOf(user),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_LIFE_MS,
    attestation: "none",
    excludeCredentials: own.map(({ id }) => ({ type: "public-key", id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  };
}

const handleOf = ({ id, username }: UserRow) => ({
  id: Buffer.from(id).toString("base64url"),
  name: username,
  displayName: username,
});

/**
 * Adds a passkey, named after the browser that made it.
 * @throws Failure `bad-passkey`, `passkeys-unavailable`, `too-many-passkeys`
 */
export async function addPasskey(
  accounts: AccountContext,
  { passkey: attestation }: AddPasskey,
  { identity, client }: Changer,
): Promise<Passkey> {
  const { clock, limits, mails, securityLog } = accounts;
  const site = needPasskeySite(accounts.config.publicUrl);
  const made = await limits.countWrong({ name: "passkey", client, codes: ["bad-passkey"] }, () =>
    checkAttestation(accounts, attestation, { site, adder: identity.sessionId }),
  );
  const { browser, system } = await namesOfClient(client.userAgent);
  const name = [browser, system].filter(Boolean).join(", ").slice(0, PASSKEY_NAME_MAX) || "Passkey";
  return changeAs(accounts, identity, "proof", async ({ db, user }) => {
    const now = clock.now();
    await spendChallenge(db, made.challenge, now);
    if ((await listPasskeys(db, user.id)).length >= PASSKEYS_MAX) throw new Failure("too-many-passkeys");
    const row = {
      id: made.id,
      user_id: user.id,
      name,
      public_key: made.publicKey,
      counter: made.counter,
      host: site.host,
      created_at: now,
      last_used_at: null,
      restored_at: null,
    };
    if (!(await insertPasskey(db, row))) throw new Failure("bad-passkey");
    await securityLog.record(db, "passkey-added", user.id, client);
    await mails.sendNotice(db, user, "passkey-added", client);
    return toPasskey(row, site.host);
  });
}

type MadePasskey = { id: string; publicKey: string; counter: number; challenge: string };

async function checkAttestation(
  accounts: AccountContext,
  { id, rawId, type, response }: PasskeyAttestation,
  { site: { origin, host }, adder }: { site: PasskeySite; adder: string },
): Promise<MadePasskey> {
  const { clientDataJSON, attestationObject } = response;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  let challenge = "";
  const verified = await verifyRegistrationResponse({
    response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
    expectedChallenge: (answered) => {
      challenge = answered;
      return isOwnChallenge(accounts, answered, { adder });
    },
    expectedOrigin: origin,
    expectedRPID: host,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!verified?.verified) throw new Failure("bad-passkey");
  const { credential } = verified.registrationInfo;
  const publicKey = Buffer.from(credential.publicKey).toString("base64url");
  return { id: credential.id, publicKey, counter: credential.counter, challenge };
}

/** @throws Failure `not-found` */
export async function nameOwnPasskey(
  accounts: AccountContext,
  { id, name }: { id: string; name: string },
  { identity }: Changer,
): Promise<void> {
  await changeAs(accounts, identity, "session", async ({ db, user }) => {
    if (!(await renamePasskey(db, user.id, id, name))) throw new Failure("not-found");
  });
}

/**
 * Removes a passkey, and ends the sessions that were begun by any, except the requesting one.
 * @throws Failure `not-found`, `second-factor-required`
 */
export async function removePasskey(
  accounts: AccountContext,
  id: string,
  { identity, client }: Changer,
): Promise<void> {
  const { mails, securityLog } = accounts;
  await changeAs(accounts, identity, "proof", async (change) => {
    const { db, user } = change;
    if ((await deletePasskeys(db, user.id, id)) === 0) throw new Failure("not-found");
    await refuseMissingFactor(accounts, db, user);
    await revokeTrust(accounts, change, "passkey-removed", { user, sessionId: identity.sessionId, client });
    await securityLog.record(db, "passkey-removed", user.id, client);
    await mails.sendNotice(db, user, "passkey-removed", client);
  });
}
