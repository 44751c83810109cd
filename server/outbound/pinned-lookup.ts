import { isIP, type LookupFunction } from "node:net";
import { isMetadataHost } from "./metadata-hosts.ts";
import { OutboundRefusal } from "./outbound-refusal.ts";

/** Names of this machine (RFC 6761), which a resolver may not know with a dot at their end. */
const LOCALHOST = /(?:^|\.)localhost$/;

/** `isProxied`: the proxy resolves names that this machine does not know. */
export type HostRules = {
  find: LookupFunction;
  isPublic(address: string): boolean;
  mayBePrivate: boolean;
  isProxied: boolean;
};

/**
 * Resolves the host of a URL, and returns a lookup that answers with exactly these addresses: a second look-up could have
 * another answer (DNS rebinding).
 * @returns undefined if only the proxy can resolve the name
 * @throws OutboundRefusal `not-public` unless all addresses are public; what `find` throws
 */
export async function pinnedLookup({ hostname }: URL, rules: HostRules): Promise<LookupFunction | undefined> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");
  const isRefused = isMetadataHost(host) || (LOCALHOST.test(host) && !rules.mayBePrivate);
  if (isRefused) throw new OutboundRefusal("not-public");
  const addresses = isIP(host) === 0 ? await resolve(hostname, rules) : [host];
  if (!addresses) return undefined;
  const mayConnect = (address: string) => !isMetadataHost(address) && (rules.mayBePrivate || rules.isPublic(address));
  if (!addresses.every(mayConnect)) throw new OutboundRefusal("not-public");
  return lookupOf(addresses);
}

function resolve(name: string, { find, isProxied }: HostRules): Promise<string[] | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string[] | undefined>();
  find(name, { all: true }, (error, found) => {
    const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
    if (!error && addresses.length > 0) resolve(addresses);
    else if (isProxied) resolve(undefined);
    else reject(error ?? new OutboundRefusal("unreachable", { reason: "name" }));
  });
  return promise;
}

function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, { all: wantsAll }, callback) => {
    const [{ address, family } = { address: "", family: 0 }] = all;
    if (wantsAll) callback(null, all);
    else callback(null, address, family);
  };
}
