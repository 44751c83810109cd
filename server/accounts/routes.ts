import "@fastify/cookie";
import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { mailedKeyAnswerSchema, mailedKeySchema } from "#contract/account-settings.ts";
import {
  authConfigSchema,
  noticeSchema,
  REGISTRATION_SUCCESS,
  RESEND_SUCCESS,
  registeredSchema,
  registerSchema,
  resendSchema,
  signedInSchema,
  userSchema,
  verifySchema,
} from "#contract/accounts.ts";
import { paths } from "#contract/paths.ts";
import { Failure } from "../failure.ts";
import { identityOf } from "../http/session-hook.ts";
import { findUser } from "./account-store.ts";
import type { Accounts } from "./accounts.ts";
import { nonceCookieOf } from "./google/nonce-cookie.ts";
import { googleRoutes } from "./google/routes.ts";
import { readMailedKey } from "./read-mailed-key.ts";
import { recoveryRoutes } from "./registration/recovery-routes.ts";
import { register } from "./registration/register.ts";
import { resendVerification } from "./registration/resend-verification.ts";
import { verifyEmail } from "./registration/verify-email.ts";
import { answerSignedIn } from "./sessions/answer-signed-in.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { settingsRoutes } from "./settings/settings-routes.ts";
import { toUser } from "./to-user.ts";

const tags = ["accounts"];
const open = { access: "open" } as const;

type Api = Parameters<FastifyPluginAsyncZod>[0];

export function accountRoutes(accounts: Accounts): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    app.addHook("onRoute", (route) => {
      if (route.method !== "GET" && route.method !== "HEAD") {
        route.config = { limit: "account-change", ...route.config };
      }
    });
    configRoute(app, accounts);
    registrationRoutes(app, accounts);
    recoveryRoutes(app, accounts);
    mailedKeyRoute(app, accounts);
    settingsRoutes(app, accounts);
    sessionRoutes(app, accounts);
    googleRoutes(app, accounts);
    ownRoute(app, accounts);
  };
  return routes;
}

function configRoute(app: Api, { config, google, clock }: Accounts): void {
  const nonceCookie = nonceCookieOf(config);
  app.get(
    paths.authConfig,
    {
      config: open,
      schema: { summary: "What sign-in screens need to know", tags, response: { 200: authConfigSchema } },
    },
    async (request, reply) => {
      reply.renewAntiForgery(request.identity?.sessionId);
      const { productName, passwordMin, passwordPolicy, registrationOpen } = config;
      const answer = { productName, passwordMin, passwordPolicy, registrationOpen };
      if (!google) return answer;
      const { nonce, cookie } = google.nonces.issue(request.cookies[nonceCookie.name], clock.now());
      reply.setCookie(nonceCookie.name, cookie, nonceCookie.options);
      return { ...answer, googleClientId: google.clientId, googleNonce: nonce };
    },
  );
}

function registrationRoutes(app: Api, accounts: Accounts): void {
  app.post(
    paths.register,
    {
      config: open,
      schema: {
        summary: "Make an account that waits for its address to be verified",
        tags,
        body: registerSchema(accounts.config.passwordMin),
        response: { 201: registeredSchema },
      },
    },
    async (request, reply) => {
      await register(accounts, request.body, reply.rememberDevice());
      return reply.code(201).send({ message: REGISTRATION_SUCCESS, emailVerified: false });
    },
  );
  app.post(
    paths.verify,
    {
      config: open,
      schema: {
        summary: "Verify an address by its mailed key, and sign in",
        tags,
        body: verifySchema,
        response: { 200: signedInSchema },
      },
    },
    async (request, reply) => {
      const fresh = await verifyEmail(accounts, request.body.key, reply.rememberDevice());
      return answerSignedIn(accounts, fresh, request, reply);
    },
  );
  app.post(
    paths.resendVerification,
    {
      config: open,
      schema: {
        summary: "Mail a new key to an address or a username",
        tags,
        body: resendSchema,
        response: { 200: noticeSchema },
      },
    },
    async (request, reply) => {
      await resendVerification(accounts, request.body.email, reply.rememberDevice());
      return { message: RESEND_SUCCESS };
    },
  );
}

function mailedKeyRoute(app: Api, accounts: Accounts): void {
  app.post(
    paths.mailedKey,
    {
      config: open,
      schema: {
        summary: "What a mailed key is for, and whose account it belongs to",
        description: "Consumes nothing; counts as a try of a key.",
        tags,
        body: mailedKeySchema,
        response: { 200: mailedKeyAnswerSchema },
      },
    },
    async (request) => readMailedKey(accounts, request.body.key, request.client),
  );
}

function ownRoute(app: Api, { database }: Accounts): void {
  app.get(
    paths.me,
    { schema: { summary: "The signed-in account", tags, response: { 200: userSchema } } },
    async (request, reply) => {
      const { userId, sessionId } = identityOf(request);
      const user = await findUser(database, userId);
      if (!user) throw new Failure("not-signed-in");
      reply.renewAntiForgery(sessionId);
      return toUser(user);
    },
  );
}
