import { SECOND } from "#contract/limits.ts";
import type { Config } from "../../config/config.ts";
import type { Secrets } from "../../config/secrets.ts";
import { connectionFaultOf } from "../../outbound/connection-fault.ts";
import type { Outbound } from "../../outbound/outbound.ts";

/** `failure`: something does not work. `warning`: it works, but probably not as the operator wants. */
export type FindingState = "ok" | "warning" | "failure";

/** Result of a check. `advice`: what to do about it. */
export type Finding = { check: string; state: FindingState; found: string; advice?: string };

/** What the checks read. `secretKey`: undefined before the first start. `limitMs`: of each check. */
export type CheckDeps = {
  config: Config;
  secrets: Secrets;
  outbound: Outbound;
  secretKey: string | undefined;
  limitMs: number;
};

export type Check = () => Promise<Finding | Finding[]>;

export const ok = (check: string, found: string): Finding => ({ check, state: "ok", found });
export const warning = (check: string, found: string, advice: string): Finding => ({
  ...{ check, state: "warning", found, advice },
});
export const failure = (check: string, found: string, advice: string): Finding => ({
  ...{ check, state: "failure", found, advice },
});

/**
 * Runs a check. One that takes too long, or ends with an unexpected error, is a failure. It is not cancelled: the process
 * ends soon.
 */
export async function runCheck(name: string, limitMs: number, check: Check): Promise<Finding[]> {
  const late = Promise.withResolvers<Finding>();
  const found = `There was no answer within ${limitMs / SECOND} seconds.`;
  const advice = "Check the address, the network and the firewall.";
  const timer = setTimeout(() => late.resolve(failure(name, found, advice)), limitMs);
  try {
    return [await Promise.race([check(), late.promise])].flat();
  } catch (error) {
    return [failure(name, `The check ended with an error: ${errorCodeOf(error)}`, "See the log of the server.")];
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the code of an error, or else its message. */
export function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

const faults: Partial<Record<string, [found: (host: string) => string, advice: string]>> = {
  "no-listener": [
    (host) => `${host} refused the connection: nothing listens there.`,
    "Start it, or check the address.",
  ],
  "unknown-host": [(host) => `The name in ${host} was not found.`, "Check the address and the DNS of this machine."],
  "no-route": [(host) => `There is no way to ${host} in the network.`, "Check the network and the firewall."],
  "connect-timeout": [(host) => `No connection to ${host} came about in time.`, "Check the network and the firewall."],
  closed: [
    (host) => `${host} closed the connection without an answer.`,
    "Check the address, and the log of that server.",
  ],
  certificate: [
    (host) => `The certificate of ${host} is not from an authority that this server trusts.`,
    "Set NODE_EXTRA_CA_CERTS to the file of its authority.",
  ],
  "certificate-expired": [
    (host) => `The certificate of ${host} has expired, or is not valid yet.`,
    "Renew it, or check the clock of this machine.",
  ],
  "certificate-host": [
    (host) => `The certificate of ${host} is for another name.`,
    "Use an address with the name that the certificate has.",
  ],
  "no-tls": [(host) => `${host} does not answer by TLS.`, "Check the scheme and the port of the address."],
  "not-http": [(host) => `Something else than a web server answers at ${host}.`, "Check the port of the address."],
  proxy: [
    (host) => `The proxy does not connect this server to ${host}.`,
    "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
  ],
};

/** Describes why there was no connection to a host. */
export function describeFault(error: unknown, host: string): { found: string; advice: string } {
  const [found, advice] = faults[connectionFaultOf(error) ?? ""] ?? [];
  return {
    found: found?.(host) ?? `${host} could not be reached (${errorCodeOf(error)}).`,
    advice: advice ?? "Check the address, and whether this machine can reach it.",
  };
}
