import { createHmac, randomBytes } from "node:crypto";
import type { SsoPurpose } from "#contract/accounts/single-sign-on.ts";
import { MINUTE } from "#contract/limits.ts";
import { isSameSecret } from "../../config/secret-key.ts";

export const ATTEMPT_LIFE_MS = 10 * MINUTE;
/** Maximum of attempts in the cookie; each open tab has one. */
const MAX_ATTEMPTS = 4;
/** 192 bits. */
const STATE_BYTES = 24;

/** An attempt to sign in, which the browser begins here and completes with the provider's answer. */
export type OidcAttempt = {
  state: string;
  /** Slug of the provider: an answer of another one is refused (mix-up attack). */
  provider: string;
  purpose: SsoPurpose;
  /** Session that connects an identity, or proves; empty for a sign-in. */
  sessionId: string;
};

/** Secrets of an attempt that only this server can derive: for the id token, and for the code (PKCE, RFC 7636). */
export type AttemptSecrets = { nonce: string; codeVerifier: string };

type Entry = OidcAttempt & { text: string };

/**
 * Attempts, bound to a browser by a signed cookie: an answer that an attacker obtained cannot sign this browser in (login
 * CSRF). Opening an attempt stores nothing on the server.
 */
export class OidcAttempts {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Returns a new attempt, and the cookie that contains it together with the unexpired attempts of `cookie`. */
  begin(
    attempt: Omit<OidcAttempt, "state">,
    cookie: string | undefined,
    now: number,
  ): { attempt: OidcAttempt; cookie: string } {
    const made = { ...attempt, state: randomBytes(STATE_BYTES).toString("base64url") };
    const entries = this.#read(cookie, now).map(({ text }) => text);
    const written = this.#write(made, now + ATTEMPT_LIFE_MS);
    return { attempt: made, cookie: [...entries, written].slice(-MAX_ATTEMPTS).join("~") };
  }

  /** Returns the attempt of a state, if this browser began it and it has not expired. */
  find(state: string, cookie: string | undefined, now: number): OidcAttempt | undefined {
    return this.#read(cookie, now).find((entry) => entry.state === state);
  }

  secretsOf({ state }: Pick<OidcAttempt, "state">): AttemptSecrets {
    return { nonce: this.#derive(`nonce.${state}`), codeVerifier: this.#derive(`verifier.${state}`) };
  }

  #read(cookie: string | undefined, now: number): Entry[] {
    return (cookie ?? "").split("~", MAX_ATTEMPTS).flatMap((text): Entry[] => {
      const [state = "", expiry = "", provider = "", purpose = "", sessionId = ""] = text.split(".");
      const attempt = { state, provider, purpose: purpose as SsoPurpose, sessionId };
      const expiresAt = Number(expiry);
      const isOurs = isSameSecret(text, this.#write(attempt, expiresAt));
      return isOurs && expiresAt > now ? [{ ...attempt, text }] : [];
    });
  }

  #write({ state, provider, purpose, sessionId }: OidcAttempt, expiresAt: number): string {
    const text = [state, expiresAt, provider, purpose, sessionId].join(".");
    return `${text}.${this.#derive(`attempt.${text}`)}`;
  }

  #derive(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64url");
  }
}
