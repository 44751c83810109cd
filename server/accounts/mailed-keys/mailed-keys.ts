import { createHash, createHmac } from "node:crypto";
import { LOSS_WAIT_HOURS } from "#contract/accounts/second-factor.ts";
import { DAY, HOUR, MINUTE } from "#contract/limits.ts";
import type { EmailKeyRow } from "../../database/schema.ts";

export type KeyPurpose = EmailKeyRow["purpose"];

/** Lifetime of keys, from the sending of their mail. */
export const keyLivesMs: Readonly<Record<KeyPurpose, number>> = {
  "verify-email": DAY,
  "verified-email": DAY,
  "confirm-password": DAY,
  "reset-password": 30 * MINUTE,
  "change-email": DAY,
  "undo-email": 7 * DAY,
  "lose-factor": 30 * MINUTE,
  "sign-in": 10 * MINUTE,
  "keep-factor": LOSS_WAIT_HOURS * HOUR,
};

/**
 * Derives the key of a mailed link: 256 bits that require the server's secret and the row's id, so that the key is not
 * stored between two delivery attempts.
 */
export function mailedKeyOf(secret: Uint8Array, keyId: string): string {
  return createHmac("sha256", secret).update(keyId).digest("base64url");
}

/** 128 bits. */
export const LINK_KEY_BYTES = 16;

/** Derives the key of a link from its row's id and the server's secret, like {@link mailedKeyOf}, with 128 bits. */
export function linkKeyOf(secret: Uint8Array, id: string): string {
  return createHmac("sha256", secret).update(id).digest().subarray(0, LINK_KEY_BYTES).toString("base64url");
}

/** Returns the hash of a key, as the database stores it. */
export function hashMailedKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
