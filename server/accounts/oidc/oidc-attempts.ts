import { createHmac, randomBytes } from "node:crypto";
import type { SsoPurpose } from "#contract/accounts/single-sign-on.ts";
import { MINUTE } from "#contract/limits.ts";
import { SignedEntries } from "../signed-entries.ts";

export const ATTEMPT_LIFE_MS = 10 * MINUTE;
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

/**
 * Attempts, bound to a browser by a signed cookie: an answer that an attacker obtained cannot sign this browser in (login
 * CSRF). Opening an attempt stores nothing on the server.
 */
export class OidcAttempts {
  readonly #key: Uint8Array;
  readonly #entries: SignedEntries;

  constructor(key: Uint8Array) {
    this.#key = key;
    this.#entries = new SignedEntries(createHmac("sha256", key).update("attempts").digest());
  }

  /** Returns a new attempt, and the cookie that contains it together with the unexpired attempts of `cookie`. */
  begin(
    attempt: Omit<OidcAttempt, "state">,
    cookie: string | undefined,
    now: number,
  ): { attempt: OidcAttempt; cookie: string } {
    const state = randomBytes(STATE_BYTES).toString("base64url");
    const { provider, purpose, sessionId } = attempt;
    const times = { now, expiresAt: now + ATTEMPT_LIFE_MS };
    const entry = [state, provider, purpose, sessionId] as const;
    return { attempt: { ...attempt, state }, cookie: this.#entries.add(entry, { cookie, ...times }) };
  }

  /** Returns the attempt of a state, if this browser began it and it has not expired. */
  find(state: string, cookie: string | undefined, now: number): OidcAttempt | undefined {
    const entry = this.#entries.read(cookie, now).find(([own]) => own === state);
    if (!entry) return undefined;
    const [, provider = "", purpose = "", sessionId = ""] = entry;
    return { state, provider, purpose: purpose as SsoPurpose, sessionId };
  }

  secretsOf({ state }: Pick<OidcAttempt, "state">): AttemptSecrets {
    return { nonce: this.#derive(`nonce.${state}`), codeVerifier: this.#derive(`verifier.${state}`) };
  }

  #derive(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64url");
  }
}
