import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import {
  newOwnServerSchema,
  ownServerChangeSchema,
  ownServerParamsSchema,
  ownServerPaths,
  personalServerSchema,
  personalServersSchema,
} from "#contract/mcp/own-servers.ts";
import { identityOf } from "../../http/session-hook.ts";
import { leavingOf } from "../../http/streams/leaving-of.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { OwnServers } from "./own-servers.ts";

const tags = ["tools"];
const response = { 200: personalServerSchema };

/** Tool servers of a person, and those to which the person signs in. */
export function ownServerRoutes(servers: OwnServers): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    listRoutes(app, servers);
    singleRoutes(app, servers);
  };
  return routes;
}

function listRoutes(app: RouteApp, servers: OwnServers): void {
  app.get(
    ownServerPaths.servers,
    {
      schema: {
        summary: "List one's own tool servers, and those that need or have one's sign-in",
        tags,
        response: { 200: personalServersSchema },
      },
    },
    async (request) => servers.list(identityOf(request).userId),
  );
  app.post(
    ownServerPaths.servers,
    {
      config: { limit: "provider-check" },
      schema: {
        summary: "Add a tool server",
        description:
          "Over https, at a public address. The answer has what the server answered; it stays also if it failed.",
        tags,
        body: newOwnServerSchema,
        response: { 201: personalServerSchema },
      },
    },
    async (request, reply) => {
      const { userId } = identityOf(request);
      return reply.code(201).send(await servers.add(userId, request.body, leavingOf(reply)));
    },
  );
}

function singleRoutes(app: RouteApp, servers: OwnServers): void {
  app.patch(
    ownServerPaths.server(":id"),
    {
      config: { limit: "provider-check" },
      schema: {
        summary: "Rename or move one of one's own tool servers",
        description: "Another address ends the sign-in and removes the approvals of its tools.",
        tags,
        params: ownServerParamsSchema,
        body: ownServerChangeSchema,
        response,
      },
    },
    async (request, reply) =>
      servers.change(identityOf(request).userId, request.params.id, request.body, leavingOf(reply)),
  );
  app.delete(
    ownServerPaths.server(":id"),
    {
      schema: {
        summary: "Remove one of one's own tool servers, its sign-in and the approvals of its tools",
        tags,
        params: ownServerParamsSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await servers.remove(identityOf(request).userId, request.params.id);
      return reply.code(204).send();
    },
  );
  app.post(
    ownServerPaths.refresh(":id"),
    {
      config: { limit: "provider-check" },
      schema: { summary: "Ask a tool server for its tools", tags, params: ownServerParamsSchema, response },
    },
    async (request, reply) => servers.refresh(identityOf(request).userId, request.params.id, leavingOf(reply)),
  );
}
