import { accountPaths } from "#contract/accounts/paths.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import type { RouteExpectation, RoutePerson } from "./route-expectation.ts";

const open = { role: "open" } as const;
const signedIn = { role: "signed-in" } as const;
const proved = { ...signedIn, proof: true } as const;
const owner = { role: "owner" } as const;
const provedOwner = { ...owner, proof: true } as const;

const body = {
  sso: () => ({ sso: { provider: "oidc", code: "x", state: "x".repeat(32) } }),
  issuer: () => ({ issuer: `http://127.0.0.1:9/${crypto.randomUUID()}` }),
  provider: () => ({ name: "Nobody", clientId: "parley", ...body.issuer() }),
  directory: ({ username, password }: RoutePerson) => ({ provider: "ldap", username, password }),
};

/** Routes of single sign-on and its administration, on a server without an identity provider. */
export const ssoRows: Readonly<Record<string, RouteExpectation>> = {
  [`POST ${accountPaths.ssoAttempts}`]: {
    ...open,
    body: () => ({ provider: "oidc", purpose: "sign-in" }),
    status: 404,
  },
  [`POST ${accountPaths.sso}`]: { ...open, body: body.sso, status: 400 },
  [`POST ${accountPaths.ssoDirectory}`]: { ...open, body: body.directory, status: 404 },
  [`POST ${accountPaths.ssoHeader}`]: { ...open, body: () => ({}), status: 404 },
  [`POST ${accountPaths.ssoLogout(":provider")}`]: { ...open, body: () => ({ logout_token: "a.b.c" }), status: 404 },
  [`GET ${accountPaths.identities}`]: { ...signedIn, status: 200 },
  [`POST ${accountPaths.identities}`]: { ...signedIn, body: body.sso, status: 400 },
  [`DELETE ${accountPaths.identity(":id")}`]: { ...proved, id: "identity", status: 204 },
  [`GET ${administrationPaths.identityProviders}`]: { ...owner, status: 200 },
  [`POST ${administrationPaths.identityProviders}`]: { ...provedOwner, body: body.provider, status: 201 },
  [`PUT ${administrationPaths.identityProviderOrder}`]: { ...provedOwner, body: () => ({ slugs: [] }), status: 204 },
  [`PATCH ${administrationPaths.identityProvider(":id")}`]: {
    ...provedOwner,
    id: "provider",
    body: () => ({ name: "Somebody", isEnabled: false }),
    status: 200,
  },
  [`DELETE ${administrationPaths.identityProvider(":id")}`]: { ...provedOwner, id: "provider", status: 204 },
  [`POST ${administrationPaths.identityProviderCheck}`]: { ...provedOwner, body: body.issuer, status: 200 },
};
