import {
  FORGOT_PASSWORD_SUCCESS,
  forgotPasswordSchema,
  RESET_PASSWORD_SUCCESS,
  resetPasswordSchema,
} from "#contract/accounts/account-settings.ts";
import { noticeSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { forgotPassword } from "./forgot-password.ts";
import { resetPassword } from "./reset-password.ts";

const tags = ["accounts"];
const open = { role: "open" } as const;

/** Recovery of an account with a forgotten password. */
export function recoveryRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.forgotPassword,
    {
      config: open,
      schema: {
        summary: "Mail a link to set a new password to an address or a username",
        tags,
        body: forgotPasswordSchema,
        response: { 200: noticeSchema },
      },
    },
    async (request, reply) => {
      await forgotPassword(accounts, request.body.email, reply.rememberDevice());
      return { message: FORGOT_PASSWORD_SUCCESS };
    },
  );
  app.post(
    accountPaths.resetPassword,
    {
      config: open,
      schema: {
        summary: "Set a new password by a mailed key",
        tags,
        body: resetPasswordSchema(accounts.config.passwordMin),
        response: { 200: noticeSchema },
      },
    },
    async (request, reply) => {
      await resetPassword(accounts, request.body, reply.rememberDevice());
      return { message: RESET_PASSWORD_SUCCESS };
    },
  );
}
