import type { Config } from "../../config/config.ts";
import { entryCookieOf } from "../signed-entries.ts";
import { NONCE_LIFE_MS } from "./google-nonces.ts";

/** Returns name and options of the cookie with a browser's nonces for Google tokens. */
export const nonceCookieOf = (config: Pick<Config, "publicUrl">) =>
  entryCookieOf(config, "parley-google-nonce", NONCE_LIFE_MS);
