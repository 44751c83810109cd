import { SECOND } from "#contract/limits.ts";
import type { Config } from "../../config/config.ts";
import { ATTEMPT_LIFE_MS } from "./oidc-attempts.ts";

/** Returns name and options of the cookie with the attempts that a browser has begun. */
export function attemptCookieOf({ publicUrl }: Pick<Config, "publicUrl">) {
  const secure = publicUrl.startsWith("https:");
  const maxAge = ATTEMPT_LIFE_MS / SECOND;
  return {
    name: `${secure ? "__Host-" : ""}parley-sso`,
    options: { path: "/", sameSite: "lax", secure, httpOnly: true, maxAge },
  } as const;
}
