import * as z from "zod/mini";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import {
  addPasskeySchema,
  beginPasskeySchema,
  passkeyChallengeSchema,
  passkeyCreationSchema,
  passkeyListSchema,
  passkeyParamsSchema,
  passkeySchema,
  passkeySignInSchema,
  renamePasskeySchema,
} from "#contract/accounts/passkeys.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { answerSignIn } from "../second-factor/answer-sign-in.ts";
import { changerOf } from "../trust/changer-of.ts";
import { addPasskey, beginPasskey, nameOwnPasskey, readPasskeys, removePasskey } from "./change-passkeys.ts";
import { beginPasskeyUse, signInByPasskey } from "./sign-in-by-passkey.ts";

const tags = ["accounts"];
const proved = { proof: true } as const;
const open = { role: "open" } as const;
const nothing = { 204: z.undefined() };

/** Sign-in by passkeys, and the passkeys of the account. */
export function passkeyRoutes(app: RouteApp, accounts: AccountContext): void {
  signInRoutes(app, accounts);
  additionRoutes(app, accounts);
  ownRoutes(app, accounts);
}

function signInRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.passkeyChallenge,
    {
      config: open,
      schema: {
        summary: "Get the options of a request for a passkey: to sign in, for a second step, or as proof",
        description: "The challenge is valid for five minutes, once, in the requesting browser.",
        tags,
        response: { 200: passkeyChallengeSchema },
      },
    },
    async (_request, reply) => beginPasskeyUse(accounts, reply.rememberDevice()),
  );
  app.post(
    accountPaths.passkeySignIn,
    {
      config: open,
      schema: {
        summary: "Sign in by a passkey, which counts as both steps",
        tags,
        body: passkeySignInSchema,
        response: { 200: signedInSchema },
      },
    },
    async (request, reply) => {
      const finished = await signInByPasskey(accounts, request.body.passkey, reply.rememberDevice());
      return answerSignIn(accounts, finished, request, reply);
    },
  );
}

function additionRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.passkeyCreation,
    {
      config: proved,
      schema: {
        summary: "Get the options of a new passkey",
        tags,
        body: beginPasskeySchema,
        response: { 200: passkeyCreationSchema },
      },
    },
    async (request) => beginPasskey(accounts, request.body, changerOf(request)),
  );
  app.post(
    accountPaths.passkeys,
    {
      config: proved,
      schema: { summary: "Add a passkey", tags, body: addPasskeySchema, response: { 200: passkeySchema } },
    },
    async (request) => addPasskey(accounts, request.body, changerOf(request)),
  );
}

function ownRoutes(app: RouteApp, accounts: AccountContext): void {
  app.get(
    accountPaths.passkeys,
    { schema: { summary: "List the passkeys of the account", tags, response: { 200: passkeyListSchema } } },
    async (request) => readPasskeys(accounts, identityOf(request).userId),
  );
  app.patch(
    accountPaths.passkey(":id"),
    {
      schema: {
        summary: "Rename a passkey",
        tags,
        params: passkeyParamsSchema,
        body: renamePasskeySchema,
        response: nothing,
      },
    },
    async (request, reply) => {
      await nameOwnPasskey(accounts, { ...request.params, ...request.body }, changerOf(request));
      return reply.code(204).send();
    },
  );
  app.delete(
    accountPaths.passkey(":id"),
    {
      config: proved,
      schema: { summary: "Remove a passkey", tags, params: passkeyParamsSchema, response: nothing },
    },
    async (request, reply) => {
      await removePasskey(accounts, request.params.id, changerOf(request));
      return reply.code(204).send();
    },
  );
}
