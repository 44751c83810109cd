import { isIP } from "node:net";
import type { PasskeyList } from "#contract/accounts/passkeys.ts";
import { Failure } from "../../failure.ts";

/** Where passkeys are valid: the relying party of WebAuthn. */
export type PasskeySite = { origin: string; host: string };

/**
 * Returns the site of a server's public address, or why browsers allow no passkeys there: WebAuthn names its site by a
 * domain, and needs an encrypted connection except on localhost.
 */
export function passkeySiteOf(publicUrl: string): PasskeySite | NonNullable<PasskeyList["unavailable"]> {
  const { origin, protocol, hostname: host } = new URL(publicUrl);
  if (isIP(host) || host.startsWith("[")) return "address";
  const isLocalhost = host === "localhost" || host.endsWith(".localhost");
  return protocol === "https:" || isLocalhost ? { origin, host } : "unencrypted";
}

/** @throws Failure `passkeys-unavailable` */
export function needPasskeySite(publicUrl: string): PasskeySite {
  const site = passkeySiteOf(publicUrl);
  if (typeof site === "string") throw new Failure("passkeys-unavailable");
  return site;
}
