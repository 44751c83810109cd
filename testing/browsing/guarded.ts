import type { GuardedRequest } from "../../server/outbound/guarded-request.ts";
import { Outbound } from "../../server/outbound/outbound.ts";
import { type GuardDeps, OutboundGuard } from "../../server/outbound/outbound-guard.ts";
import { scriptedNames } from "./web-server.ts";

/** Limits of requests of tests that reach none. */
export const GUARD_LIMITS = { maxBytes: 10_000, timeoutMs: 30_000 };

/** Names of tests. `inner.test` and all after it are not public to {@link guardOf}. */
export const TEST_NAMES = {
  "public.test": ["127.0.0.1"],
  "other.test": ["127.0.0.1"],
  "inner.test": ["127.0.0.2"],
  "mixed.test": ["127.0.0.1", "127.0.0.2"],
  "metadata.test": ["169.254.169.254"],
};

/** A guard for which 127.0.0.1 is a public address, and all others are not. */
export const guardOf = (deps: Partial<GuardDeps> = {}) =>
  new OutboundGuard({
    outbound: new Outbound(),
    find: scriptedNames(TEST_NAMES).find,
    isPublic: (address) => address === "127.0.0.1",
    ...deps,
  });

/** Returns the text at an address. */
export async function textAt(
  address: string,
  request: Partial<GuardedRequest> = {},
  guard = guardOf(),
): Promise<string> {
  await using response = await guard.open(address, { ...GUARD_LIMITS, ...request });
  return Buffer.from(await response.bytes()).toString();
}

/** Returns the facts of the refusal of an address; code `none` if it is not refused. */
export async function refusalAt(address: string, request: Partial<GuardedRequest> = {}, guard = guardOf()) {
  const error = await textAt(address, request, guard).then(
    () => ({ code: "none" }),
    (reason: unknown) => reason,
  );
  const { code, reason, status } = error as { code?: string; reason?: string; status?: number };
  return { code, ...(reason && { reason }), ...(status && { status }) };
}
