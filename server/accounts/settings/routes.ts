import * as z from "zod/mini";
import {
  accountDetailsSchema,
  CHANGE_EMAIL_SUCCESS,
  changeEmailSchema,
  changeNamesSchema,
  changePasswordSchema,
  deletionAnswerSchema,
  deletionSchema,
  mailedKeySchema,
  usernameSchema,
} from "#contract/accounts/account-settings.ts";
import { noticeSchema, userSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { preferencesSchema } from "#contract/accounts/preference-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { instructionsSchema } from "#contract/conversation/preset-calls.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { toUser } from "../to-user.ts";
import { changerOf } from "../trust/changer-of.ts";
import { askForEmail, cancelEmail, confirmEmail, undoEmail } from "./change-email.ts";
import { changePassword } from "./change-password.ts";
import {
  changeInstructions,
  changeNames,
  changePreferences,
  changeUsername,
  readAccount,
  readInstructions,
} from "./profile.ts";

const tags = ["accounts"];
const open = { role: "open" } as const;
const proved = { proof: true } as const;
const nothing = { 204: z.undefined() };

/** Settings of an account. */
export function settingsRoutes(app: RouteApp, accounts: AccountContext): void {
  profileRoutes(app, accounts);
  instructionsRoutes(app, accounts);
  passwordRoute(app, accounts);
  emailRoutes(app, accounts);
  emailLinkRoutes(app, accounts);
  deletionRoute(app, accounts);
}

function profileRoutes(app: RouteApp, accounts: AccountContext): void {
  app.get(
    accountPaths.account,
    {
      schema: {
        summary: "Get the account details of the settings page",
        tags,
        response: { 200: accountDetailsSchema },
      },
    },
    async (request) => readAccount(accounts, identityOf(request).userId),
  );
  app.patch(
    accountPaths.me,
    { schema: { summary: "Change first and last name", tags, body: changeNamesSchema, response: { 200: userSchema } } },
    async (request) => toUser(await changeNames(accounts, request.body, changerOf(request))),
  );
  app.patch(
    accountPaths.preferences,
    {
      schema: {
        summary: "Change appearance settings and the language, which follow the account",
        tags,
        body: preferencesSchema,
        response: { 200: userSchema },
      },
    },
    async (request) => toUser(await changePreferences(accounts, request.body, changerOf(request))),
  );
  app.post(
    accountPaths.username,
    {
      config: proved,
      schema: { summary: "Change the username", tags, body: usernameSchema, response: { 200: userSchema } },
    },
    async (request) => toUser(await changeUsername(accounts, request.body.username, changerOf(request))),
  );
}

function instructionsRoutes(app: RouteApp, accounts: AccountContext): void {
  app.get(
    conversationPaths.instructions,
    {
      schema: {
        summary: "Get the account's instructions for models",
        tags,
        response: { 200: instructionsSchema },
      },
    },
    async (request) => readInstructions(accounts, identityOf(request).userId),
  );
  app.put(
    conversationPaths.instructions,
    {
      schema: {
        summary: "Change the account's instructions for models",
        tags,
        body: instructionsSchema,
        response: { 200: instructionsSchema },
      },
    },
    async (request) => changeInstructions(accounts, request.body, changerOf(request)),
  );
}

function passwordRoute(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.password,
    {
      config: proved,
      schema: {
        summary: "Set another password, or the first one; signs out all other devices",
        tags,
        body: changePasswordSchema(accounts.config.passwordMin),
        response: nothing,
      },
    },
    async (request, reply) => {
      await changePassword(accounts, request.body, changerOf(request));
      return reply.code(204).send();
    },
  );
}

function emailRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.email,
    {
      config: proved,
      schema: {
        summary: "Mail a link to a new address, to confirm it",
        tags,
        body: changeEmailSchema,
        response: { 200: noticeSchema },
      },
    },
    async (request, reply) => {
      const changer = { identity: identityOf(request), client: reply.rememberDevice() };
      await askForEmail(accounts, request.body.email, changer);
      return { message: CHANGE_EMAIL_SUCCESS };
    },
  );
  app.delete(
    accountPaths.email,
    { schema: { summary: "Cancel the change of the address", tags, response: nothing } },
    async (request, reply) => {
      await cancelEmail(accounts, changerOf(request));
      return reply.code(204).send();
    },
  );
}

function emailLinkRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.confirmEmail,
    {
      config: open,
      schema: { summary: "Change the address by a mailed key", tags, body: mailedKeySchema, response: nothing },
    },
    async (request, reply) => {
      await confirmEmail(accounts, request.body.key, request.client);
      return reply.code(204).send();
    },
  );
  app.post(
    accountPaths.undoEmail,
    {
      config: open,
      schema: {
        summary: "Restore the account's old address with a mailed key; signs out all devices",
        tags,
        body: mailedKeySchema,
        response: nothing,
      },
    },
    async (request, reply) => {
      await undoEmail(accounts, request.body.key, request.client);
      return reply.code(204).send();
    },
  );
}

function deletionRoute(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.accountDeletion,
    {
      config: proved,
      schema: {
        summary: "Delete the account, now or in 14 days",
        tags,
        body: deletionSchema,
        response: { 200: deletionAnswerSchema },
      },
    },
    async (request, reply) => {
      const deleteAt = await accounts.deletions.ask(request.body, changerOf(request));
      reply.renewAntiForgery();
      return { deleteAt };
    },
  );
}
