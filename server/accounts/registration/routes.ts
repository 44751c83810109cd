import {
  noticeSchema,
  REGISTRATION_SUCCESS,
  RESEND_SUCCESS,
  registeredSchema,
  registerSchema,
  resendSchema,
  verifiedSchema,
  verifySchema,
} from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { Client } from "../../http/client.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { countHiddenMail, countMail } from "../mailed-keys/mail-limits.ts";
import { answerSignIn } from "../second-factor/answer-sign-in.ts";
import { findAddressees, mailVerification } from "./addressees.ts";
import { inEvenTime } from "./in-even-time.ts";
import { register } from "./register.ts";
import { verifyEmail } from "./verify-email.ts";

const tags = ["accounts"];
const open = { role: "open" } as const;

/** Registration and verification of addresses. */
export function registrationRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.register,
    {
      config: open,
      schema: {
        summary: "Create an account, whose address must then be verified",
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
    accountPaths.verify,
    {
      config: open,
      schema: {
        summary: "Verify an address by its mailed key, and sign in",
        description:
          "A key that has verified its account before is answered with `alreadyVerified`, without a session, in the " +
          "browser that registered, and with the problem `already-verified` elsewhere, until it would have expired.",
        tags,
        body: verifySchema,
        response: { 200: verifiedSchema },
      },
    },
    async (request, reply) => {
      const finished = await verifyEmail(accounts, request.body.key, reply.rememberDevice());
      if (finished === "already-verified") return { alreadyVerified: true as const };
      return answerSignIn(accounts, finished, request, reply);
    },
  );
  app.post(
    accountPaths.resendVerification,
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

/**
 * Mails new keys to pending accounts with an address or username. Does not reveal whether any exist.
 * @throws Failure `too-many-requests`, for existing and unknown names alike
 */
async function resendVerification(accounts: AccountContext, addressOrUsername: string, client: Client): Promise<void> {
  await countMail(accounts, addressOrUsername, client);
  await inEvenTime(mailAsked(accounts, addressOrUsername));
}

async function mailAsked(accounts: AccountContext, addressOrUsername: string): Promise<void> {
  const { database, mails, outbox } = accounts;
  const mayMail = await countHiddenMail(accounts, addressOrUsername);
  await database.transaction().execute(async (db) => {
    const addressees = await findAddressees(db, addressOrUsername);
    await (mayMail ? mailVerification(accounts, db, addressees) : mails.sendNothing(db));
  });
  outbox.notify();
}
