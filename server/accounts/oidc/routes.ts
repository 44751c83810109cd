import "@fastify/cookie";
import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import {
  backChannelLogoutSchema,
  beginSsoSchema,
  type ConnectIdentity,
  connectedIdentitiesSchema,
  connectIdentitySchema,
  identityParamsSchema,
  identityProviderParamsSchema,
  loggedOutSchema,
  ssoAttemptSchema,
  ssoSignInSchema,
} from "#contract/accounts/single-sign-on.ts";
import { Failure } from "../../failure.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { confirmByDirectory } from "../ldap/sign-in-by-directory.ts";
import { answerSignIn } from "../second-factor/answer-sign-in.ts";
import type { ConfirmedIdentity } from "../sso/confirmed-identity.ts";
import { connectIdentity, disconnectIdentity, needConnector, readIdentities } from "../sso/connect-identity.ts";
import { signInByIdentity } from "../sso/sign-in-by-identity.ts";
import { changerOf } from "../trust/changer-of.ts";
import { confirmByHeader } from "../trusted-header/sign-in-by-header.ts";
import { attemptCookieOf } from "./attempt-cookie.ts";
import { logOutByProvider } from "./back-channel-logout.ts";
import { beginOidc, confirmByOidc, type OidcBrowser } from "./confirm-by-oidc.ts";

const tags = ["accounts"];
const proved = { proof: true } as const;
const open = { role: "open" } as const;

/** Single sign-on: attempts, sign-in, identities of the account, and sign-out by the provider. */
export function ssoRoutes(app: RouteApp, accounts: AccountContext): void {
  attemptRoutes(app, accounts);
  identityRoutes(app, accounts);
  // In a scope of its own, so that no other route accepts a form.
  void app.register((scope: RouteApp) => logoutRoute(scope, accounts));
}

/** Returns what identifies the browser of an attempt. `isOwn`: for the session of the request. */
export function oidcBrowserOf(
  { config }: Pick<AccountContext, "config">,
  request: FastifyRequest,
  isOwn: boolean,
): OidcBrowser {
  return {
    client: request.client,
    cookie: request.cookies[attemptCookieOf(config).name],
    ...(isOwn && { sessionId: identityOf(request).sessionId }),
  };
}

function attemptRoutes(app: RouteApp, accounts: AccountContext): void {
  const cookieSettings = attemptCookieOf(accounts.config);
  app.post(
    accountPaths.ssoAttempts,
    {
      config: open,
      schema: {
        summary: "Begin a sign-in, a connection or a proof at an identity provider",
        tags,
        body: beginSsoSchema,
        response: { 200: ssoAttemptSchema },
      },
    },
    async (request, reply) => {
      const { purpose } = request.body;
      const browser = oidcBrowserOf(accounts, request, purpose !== "sign-in");
      // Checked before the page is left: a proof by the provider leaves it too.
      if (purpose === "connect") await needConnector(accounts, identityOf(request));
      const { attempt, cookie } = await beginOidc(accounts, request.body, browser);
      reply.setCookie(cookieSettings.name, cookie, cookieSettings.options);
      return attempt;
    },
  );
  app.post(
    accountPaths.sso,
    {
      config: open,
      schema: {
        summary: "Sign in by the answer of an identity provider",
        tags,
        body: ssoSignInSchema,
        response: { 200: signedInSchema },
      },
    },
    async (request, reply) => {
      const client = reply.rememberDevice();
      const { sso: answer, invitation } = request.body;
      const browser = oidcBrowserOf(accounts, request, false);
      const confirmed = await confirmByOidc(accounts, { answer, purpose: "sign-in" }, browser);
      const finished = await signInByIdentity(accounts, { ...confirmed, client, invitation });
      return answerSignIn(accounts, finished, request, reply);
    },
  );
}

function identityRoutes(app: RouteApp, accounts: AccountContext): void {
  app.get(
    accountPaths.identities,
    {
      schema: {
        summary: "List the identities of the account at identity providers",
        tags,
        response: { 200: connectedIdentitiesSchema },
      },
    },
    async (request) => readIdentities(accounts, identityOf(request).userId),
  );
  app.post(
    accountPaths.identities,
    {
      schema: {
        summary: "Connect an identity of an identity provider",
        description: "Needs a recent proof, unless the account has no other way to sign in.",
        tags,
        body: connectIdentitySchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const identity = await confirmConnected(accounts, request, request.body);
      await connectIdentity(accounts, identity, changerOf(request));
      return reply.code(204).send();
    },
  );
  app.delete(
    accountPaths.identity(":id"),
    {
      config: proved,
      schema: {
        summary: "Disconnect an identity",
        tags,
        params: identityParamsSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await disconnectIdentity(accounts, request.params.id, changerOf(request));
      return reply.code(204).send();
    },
  );
}

/** Confirms the identity that a signed-in person connects. */
async function confirmConnected(
  accounts: AccountContext,
  request: FastifyRequest,
  body: ConnectIdentity,
): Promise<ConfirmedIdentity> {
  const { client } = request;
  if ("sso" in body) {
    const browser = oidcBrowserOf(accounts, request, true);
    return (await confirmByOidc(accounts, { answer: body.sso, purpose: "connect" }, browser)).identity;
  }
  // Before a password is compared, and a person is read from a header.
  await needConnector(accounts, identityOf(request));
  if ("header" in body) return (await confirmByHeader(accounts, { request: request.raw, client })).identity;
  const confirmed = await confirmByDirectory(accounts, body.directory, client);
  if (confirmed === null) throw new Failure("wrong-password");
  return confirmed.identity;
}

const FORM = "application/x-www-form-urlencoded";

/** The only route with a form: its protocol demands one. A browser cannot use it, as it needs a token of the provider. */
async function logoutRoute(app: RouteApp, accounts: AccountContext): Promise<void> {
  app.addContentTypeParser(FORM, { parseAs: "string" }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.post(
    accountPaths.ssoLogout(":provider"),
    {
      config: open,
      schema: {
        summary: "End sessions at the request of an identity provider (OpenID Connect Back-Channel Logout 1.0)",
        tags,
        params: identityProviderParamsSchema,
        body: backChannelLogoutSchema,
        response: { 200: loggedOutSchema },
      },
    },
    async (request, reply) => {
      const { client, params, body } = request;
      await logOutByProvider(accounts, params.provider, { logoutToken: body.logout_token, client });
      reply.header("cache-control", "no-store");
      // Some providers take another status for a failure.
      return {};
    },
  );
}
