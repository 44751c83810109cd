import { randomBytes } from "node:crypto";
import { RECOVERY_CODE_CHARS, RECOVERY_CODES } from "#contract/accounts/second-factor.ts";
import { hashMailedKey } from "../mailed-keys/mailed-keys.ts";
import { toBase32 } from "./base32.ts";

/** 80 bits: no list of hashes can be searched for them. */
const CODE_BYTES = 10;
const GROUP_CHARS = 4;

/** Returns new recovery codes, such as `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = toBase32(randomBytes(CODE_BYTES));
    return code.match(new RegExp(`.{${GROUP_CHARS}}`, "g"))?.join("-") ?? code;
  });
}

/** Returns the hash of a recovery code without separators, as the database stores it. */
export function hashRecoveryCode(code: string): string {
  return hashMailedKey(code);
}

const TOTP_CODE = /^\d{6}$/;
const RECOVERY_CODE = new RegExp(`^[A-Z2-7]{${RECOVERY_CODE_CHARS}}$`);

/** A typed code, without separators. */
export type TypedCode = { kind: "totp" | "recovery"; code: string };

/**
 * Recognises a code as people type it: with spaces or hyphens, in small letters, with digits of Arabic or full width, and
 * with 0, 1 and 8, which base32 lacks, for the letters that resemble them.
 */
export function readCode(typed: string): TypedCode | undefined {
  const plain = typed
    .normalize("NFKC")
    .replace(/[\s\p{Pd}]/gu, "")
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .toUpperCase();
  if (TOTP_CODE.test(plain)) return { kind: "totp", code: plain };
  const code = plain.replaceAll("0", "O").replaceAll("1", "I").replaceAll("8", "B");
  return RECOVERY_CODE.test(code) ? { kind: "recovery", code } : undefined;
}
