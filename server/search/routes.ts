import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { searchQuerySchema, searchResultSchema } from "#contract/conversation/search.ts";
import { Failure } from "../failure.ts";
import { identityOf } from "../http/session-hook.ts";
import { flowOf } from "../limits/flow-of.ts";
import type { Search } from "./search.ts";

export function searchRoutes(search: Search): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    app.get(
      conversationPaths.search,
      {
        config: { limit: "search" },
        schema: {
          summary: "Search all messages, attached files and titles",
          description:
            "Every word of `q` must be there, each as the beginning of a word; scripts without spaces between words are " +
            "found anywhere. Deleted chats are never found, archived ones are. A file is found by its name and its " +
            "readable text, of both together the first 20,000 different words; its hit has `file`, and the message that " +
            "names it. The snippet is plain text, without the Markdown syntax that the page renders; `marks` say what " +
            "was found in it, in UTF-16 units.",
          tags: ["search"],
          querystring: searchQuerySchema,
          response: { 200: searchResultSchema },
        },
      },
      async (request, reply) => {
        const { userId } = identityOf(request);
        const leaving = new AbortController();
        reply.raw.once("close", () => leaving.abort(new Failure("too-many-requests", { retryAfterSeconds: 1 })));
        return search.find(flowOf(request.client, userId), request.query, leaving.signal);
      },
    );
  };
  return routes;
}
