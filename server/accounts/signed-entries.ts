import { createHmac } from "node:crypto";
import { SECOND } from "#contract/limits.ts";
import type { Config } from "../config/config.ts";
import { isSameSecret } from "../config/secret-key.ts";

/** Maximum of entries in a cookie; each open tab uses one. */
const MAX_ENTRIES = 4;

/**
 * Signed, short-lived entries of one browser in a cookie, which contains the last few. Nothing is stored on the server.
 * The fields of an entry must contain neither dots nor tildes.
 */
export class SignedEntries {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Returns the cookie with a new entry and the unexpired entries of `cookie`. `expiresAt`: Unix time in ms. */
  add(
    [first, ...rest]: readonly [string, ...string[]],
    { cookie, now, expiresAt }: { cookie: string | undefined; now: number; expiresAt: number },
  ): string {
    const entries = this.#textsIn(cookie, now);
    return [...entries, this.#sign([first, expiresAt, ...rest].join("."))].slice(-MAX_ENTRIES).join("~");
  }

  /** Returns the fields of the entries that this server has signed and that have not expired. */
  read(cookie: string | undefined, now: number): string[][] {
    return this.#textsIn(cookie, now).map((text) => {
      const [first = "", , ...rest] = text.split(".");
      return [first, ...rest.slice(0, -1)];
    });
  }

  #textsIn(cookie: string | undefined, now: number): string[] {
    return (cookie ?? "").split("~", MAX_ENTRIES).filter((text) => {
      const expiresAt = Number(text.split(".", 2)[1]);
      return isSameSecret(text, this.#sign(text.slice(0, text.lastIndexOf(".")))) && expiresAt > now;
    });
  }

  #sign(text: string): string {
    return `${text}.${createHmac("sha256", this.#key).update(text).digest("base64url")}`;
  }
}

/** Returns name and options of a cookie for {@link SignedEntries}, which scripts cannot read. */
export function entryCookieOf({ publicUrl }: Pick<Config, "publicUrl">, name: string, lifeMs: number) {
  const secure = publicUrl.startsWith("https:");
  return {
    name: `${secure ? "__Host-" : ""}${name}`,
    options: { path: "/", sameSite: "lax", secure, httpOnly: true, maxAge: lifeMs / SECOND },
  } as const;
}
