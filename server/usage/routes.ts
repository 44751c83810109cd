import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { OwnBudgets } from "#contract/models/budgets.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { messageParamsSchema, messageUsageSchema, usageQuerySchema, usageSchema } from "#contract/models/usage.ts";
import { identityOf } from "../http/session-hook.ts";
import { type UsageDeps, usageOfMessage, usageOfMonths } from "./usage.ts";

const tags = ["usage"];
const MONTHS = 12;

/** `readBudgets`: returns the budgets of an account. Budgets count usage, so that this folder cannot import them. */
export type UsageRoutesDeps = UsageDeps & { readBudgets: (userId: string) => Promise<OwnBudgets> };

export function usageRoutes(deps: UsageRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    app.get(
      modelPaths.messageUsage(":id", ":messageId"),
      {
        schema: {
          summary: "Get the usage of a reply: its calls to models, with tokens and cost",
          tags,
          params: messageParamsSchema,
          response: { 200: messageUsageSchema },
        },
      },
      (request) => {
        const { id: chatId, messageId } = request.params;
        return usageOfMessage(deps, identityOf(request).userId, { chatId, messageId });
      },
    );
    app.get(
      modelPaths.usage,
      {
        schema: {
          summary: "Get the usage of the account, by month (UTC) and model, newest month first",
          description:
            "Includes titles, temporary chats and deleted chats, and the state of the account's budget and of its group's.",
          tags,
          querystring: usageQuerySchema,
          response: { 200: usageSchema },
        },
      },
      async (request) => {
        const { userId } = identityOf(request);
        const usage = await usageOfMonths(deps, userId, request.query.months ?? MONTHS);
        return { ...usage, budgets: await deps.readBudgets(userId) };
      },
    );
  };
  return routes;
}
