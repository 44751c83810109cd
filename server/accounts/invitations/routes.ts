import * as z from "zod/mini";
import { accountPaths } from "#contract/accounts/paths.ts";
import { classCodeSchema, exchangedClassCodeSchema } from "#contract/administration/class-codes.ts";
import {
  createdInvitationSchema,
  invitationKeySchema,
  invitationListSchema,
  invitationParamsSchema,
  invitationsQuerySchema,
  newInvitationSchema,
  receivedInvitationSchema,
} from "#contract/administration/invitations.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { reachOf } from "../roles/may-administer.ts";
import { changerOf } from "../trust/changer-of.ts";
import { createInvitation, listInvitations, revokeInvitation } from "./administer-invitations.ts";
import { bulkInvitationRoute } from "./bulk-route.ts";
import { exchangeClassCode } from "./exchange-class-code.ts";
import { readInvitation } from "./spend-invitation.ts";

const tags = ["administration"];
const manager = { role: "manager" } as const;
const proved = { ...manager, proof: true } as const;

/** Invitations: their administration, and the lookup by their key and by their class code. */
export function invitationRoutes(app: RouteApp, accounts: AccountContext): void {
  administrationRoutes(app, accounts);
  bulkInvitationRoute(app, accounts);
  app.post(
    accountPaths.invitation,
    {
      config: { role: "open" },
      schema: {
        summary: "Get the inviter's name and the invited address of an invitation by its key",
        description: "Does not use the invitation, but counts as an attempt.",
        tags: ["accounts"],
        body: invitationKeySchema,
        response: { 200: receivedInvitationSchema },
      },
    },
    async (request) => readInvitation(accounts, request.body.key, request.client),
  );
  app.post(
    accountPaths.classCode,
    {
      config: { role: "open" },
      schema: {
        summary: "Get an invitation with the key of its link by its class code",
        description:
          "Does not use the invitation. A network has 10 wrong codes a minute, each of its devices 5, also if rate limits are off.",
        tags: ["accounts"],
        body: classCodeSchema,
        response: { 200: exchangedClassCodeSchema },
      },
    },
    async (request, reply) => {
      const { client } = request;
      reply.rememberDevice();
      return exchangeClassCode(accounts, request.body.code, client);
    },
  );
}

function administrationRoutes(app: RouteApp, accounts: AccountContext): void {
  app.get(
    administrationPaths.invitations,
    {
      config: manager,
      schema: {
        summary: "List invitations, newest first, by page",
        description: "Managers get those into their own group.",
        tags,
        querystring: invitationsQuerySchema,
        response: { 200: invitationListSchema },
      },
    },
    async (request) => listInvitations(accounts, { reach: reachOf(identityOf(request)), ...request.query }),
  );
  app.post(
    administrationPaths.invitations,
    {
      config: proved,
      schema: {
        summary: "Create an invitation",
        description:
          "Only this answer contains the link. An administrator can invite persons and managers, a manager persons into " +
          "their own group, and nobody an owner. A class code invites persons, for at most eight hours.",
        tags,
        body: newInvitationSchema,
        response: { 201: createdInvitationSchema },
      },
    },
    async (request, reply) => {
      const created = await createInvitation(accounts, request.body, changerOf(request));
      return reply.code(201).send(created);
    },
  );
  app.delete(
    administrationPaths.invitation(":id"),
    {
      config: proved,
      schema: {
        summary: "Revoke an invitation",
        tags,
        params: invitationParamsSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await revokeInvitation(accounts, request.params.id, changerOf(request));
      return reply.code(204).send();
    },
  );
}
