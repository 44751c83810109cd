import type {
  IdentityProviderCheck,
  IdentityProviderCheckRequest,
  ProviderFault,
} from "#contract/administration/identity-providers.ts";
import { defaultProviderSettings } from "#contract/administration/identity-providers.ts";
import type { AccountContext } from "../../accounts/accounts.ts";
import { OidcClient } from "../../accounts/oidc/oidc-client.ts";
import type { OidcProvider } from "../../accounts/sso/identity-providers.ts";
import { isLoopbackHost } from "../../config/loopback.ts";
import { Failure } from "../../failure.ts";
import { OutboundRefusal, type UnreachableReason } from "../../outbound/outbound-refusal.ts";
import { canonicalIssuer } from "./canonical-issuer.ts";
import { describeProviders } from "./describe-providers.ts";

type Metadata = Awaited<ReturnType<OidcClient["metadataOf"]>>;
/** Metadata are read without a client; the library demands an id. */
const TEST_CLIENT = "test";

/** What a test needs of a provider. */
type Tested = { slug: string; issuer: string; scopes: string };

/**
 * Reads the metadata of a provider anew, or of an issuer that is not saved. Nobody signs in, and its secret is not sent.
 * @throws Failure `not-found`; `invalid-input` for an issuer that cannot be saved
 */
export async function checkIdentityProvider(
  accounts: AccountContext,
  request: IdentityProviderCheckRequest,
): Promise<IdentityProviderCheck> {
  const tested = "slug" in request ? await findTested(accounts, request.slug) : unsaved(request.issuer);
  // A client of its own has no cached metadata.
  const client = new OidcClient(accounts);
  try {
    return describeMetadata(await client.metadataOf(toProvider(tested)), tested);
  } catch (error) {
    return { ok: false, ...describeFailure(error), ...addressOf(accounts, tested) };
  }
}

async function findTested(accounts: AccountContext, slug: string): Promise<Tested> {
  const { providers } = await describeProviders(accounts);
  const found = providers.find((provider) => provider.slug === slug);
  if (!found?.client) throw new Failure("not-found");
  return { slug, issuer: found.issuer, scopes: found.client.scopes };
}

function unsaved(entered: string): Tested {
  const issuer = canonicalIssuer(entered);
  if (issuer === undefined) {
    throw new Failure("invalid-input", { issues: [{ field: "issuer", rule: "invalid" }] });
  }
  return { slug: "", issuer, scopes: defaultProviderSettings.scopes };
}

function toProvider({ slug, issuer }: Tested): OidcProvider {
  return {
    ...defaultProviderSettings,
    kind: "oidc",
    slug,
    name: slug,
    issuer,
    issuerUrl: issuer,
    clientId: TEST_CLIENT,
  };
}

function describeMetadata(metadata: Metadata, { scopes }: Tested): IdentityProviderCheck {
  const { issuer, scopes_supported: offered, code_challenge_methods_supported: methods } = metadata;
  const authorization = URL.parse(metadata.authorization_endpoint ?? "");
  const token = URL.parse(metadata.token_endpoint ?? "");
  if (!authorization || !token || metadata.jwks_uri === undefined) {
    return { ok: false, code: "incomplete", issuer, host: new URL(issuer).host };
  }
  const wanted = scopes.split(" ").filter((scope) => scope !== "");
  return {
    ok: true,
    issuer,
    authorizationHost: authorization.host,
    tokenHost: token.host,
    pkce: methods === undefined ? "unstated" : methods.includes("S256") ? "stated" : "refused",
    hasBackChannelLogout: metadata.backchannel_logout_supported === true,
    hasEndSession: metadata.end_session_endpoint !== undefined,
    missingScopes: offered === undefined ? [] : wanted.filter((scope) => !offered.includes(scope)),
  };
}

type Described = Omit<IdentityProviderCheck & { ok: false }, "ok" | "host">;

const faults: Readonly<Record<UnreachableReason, ProviderFault>> = {
  name: "name",
  refused: "refused",
  certificate: "certificate",
  proxy: "proxy",
  "broken-off": "broken-off",
};

/** Returns why the metadata could not be read. @throws an error of another kind */
function describeFailure(error: unknown): Described {
  if (!(error instanceof Failure) || error.code !== "sso-unavailable") throw error;
  const causes = causesOf(error);
  const refusal = causes.find((cause) => cause instanceof OutboundRefusal);
  if (refusal) return { code: "unreachable", ...reasonOf(refusal) };
  const response = causes.find((cause) => cause instanceof Response);
  if (response && response.status !== 200) {
    return { code: response.status === 404 ? "not-found" : "failed", status: response.status };
  }
  const other = causes.map(statedIssuer).find((issuer) => issuer !== undefined);
  return other === undefined ? { code: "not-a-provider" } : { code: "other-issuer", issuer: other };
}

function reasonOf({ code, reason }: OutboundRefusal): { reason?: ProviderFault } {
  if (reason) return { reason: faults[reason] };
  if (code === "too-slow") return { reason: "slow" };
  if (code === "not-public") return { reason: "not-public" };
  return code === "redirect-refused" || code === "too-many-redirects" ? { reason: "redirect" } : {};
}

const CAUSES_MAX = 8;

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  let next: unknown = error;
  while (next !== undefined && next !== null && causes.length < CAUSES_MAX) {
    causes.push(next);
    next = typeof next === "object" && "cause" in next ? next.cause : undefined;
  }
  return causes;
}

/** Returns the issuer of metadata that are those of another one; the library has them in the cause of its error. */
function statedIssuer(cause: unknown): string | undefined {
  if (typeof cause !== "object" || cause === null || !("attribute" in cause) || cause.attribute !== "issuer") {
    return undefined;
  }
  const body = "body" in cause ? cause.body : undefined;
  const issuer = typeof body === "object" && body !== null && "issuer" in body ? body.issuer : undefined;
  return typeof issuer === "string" ? issuer : undefined;
}

function addressOf({ config }: Pick<AccountContext, "config">, { issuer }: Tested) {
  const { host, hostname } = new URL(issuer);
  return { host, ...(config.isInContainer && isLoopbackHost(hostname) && { isOwnContainer: true as const }) };
}
