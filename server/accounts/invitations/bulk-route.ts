import { bulkInvitationsSchema, bulkResultsSchema } from "#contract/administration/bulk-invitations.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { changerOf } from "../trust/changer-of.ts";
import { inviteSeveral } from "./invite-several.ts";

/** Invitations of several addresses by one request. */
export function bulkInvitationRoute(app: RouteApp, accounts: AccountContext): void {
  app.post(
    administrationPaths.bulkInvitations,
    {
      config: { role: "manager", proof: true, limit: "account-change" },
      schema: {
        summary: "Invite several addresses, with a result for each line",
        description:
          "A line that is refused does not stop the others. A repeated request creates nothing twice: lines with an open " +
          "invitation into the same group are `already-invited`, and have no link. Accounts of the addresses are not " +
          "looked up.",
        tags: ["administration"],
        body: bulkInvitationsSchema,
        response: { 200: bulkResultsSchema },
      },
    },
    async (request) => ({ results: await inviteSeveral(accounts, request.body, changerOf(request)) }),
  );
}
