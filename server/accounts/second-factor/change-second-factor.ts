import type { ConfirmTotp, RecoveryCodes, SecondFactor, TotpEnrolment } from "#contract/accounts/second-factor.ts";
import { HOUR } from "#contract/limits.ts";
import type { Database, Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { findUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { endEmailKeys } from "../mailed-keys/email-key-store.ts";
import { forgetSignIn } from "../sessions/last-sign-in-store.ts";
import { deleteTickets } from "../sessions/ticket-store.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { fromBase32, toBase32 } from "./base32.ts";
import { checkCode, spendCode } from "./check-code.ts";
import { deleteLoss, findLoss } from "./lost-factor-store.ts";
import { hashRecoveryCode, newRecoveryCodes, readCode } from "./recovery-codes.ts";
import { countRemembered, forgetRemembered } from "./remembered-browser-store.ts";
import { refuseMissingFactor } from "./required-factor.ts";
import {
  countRecoveryCodes,
  deleteTotpFactor,
  findTotpFactor,
  insertTotpFactor,
  replaceRecoveryCodes,
} from "./second-factor-store.ts";
import { findStep, newTotpSecret } from "./totp.ts";
import { encryptTotpSecret } from "./totp-secrets.ts";

const ENROLMENT_LIFE_MS = HOUR;
/** Fits every step: none has been accepted. */
const NO_STEP = -1;

/** Returns the second factor of an account; null if it has none. */
export async function readSecondFactor(db: Database, userId: string, now: number): Promise<SecondFactor | null> {
  const factor = await findTotpFactor(db, userId);
  if (!factor) return null;
  return {
    createdAt: factor.created_at,
    lastUsedAt: factor.last_used_at,
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
    rememberedBrowsers: await countRemembered(db, userId, now),
    endsAt: (await findLoss(db, userId)) ?? null,
  };
}

/**
 * Makes a secret for an authenticator app. Nothing is stored: the sealed secret belongs to this session, and ends after an
 * hour.
 * @throws Failure `second-factor-on`
 */
export async function beginEnrolment(accounts: AccountContext, { identity }: Changer): Promise<TotpEnrolment> {
  const username = await changeAs(accounts, identity, "proof", async ({ db, user }) => {
    if (await findTotpFactor(db, user.id)) throw new Failure("second-factor-on");
    return user.username;
  });
  return newEnrolment(accounts, username, enrolmentContext(identity));
}

/** Returns a new secret, also sealed. @param context only with the same one can {@link openEnrolment} open it */
export function newEnrolment(
  { cipher, clock, installation }: Pick<AccountContext, "cipher" | "clock" | "installation">,
  username: string,
  context: string,
): TotpEnrolment {
  const secret = toBase32(newTotpSecret());
  const { productName } = installation.current;
  const label = [productName, username].map(encodeURIComponent).join(":");
  const sealed = `${clock.now() + ENROLMENT_LIFE_MS} ${secret}`;
  return {
    secret,
    // Apps show a "+" of `URLSearchParams` as it is.
    uri: `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(productName)}`,
    enrolment: cipher.encrypt(sealed, context),
  };
}

const enrolmentContext = ({ sessionId }: Changer["identity"]) => `totp-enrolment:${sessionId}`;

/**
 * Switches the second factor on: the code shows that the app has the secret.
 * @returns the recovery codes, which are shown once
 * @throws Failure `enrolment-expired`, `wrong-code`, `second-factor-on`
 */
export async function confirmEnrolment(
  accounts: AccountContext,
  { enrolment, code }: ConfirmTotp,
  { identity, client }: Changer,
): Promise<RecoveryCodes> {
  const secret = openEnrolment(accounts, enrolment, enrolmentContext(identity));
  // The client knows the secret, so that there is nothing to guess.
  const step = findFirstStep(accounts, secret, code);
  if (step === undefined) throw new Failure("wrong-code");
  return changeAs(accounts, identity, "proof", async ({ db, user }) => {
    const recoveryCodes = await addTotpFactor(accounts, db, { user, secret, step, client });
    if (!recoveryCodes) throw new Failure("second-factor-on");
    return recoveryCodes;
  });
}

/** Returns the secret of an enrolment. @throws Failure `enrolment-expired` */
export function openEnrolment(
  { cipher, clock }: Pick<AccountContext, "cipher" | "clock">,
  enrolment: string,
  context: string,
): Uint8Array {
  const [expiresAt, base32] = (cipher.decrypt(enrolment, context)?.text ?? "0").split(" ");
  if (base32 === undefined || Number(expiresAt) <= clock.now()) throw new Failure("enrolment-expired");
  return fromBase32(base32);
}

/** Returns the time step of the first code of a new secret; undefined if the code is wrong. */
export function findFirstStep(
  { clock }: Pick<AccountContext, "clock">,
  secret: Uint8Array,
  code: string,
): number | undefined {
  return findStep(secret, readCode(code)?.code ?? "", clock.now(), NO_STEP);
}

type NewFactor = { user: UserRow; secret: Uint8Array; step: number; client: Client };

/**
 * Switches the second factor on, in the caller's transaction, and notifies the owner.
 * @returns the recovery codes; undefined if the account has a factor
 */
export async function addTotpFactor(
  { cipher, clock, mails, securityLog }: AccountContext,
  db: Queryable,
  { user, secret, step, client }: NewFactor,
): Promise<RecoveryCodes | undefined> {
  const isAdded = await insertTotpFactor(db, {
    user_id: user.id,
    secret_encrypted: encryptTotpSecret(cipher, user.id, secret),
    last_step: step,
    created_at: clock.now(),
    last_used_at: null,
    restored_at: null,
  });
  if (!isAdded) return undefined;
  await securityLog.record(db, "second-factor-on", user.id, client);
  await mails.sendNotice(db, user, "second-factor-on", client);
  return writeRecoveryCodes(db, user.id);
}

async function writeRecoveryCodes(db: Queryable, userId: string): Promise<RecoveryCodes> {
  const recoveryCodes = newRecoveryCodes();
  const hashes = recoveryCodes.map((code) => hashRecoveryCode(code.replaceAll("-", "")));
  await replaceRecoveryCodes(db, userId, hashes);
  await forgetSignIn(db, userId, "recovery-code");
  return { recoveryCodes };
}

/**
 * Switches the second factor off, by a recent proof and a code.
 * @throws Failure `second-factor-off`, `second-factor-required`, and those of {@link checkCode}
 */
export async function switchOff(accounts: AccountContext, code: string, changer: Changer): Promise<void> {
  await changeByCode(accounts, code, changer, async (db, user) => {
    await removeSecondFactor(db, user.id);
    await refuseMissingFactor(accounts, db, user);
    await accounts.securityLog.record(db, "second-factor-off", user.id, changer.client);
    await accounts.mails.sendNotice(db, user, "second-factor-off", changer.client);
  });
}

/**
 * Replaces the recovery codes, by a recent proof and a code.
 * @throws Failure `second-factor-off`, and those of {@link checkCode}
 */
export async function renewRecoveryCodes(
  accounts: AccountContext,
  code: string,
  changer: Changer,
): Promise<RecoveryCodes> {
  return changeByCode(accounts, code, changer, async (db, user) => {
    await accounts.securityLog.record(db, "recovery-codes-renewed", user.id, changer.client);
    await accounts.mails.sendNotice(db, user, "recovery-codes-renewed", changer.client);
    return writeRecoveryCodes(db, user.id);
  });
}

/** Forgets the browsers that are not asked for a code. */
export async function endRememberedBrowsers(accounts: AccountContext, { identity, client }: Changer): Promise<void> {
  await changeAs(accounts, identity, "proof", async ({ db, user }) => {
    if (!(await forgetRemembered(db, user.id))) return;
    await accounts.securityLog.record(db, "remembered-browsers-ended", user.id, client);
  });
}

/** Removes the second factor of an account, in the caller's transaction; `false` if it has none. */
export async function removeSecondFactor(db: Queryable, userId: string): Promise<boolean> {
  await forgetRemembered(db, userId);
  await deleteTickets(db, userId);
  await deleteLoss(db, userId);
  await endEmailKeys(db, userId, ["lose-factor", "keep-factor"]);
  return deleteTotpFactor(db, userId);
}

/** {@link removeSecondFactor} if it was switched on at `since` or later. */
export async function removeFactorSince(db: Queryable, userId: string, since: number): Promise<boolean> {
  const factor = await findTotpFactor(db, userId);
  return factor !== undefined && factor.created_at >= since && removeSecondFactor(db, userId);
}

async function changeByCode<T>(
  accounts: AccountContext,
  code: string,
  { identity, client }: Changer,
  work: (db: Queryable, user: UserRow) => Promise<T>,
): Promise<T> {
  const { clock, database } = accounts;
  const user = await findUser(database, identity.userId);
  if (!user) throw new Failure("not-signed-in");
  if (!(await findTotpFactor(database, user.id))) throw new Failure("second-factor-off");
  const right = await checkCode(accounts, { user, code, client });
  return changeAs(accounts, identity, "proof", async ({ db, user: held }) => {
    await spendCode(db, held.id, right, clock.now());
    return work(db, held);
  });
}
