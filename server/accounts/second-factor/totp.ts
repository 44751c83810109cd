import { createHmac, randomBytes } from "node:crypto";
import { TOTP_DIGITS } from "#contract/accounts/second-factor.ts";
import { SECOND } from "#contract/limits.ts";
import { isSameSecret } from "../../config/secret-key.ts";

/** Length of a time step, which every authenticator app takes for granted. */
const STEP_MS = 30 * SECOND;
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Steps before and after the current one whose codes are accepted, because clocks differ and people need time to type. */
const WINDOW = [0, -1, 1];

export const newTotpSecret = (): Uint8Array => randomBytes(SECRET_BYTES);

/** Returns the time step of a Unix time in ms. */
export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

/** Returns the code of a time step (RFC 6238 with HMAC-SHA-1; RFC 4226 section 5.3). */
export function totpCode(secret: Uint8Array, step: number, digits = TOTP_DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const truncated = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(truncated % 10 ** digits).padStart(digits, "0");
}

/**
 * Returns the time step whose code this is; undefined if it is that of none around `now`, or of one that is not after
 * `lastStep`.
 */
export function findStep(secret: Uint8Array, code: string, now: number, lastStep: number): number | undefined {
  return WINDOW.map((offset) => stepAt(now) + offset)
    .filter((step) => step > lastStep)
    .find((step) => isSameSecret(totpCode(secret, step), code));
}
