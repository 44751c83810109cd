import { randomBytes } from "node:crypto";
import { MINUTE } from "#contract/limits.ts";
import { SignedEntries } from "../signed-entries.ts";

export const NONCE_LIFE_MS = 10 * MINUTE;

/**
 * Nonces for Google's tokens, bound to a browser by a signed cookie: a token that an attacker got elsewhere cannot sign
 * this browser in. The cookie contains the last few.
 */
export class GoogleNonces {
  readonly #entries: SignedEntries;

  constructor(key: Uint8Array) {
    this.#entries = new SignedEntries(key);
  }

  /** Returns a new nonce, and the cookie that contains it together with the unexpired nonces of `cookie`. */
  issue(cookie: string | undefined, now: number): { nonce: string; cookie: string } {
    const nonce = randomBytes(18).toString("base64url");
    return { nonce, cookie: this.#entries.add([nonce], { cookie, now, expiresAt: now + NONCE_LIFE_MS }) };
  }

  /** Returns whether the nonce was issued to this browser and has not expired. */
  isOfBrowser(nonce: string, cookie: string | undefined, now: number): boolean {
    return this.#entries.read(cookie, now).some(([issued]) => issued === nonce);
  }
}
