import { accountPaths } from "#contract/accounts/paths.ts";
import { changerOf } from "../trust/changer-of.ts";
import "@fastify/cookie";
import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { googleLoginSchema, googleSignInSchema, signedInSchema } from "#contract/accounts/accounts.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { answerSignIn } from "../second-factor/answer-sign-in.ts";
import { connectGoogle, disconnectGoogle } from "./google-connection.ts";
import { signInByGoogle } from "./google-sign-in.ts";
import { nonceCookieOf } from "./nonce-cookie.ts";
import type { PostedToken } from "./read-google-token.ts";

const tags = ["accounts"];
const proved = { proof: true } as const;

export function googleRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.google,
    {
      config: { role: "open" },
      schema: { summary: "Sign in by Google", tags, body: googleSignInSchema, response: { 200: signedInSchema } },
    },
    async (request, reply) => {
      reply.rememberDevice();
      const { id_token, invitation } = request.body;
      const finished = await signInByGoogle(accounts, postedToken(accounts, request, id_token), invitation);
      return answerSignIn(accounts, finished, request, reply);
    },
  );
  app.post(
    accountPaths.googleConnection,
    {
      config: proved,
      schema: {
        summary: "Connect a Google account",
        tags,
        body: googleLoginSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await connectGoogle(accounts, identityOf(request), postedToken(accounts, request, request.body.id_token));
      return reply.code(204).send();
    },
  );
  app.delete(
    accountPaths.googleConnection,
    {
      config: proved,
      schema: { summary: "Disconnect the Google account", tags, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await disconnectGoogle(accounts, changerOf(request));
      return reply.code(204).send();
    },
  );
}

/** Adds the nonce cookie of the requesting browser, which shows whether the token was issued for it. */
function postedToken({ config }: AccountContext, request: FastifyRequest, idToken: string): PostedToken {
  return { idToken, client: request.client, nonceCookie: request.cookies[nonceCookieOf(config).name] };
}
