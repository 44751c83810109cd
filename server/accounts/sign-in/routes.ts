import * as z from "zod/mini";
import { proofSchema, provedSchema } from "#contract/accounts/account-settings.ts";
import { loginSchema, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import {
  type AccountSession,
  type SecurityEvent,
  securityLogQuerySchema,
  securityLogSchema,
  sessionListSchema,
  sessionParamsSchema,
} from "#contract/accounts/sessions.ts";
import { providerLogoutSchema } from "#contract/accounts/single-sign-on.ts";
import type { SecurityEventRow, SessionRow } from "../../database/schema.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { namesOfClient } from "../client-names.ts";
import { nonceCookieOf } from "../google/nonce-cookie.ts";
import { attemptCookieOf } from "../oidc/attempt-cookie.ts";
import { findProviderLogout } from "../oidc/provider-logout.ts";
import { answerSignIn } from "../second-factor/answer-sign-in.ts";
import { shownMethod } from "../sessions/session-store.ts";
import { changerOf } from "../trust/changer-of.ts";
import { endOtherSessions, endSession } from "./end-sessions.ts";
import { prove } from "./prove.ts";
import { signIn } from "./sign-in.ts";

const tags = ["accounts"];
const proved = { proof: true } as const;

/** Sign-in, sign-out, sessions and security log. */
export function signInRoutes(app: RouteApp, accounts: AccountContext): void {
  inAndOutRoutes(app, accounts);
  proofRoute(app, accounts);
  deviceRoutes(app, accounts);
  securityLogRoute(app, accounts);
}

function inAndOutRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.login,
    {
      config: { role: "open" },
      schema: { summary: "Sign in by password", tags, body: loginSchema, response: { 200: signedInSchema } },
    },
    async (request, reply) => {
      const finished = await signIn(accounts, request.body, reply.rememberDevice());
      return answerSignIn(accounts, finished, request, reply);
    },
  );
  app.post(
    accountPaths.logout,
    {
      schema: {
        summary: "End the session",
        description:
          "Answers with an address of the identity provider that began it, if the provider has one for this.",
        tags,
        response: { 200: providerLogoutSchema, 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const providerLogout = await findProviderLogout(accounts, identityOf(request).sessionId);
      await endSession(accounts, changerOf(request));
      reply.renewAntiForgery();
      return providerLogout === undefined ? reply.code(204).send() : { providerLogout };
    },
  );
}

function proofRoute(app: RouteApp, accounts: AccountContext): void {
  const nonceCookie = nonceCookieOf(accounts.config).name;
  const attemptCookie = attemptCookieOf(accounts.config).name;
  app.post(
    accountPaths.proof,
    {
      schema: {
        summary: "Re-authenticate as the account's owner, for ten minutes",
        tags,
        body: proofSchema,
        response: { 200: provedSchema },
      },
    },
    async (request) =>
      prove(accounts, request.body, {
        identity: identityOf(request),
        client: request.client,
        nonceCookie: request.cookies[nonceCookie],
        attemptCookie: request.cookies[attemptCookie],
      }),
  );
}

function deviceRoutes(app: RouteApp, accounts: AccountContext): void {
  app.get(
    accountPaths.sessions,
    { schema: { summary: "List the sessions of the account", tags, response: { 200: sessionListSchema } } },
    async (request) => {
      const { userId, sessionId } = identityOf(request);
      const rows = await accounts.sessions.list(userId);
      const own = rows.filter(({ id }) => id === sessionId);
      const others = rows.filter(({ id }) => id !== sessionId);
      return Promise.all([...own, ...others].map((row) => toAccountSession(row, sessionId)));
    },
  );
  app.delete(
    accountPaths.session(":id"),
    {
      config: proved,
      schema: {
        summary: "Sign out one device",
        description:
          "Needs a recent proof, as a stolen session could keep its owner out; `POST /auth/logout` needs none.",
        tags,
        params: sessionParamsSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const identity = identityOf(request);
      await endSession(accounts, { identity, client: request.client }, request.params.id);
      if (request.params.id === identity.sessionId) reply.renewAntiForgery();
      return reply.code(204).send();
    },
  );
  app.delete(
    accountPaths.sessions,
    { config: proved, schema: { summary: "Sign out all other devices", tags, response: { 204: z.undefined() } } },
    async (request, reply) => {
      await endOtherSessions(accounts, changerOf(request));
      return reply.code(204).send();
    },
  );
}

function securityLogRoute(app: RouteApp, { database, securityLog }: AccountContext): void {
  app.get(
    accountPaths.securityLog,
    {
      schema: {
        summary: "List the security events of the account, newest first, by page",
        tags,
        querystring: securityLogQuerySchema,
        response: { 200: securityLogSchema },
      },
    },
    async (request) => {
      const rows = await securityLog.list(database, identityOf(request).userId, request.query.before);
      return Promise.all(rows.map(toSecurityEvent));
    },
  );
}

async function toAccountSession(row: SessionRow, currentId: string): Promise<AccountSession> {
  const { id, method, ip, created_at: createdAt, last_seen_at: lastSeenAt } = row;
  const names = await namesOfClient(row.user_agent);
  return { id, isCurrent: id === currentId, method: shownMethod(method), ...names, ip, createdAt, lastSeenAt };
}

async function toSecurityEvent({ id, kind, at, ip, user_agent }: SecurityEventRow): Promise<SecurityEvent> {
  return { id, kind, at, ip, ...(await namesOfClient(user_agent)) };
}
