import { createHmac, randomBytes } from "node:crypto";
import { MINUTE } from "#contract/limits.ts";
import { isSameSecret } from "../../config/secret-key.ts";

export const NONCE_LIFE_MS = 10 * MINUTE;
/** Maximum of nonces in the cookie; each open tab uses one. */
const MAX_NONCES = 4;

type Entry = { nonce: string; expiresAt: number; text: string };

/**
 * Nonces for Google's tokens, bound to a browser by a signed cookie: a token that an attacker got elsewhere cannot sign
 * this browser in. The cookie contains the last few.
 */
export class GoogleNonces {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Returns a new nonce, and the cookie that contains it together with the unexpired nonces of `cookie`. */
  issue(cookie: string | undefined, now: number): { nonce: string; cookie: string } {
    const nonce = randomBytes(18).toString("base64url");
    const expiresAt = now + NONCE_LIFE_MS;
    const entries = [...this.#read(cookie, now).map((entry) => entry.text), this.#write(nonce, expiresAt)];
    return { nonce, cookie: entries.slice(-MAX_NONCES).join("~") };
  }

  /** Returns whether the nonce was issued to this browser and has not expired. */
  isOfBrowser(nonce: string, cookie: string | undefined, now: number): boolean {
    return this.#read(cookie, now).some((entry) => entry.nonce === nonce);
  }

  #read(cookie: string | undefined, now: number): Entry[] {
    return (cookie ?? "").split("~", MAX_NONCES).flatMap((text): Entry[] => {
      const [nonce = "", expiry = ""] = text.split(".");
      const expiresAt = Number(expiry);
      const isOurs = isSameSecret(text, this.#write(nonce, expiresAt));
      return isOurs && expiresAt > now ? [{ nonce, expiresAt, text }] : [];
    });
  }

  #write(nonce: string, expiresAt: number): string {
    const signature = createHmac("sha256", this.#key).update(`${nonce}.${expiresAt}`).digest("base64url");
    return `${nonce}.${expiresAt}.${signature}`;
  }
}
