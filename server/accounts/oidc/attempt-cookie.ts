import type { Config } from "../../config/config.ts";
import { entryCookieOf } from "../signed-entries.ts";
import { ATTEMPT_LIFE_MS } from "./oidc-attempts.ts";

/** Returns name and options of the cookie with the attempts that a browser has begun. */
export const attemptCookieOf = (config: Pick<Config, "publicUrl">) =>
  entryCookieOf(config, "parley-sso", ATTEMPT_LIFE_MS);
