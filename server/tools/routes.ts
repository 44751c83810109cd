import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { toolListSchema } from "#contract/conversation/tools.ts";
import type { Database } from "../database/schema.ts";
import { identityOf } from "../http/session-hook.ts";
import type { Toolbox } from "./toolbox.ts";

/** The groups of tools that chats can use. */
export function toolRoutes({ database, toolbox }: { database: Database; toolbox: Toolbox }): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    app.get(
      conversationPaths.tools,
      {
        config: { role: "signed-in" },
        schema: {
          summary: "List the groups of tools that can be used now",
          description: "Each by its slug, as `tools` of a chat names it; `web` only while a search engine is set.",
          tags: ["chats"],
          response: { 200: toolListSchema },
        },
      },
      async (request) => ({
        groups: await toolbox.listGroups({ db: database, userId: identityOf(request).userId }),
      }),
    );
  };
  return routes;
}
