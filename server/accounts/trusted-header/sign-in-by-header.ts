import type { IncomingMessage } from "node:http";
import { proxyNetworksOf } from "../../config/trust-proxy.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { isInNetworks } from "../../limits/networks.ts";
import type { AccountContext } from "../accounts.ts";
import type { FinishedSignIn } from "../second-factor/finish-sign-in.ts";
import type { ConfirmedIdentity } from "../sso/confirmed-identity.ts";
import type { HeaderProvider } from "../sso/header-provider.ts";
import { signInByIdentity } from "../sso/sign-in-by-identity.ts";
import { readHeaders } from "./read-headers.ts";

/** `request`: of the proxy's own connection. */
type HeaderRequest = { request: IncomingMessage; client: Client };

/**
 * Signs in the person whom a trusted proxy names in a header, which counts as a proof. The session then is one of this
 * server: it goes on until it ends, even if the proxy names another person in later requests.
 * @throws Failure those of {@link confirmByHeader} and of {@link signInByIdentity}
 */
export async function signInByHeader(
  accounts: AccountContext,
  { invitation, ...received }: HeaderRequest & { invitation: string | undefined },
): Promise<FinishedSignIn> {
  const confirmed = await confirmByHeader(accounts, received);
  return signInByIdentity(accounts, { ...confirmed, client: received.client, invitation });
}

/**
 * Returns the person whom a trusted proxy names in a header.
 * @throws Failure `bad-sso-answer` if anything but one of the proxies has sent the request, whatever its headers;
 * `not-found`, `too-many-requests`
 */
export async function confirmByHeader(
  accounts: AccountContext,
  { request, client }: HeaderRequest,
): Promise<{ provider: HeaderProvider; identity: ConfirmedIdentity }> {
  const { clock, config, identityProviders, limits, log } = accounts;
  const codes = ["bad-sso-answer", "not-found"] as const;
  return limits.countWrong({ name: "sso", client, codes }, async () => {
    const provider = identityProviders.fixed.find((one): one is HeaderProvider => one.kind === "header");
    if (!provider) throw new Failure("not-found");
    const isFromProxy = isInNetworks(request.socket.remoteAddress ?? "", proxyNetworksOf(config.trustProxy));
    const person = isFromProxy ? readHeaders(provider, request) : undefined;
    if (person) return { provider, identity: { ...person, provedAt: clock.now() } };
    log.warn({ provider: provider.slug, isFromProxy }, "a sign-in by header was refused");
    throw new Failure("bad-sso-answer");
  });
}
