import * as z from "zod/mini";
import { userSchema } from "#contract/accounts/accounts.ts";
import { createdOwnershipOfferSchema, newOwnershipOfferSchema, ownershipSchema } from "#contract/accounts/ownership.ts";
import { administeredParamsSchema } from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { toUser } from "../to-user.ts";
import { changerOf } from "../trust/changer-of.ts";
import { becomeOwner } from "./owner-link.ts";
import { offerOwnership, withdrawOwnership } from "./ownership-offers.ts";

const tags = ["administration"];
const provedOwner = { role: "owner", proof: true } as const;

/** Ownership: the first owner, and its hand-over by an offer and its acceptance. */
export function roleRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    administrationPaths.ownership,
    {
      config: { proof: true },
      schema: {
        summary: "Become an owner, by the link on the server's console or that of an owner's offer",
        tags: ["accounts"],
        body: ownershipSchema,
        response: { 200: userSchema },
      },
    },
    async (request) => toUser(await becomeOwner(accounts, request.body.key, changerOf(request))),
  );
  app.post(
    administrationPaths.ownershipOffer(":id"),
    {
      config: provedOwner,
      schema: {
        summary: "Offer ownership to an account",
        description:
          "The account becomes an owner when it accepts, within 7 days. Only this answer, and a mail to the account, " +
          "contain the link. A newer offer replaces an earlier one.",
        tags,
        params: administeredParamsSchema,
        body: newOwnershipOfferSchema,
        response: { 201: createdOwnershipOfferSchema },
      },
    },
    async (request, reply) => {
      const { userId: ownerId } = identityOf(request);
      const created = await offerOwnership(accounts, request.params.id, { ...request.body, ownerId });
      return reply.code(201).send(created);
    },
  );
  app.delete(
    administrationPaths.ownershipOffer(":id"),
    {
      config: provedOwner,
      schema: {
        summary: "Withdraw the offer of ownership to an account",
        tags,
        params: administeredParamsSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await withdrawOwnership(accounts, request.params.id, identityOf(request).userId);
      return reply.code(204).send();
    },
  );
}
