import * as z from "zod/mini";
import { mailedKeySchema } from "#contract/accounts/account-settings.ts";
import { noticeSchema, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import {
  confirmTotpSchema,
  recoveryCodesSchema,
  SECOND_STEP_LOSS_SUCCESS,
  secondFactorCodeSchema,
  secondFactorLossSchema,
  secondStepEnrolmentSchema,
  secondStepLossSchema,
  secondStepSchema,
  secondStepSetUpSchema,
  setUpSignedInSchema,
  totpEnrolmentSchema,
} from "#contract/accounts/second-factor.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { changerOf } from "../trust/changer-of.ts";
import { answerSignIn } from "./answer-sign-in.ts";
import {
  beginEnrolment,
  confirmEnrolment,
  endRememberedBrowsers,
  renewRecoveryCodes,
  switchOff,
} from "./change-second-factor.ts";
import { askForLoss, beginLoss, stopLossAs, stopLossByKey } from "./lose-factor.ts";
import { beginSetUp, completeSetUp } from "./set-up-at-sign-in.ts";
import { takeSecondStep } from "./take-second-step.ts";

const tags = ["accounts"];
const proved = { proof: true } as const;
const open = { role: "open" } as const;
const nothing = { 204: z.undefined() };

/** The second step of a sign-in, and the settings of the second factor. */
export function secondFactorRoutes(app: RouteApp, accounts: AccountContext): void {
  secondStepRoute(app, accounts);
  setUpRoutes(app, accounts);
  lossRoutes(app, accounts);
  enrolmentRoutes(app, accounts);
  changeRoutes(app, accounts);
}

function secondStepRoute(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.secondStep,
    {
      config: open,
      schema: {
        summary: "Complete a sign-in by a code of the authenticator app or a recovery code",
        description: "`ticket`: from the answer 403 `second-factor-needed` to the first step; valid for five minutes.",
        tags,
        body: secondStepSchema,
        response: { 200: signedInSchema },
      },
    },
    async (request, reply) => {
      const session = await takeSecondStep(accounts, request.body, reply.rememberDevice());
      return answerSignIn(accounts, { session }, request, reply);
    },
  );
}

/** Routes of accounts that lack a required second factor: nothing else accepts their tickets. */
function setUpRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.secondStepEnrolment,
    {
      config: open,
      schema: {
        summary: "Make a secret for an authenticator app at a sign-in that needs a second factor",
        description: "`ticket`: from the answer 403 `second-factor-missing` to the first step; valid for an hour.",
        tags,
        body: secondStepEnrolmentSchema,
        response: { 200: totpEnrolmentSchema },
      },
    },
    async (request, reply) => beginSetUp(accounts, request.body.ticket, reply.rememberDevice()),
  );
  app.post(
    accountPaths.secondStepSetUp,
    {
      config: open,
      schema: {
        summary: "Switch the second factor on by a code of the app, and complete the sign-in",
        tags,
        body: secondStepSetUpSchema,
        response: { 200: setUpSignedInSchema },
      },
    },
    async (request, reply) => {
      const { session, recoveryCodes } = await completeSetUp(accounts, request.body, reply.rememberDevice());
      return { ...(await answerSignIn(accounts, { session }, request, reply)), recoveryCodes };
    },
  );
}

function lossRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.secondStepLoss,
    {
      config: open,
      schema: {
        summary: "Mail a link about a lost second factor, after the first step of a sign-in",
        tags,
        body: secondStepLossSchema,
        response: { 200: noticeSchema },
      },
    },
    async (request, reply) => {
      await askForLoss(accounts, request.body.ticket, reply.rememberDevice());
      return { message: SECOND_STEP_LOSS_SUCCESS };
    },
  );
  app.post(
    accountPaths.secondFactorLoss,
    {
      config: open,
      schema: {
        summary: "Let a lost second factor end after 72 hours, by a mailed key",
        tags,
        body: mailedKeySchema,
        response: { 200: secondFactorLossSchema },
      },
    },
    async (request) => ({ endsAt: await beginLoss(accounts, request.body.key, request.client) }),
  );
  app.post(
    accountPaths.secondFactorKeep,
    {
      config: open,
      schema: { summary: "Keep a second factor, by a mailed key", tags, body: mailedKeySchema, response: nothing },
    },
    async (request, reply) => {
      await stopLossByKey(accounts, request.body.key, request.client);
      return reply.code(204).send();
    },
  );
  app.delete(
    accountPaths.secondFactorLoss,
    { schema: { summary: "Keep the second factor of the signed-in account", tags, response: nothing } },
    async (request, reply) => {
      await stopLossAs(accounts, changerOf(request));
      return reply.code(204).send();
    },
  );
}

function enrolmentRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.totpEnrolment,
    {
      config: proved,
      schema: { summary: "Make a secret for an authenticator app", tags, response: { 200: totpEnrolmentSchema } },
    },
    async (request) => beginEnrolment(accounts, changerOf(request)),
  );
  app.post(
    accountPaths.secondFactor,
    {
      config: proved,
      schema: {
        summary: "Switch the second factor on by a code of the app; answers the recovery codes once",
        tags,
        body: confirmTotpSchema,
        response: { 200: recoveryCodesSchema },
      },
    },
    async (request) => confirmEnrolment(accounts, request.body, changerOf(request)),
  );
}

function changeRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.secondFactorRemoval,
    {
      config: proved,
      schema: {
        summary: "Switch the second factor off by a code",
        tags,
        body: secondFactorCodeSchema,
        response: nothing,
      },
    },
    async (request, reply) => {
      await switchOff(accounts, request.body.code, changerOf(request));
      return reply.code(204).send();
    },
  );
  app.post(
    accountPaths.recoveryCodes,
    {
      config: proved,
      schema: {
        summary: "Replace the recovery codes by a code; answers the new ones once",
        tags,
        body: secondFactorCodeSchema,
        response: { 200: recoveryCodesSchema },
      },
    },
    async (request) => renewRecoveryCodes(accounts, request.body.code, changerOf(request)),
  );
  app.delete(
    accountPaths.rememberedBrowsers,
    {
      config: proved,
      schema: { summary: "Ask all remembered browsers for a code again", tags, response: nothing },
    },
    async (request, reply) => {
      await endRememberedBrowsers(accounts, changerOf(request));
      return reply.code(204).send();
    },
  );
}
