import { SECOND } from "#contract/limits.ts";
import type { Config } from "../../config/config.ts";
import { NONCE_LIFE_MS } from "./google-nonces.ts";

/** Returns name and options of the cookie with a browser's nonces for Google tokens. */
export function nonceCookieOf({ publicUrl }: Pick<Config, "publicUrl">) {
  const secure = publicUrl.startsWith("https:");
  const maxAge = NONCE_LIFE_MS / SECOND;
  return {
    name: `${secure ? "__Host-" : ""}parley-google-nonce`,
    options: { path: "/", sameSite: "lax", secure, httpOnly: true, maxAge },
  } as const;
}
