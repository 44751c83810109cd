import { mailedKeyAnswerSchema, mailedKeySchema } from "#contract/accounts/account-settings.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { AccountContext } from "../accounts.ts";
import { readMailedKey } from "./read-mailed-key.ts";

const tags = ["accounts"];
const open = { role: "open" } as const;

/** The lookup of a mailed key before its use. */
export function mailedKeyRoutes(app: RouteApp, accounts: AccountContext): void {
  app.post(
    accountPaths.mailedKey,
    {
      config: open,
      schema: {
        summary: "Get the purpose of a mailed key and the username of its account",
        description: "Does not use the key up, but counts as an attempt.",
        tags,
        body: mailedKeySchema,
        response: { 200: mailedKeyAnswerSchema },
      },
    },
    async (request) => readMailedKey(accounts, request.body.key, request.client),
  );
}
