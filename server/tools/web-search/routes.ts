import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { administrationPaths } from "#contract/administration/paths.ts";
import {
  newSearchEngineSchema,
  searchCheckRequestSchema,
  searchCheckSchema,
  type WebSearchAnswer,
  webSearchSchema,
} from "#contract/administration/web-search.ts";
import { identityOf } from "../../http/session-hook.ts";
import { leavingOf } from "../../http/streams/leaving-of.ts";
import { type ChangeEngineDeps, changeEngine } from "./change-engine.ts";
import { type CheckEngineDeps, checkEngine } from "./check-engine.ts";
import { decryptEngineKey, findEngineRow, readEngine } from "./stored-engine.ts";

export type WebSearchRoutesDeps = ChangeEngineDeps & CheckEngineDeps;

const tags = ["administration"];
const proved = { role: "owner", proof: true, limit: "account-change" } as const;

/** The search engine of the installation, for owners. */
export function webSearchRoutes(deps: WebSearchRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    app.get(
      administrationPaths.webSearch,
      {
        config: { role: "owner" },
        schema: {
          summary: "Get the search engine of the installation",
          description: "Its key is never returned.",
          tags,
          response: { 200: webSearchSchema },
        },
      },
      () => describeEngine(deps),
    );
    app.put(
      administrationPaths.webSearch,
      {
        config: proved,
        schema: {
          summary: "Set the search engine of the installation",
          description:
            "Takes effect on every process, without a restart. Without a key the stored one stays, which must be " +
            "entered again for another engine or another server.",
          tags,
          body: newSearchEngineSchema,
          response: { 200: webSearchSchema },
        },
      },
      async (request) => {
        await changeEngine(deps, request.body, identityOf(request));
        return describeEngine(deps);
      },
    );
    app.delete(
      administrationPaths.webSearch,
      {
        config: proved,
        schema: { summary: "Remove the search engine of the installation", tags, response: { 204: z.undefined() } },
      },
      async (request, reply) => {
        await changeEngine(deps, null, identityOf(request));
        return reply.code(204).send();
      },
    );
    app.post(
      administrationPaths.webSearchCheck,
      {
        config: { role: "owner", proof: true, limit: "provider-check" },
        schema: {
          summary: "Test a search engine by one query",
          description: "Tests values before they are saved, or the engine in effect. A failure is answered with 200.",
          tags,
          body: searchCheckRequestSchema,
          response: { 200: searchCheckSchema },
        },
      },
      async (request, reply) => {
        const { userId } = identityOf(request);
        return checkEngine(deps, { ...request.body, userId }, leavingOf(reply));
      },
    );
  };
  return routes;
}

async function describeEngine({ database, cipher, webSearch }: WebSearchRoutesDeps): Promise<WebSearchAnswer> {
  const { isFixed } = webSearch;
  if (isFixed) {
    const { kind = "", address = null, key } = webSearch.current() ?? {};
    return { engine: { kind, baseUrl: address, hasKey: key !== undefined, isUnreadable: false }, isFixed };
  }
  const stored = readEngine(await findEngineRow(database));
  if (!stored) return { engine: null, isFixed };
  const { kind, baseUrl, keyEncrypted } = stored;
  const isUnreadable = decryptEngineKey(cipher, stored) === undefined;
  return { engine: { kind, baseUrl, hasKey: keyEncrypted !== null, isUnreadable }, isFixed };
}
