import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { userSchema } from "#contract/accounts.ts";
import { paths } from "#contract/paths.ts";
import { ownershipSchema } from "#contract/roles.ts";
import type { Accounts } from "../accounts.ts";
import { toUser } from "../to-user.ts";
import { changerOf } from "../trust/changer-of.ts";
import { becomeOwner } from "./owner-link.ts";

type Api = Parameters<FastifyPluginAsyncZod>[0];

export function roleRoutes(app: Api, accounts: Accounts): void {
  app.post(
    paths.ownership,
    {
      config: { proof: true },
      schema: {
        summary: "Become the first owner, by the link on the server's console",
        tags: ["accounts"],
        body: ownershipSchema,
        response: { 200: userSchema },
      },
    },
    async (request) => toUser(await becomeOwner(accounts, request.body.key, changerOf(request))),
  );
}
