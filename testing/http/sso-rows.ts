import { accountPaths } from "#contract/accounts/paths.ts";
import type { RouteExpectation, RoutePerson } from "./route-expectation.ts";

const open = { role: "open" } as const;
const signedIn = { role: "signed-in" } as const;
const proved = { ...signedIn, proof: true } as const;

const body = {
  sso: () => ({ sso: { provider: "oidc", code: "x", state: "x".repeat(32) } }),
  directory: ({ username, password }: RoutePerson) => ({ provider: "ldap", username, password }),
};

/** Routes of single sign-on, on a server without an identity provider. */
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
};
