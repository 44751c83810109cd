import { createHash, createHmac } from "node:crypto";
import { DAY, MINUTE } from "#contract/limits.ts";
import type { EmailKeyRow } from "../../database/schema.ts";

export type KeyPurpose = EmailKeyRow["purpose"];

/** How long keys are good, counted from the sending of their mail. */
export const keyLivesMs: Readonly<Record<KeyPurpose, number>> = {
  "verify-email": DAY,
  "confirm-password": DAY,
  "reset-password": 30 * MINUTE,
  "change-email": DAY,
  "undo-email": 7 * DAY,
};

/**
 * The key of a mailed link: 256 bits that only the owner of the secret can make from the row's id, so that it need not
 * be kept anywhere between two attempts to deliver it.
 */
export function mailedKeyOf(secret: Uint8Array, keyId: string): string {
  return createHmac("sha256", secret).update(keyId).digest("base64url");
}

/** What the database holds of a key. */
export function hashMailedKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
