import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import {
  automaticModelsSchema,
  changeConnectionSchema,
  changeModelsSchema,
  connectionListSchema,
  connectionModelsSchema,
  connectionOrderSchema,
  connectionParamsSchema,
  connectionSchema,
  connectionUsesSchema,
  type NewConnection,
  newConnectionSchema,
} from "#contract/administration/connections.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { Failure } from "../failure.ts";
import { identityOf } from "../http/session-hook.ts";
import type { RouteApp } from "../http/validation.ts";
import { isFixedSlug } from "../models/connections/connection-settings.ts";
import type { Models } from "../models/open-models.ts";
import { changeAutomatic } from "./automatic-models.ts";
import {
  type ChangeConnectionDeps,
  type ConnectionActor,
  changeConnection,
  changeConnections,
  createConnection,
  orderConnections,
  removeConnection,
} from "./change-connections.ts";
import { changeModels } from "./change-models.ts";
import { findConnection } from "./connection-store.ts";
import { type DescribeDeps, describeConnection, describeConnections, listModelsOf } from "./describe-connections.ts";
import { findUses } from "./uses-store.ts";

export type ConnectionRoutesDeps = ChangeConnectionDeps &
  DescribeDeps & { models: Pick<Models, "describe" | "probe" | "refresh"> };

const tags = ["administration"];
const owner = { role: "owner" } as const;
const proved = { role: "owner", proof: true, limit: "account-change" } as const;
const params = connectionParamsSchema;

/** Connections to providers of models, for owners. */
export function connectionRoutes(deps: ConnectionRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    listRoutes(app, deps);
    changeRoutes(app, deps);
    modelRoutes(app, deps);
  };
  return routes;
}

const actorOf = (request: FastifyRequest) => identityOf(request);

function listRoutes(app: RouteApp, deps: ConnectionRoutesDeps): void {
  app.get(
    administrationPaths.connections,
    {
      config: owner,
      schema: {
        summary: "List the connections to providers of models",
        description:
          "Those that the environment sets come first. Keys are never returned, but for their last four characters.",
        tags,
        response: { 200: connectionListSchema },
      },
    },
    () => describeConnections(deps),
  );
  app.put(
    administrationPaths.connectionOrder,
    {
      config: proved,
      schema: { summary: "Order the connections", tags, body: connectionOrderSchema, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await orderConnections(deps, request.body.slugs, actorOf(request));
      return reply.code(204).send();
    },
  );
  app.put(
    administrationPaths.automaticModels,
    {
      config: proved,
      schema: {
        summary: "Order the models of automatic choice",
        description: "Null restores the default order. Models that are not available are passed over.",
        tags,
        body: automaticModelsSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await changeConnections(deps, actorOf(request), (db, { at, actor }) =>
        changeAutomatic(db, request.body.values, { at, actor }),
      );
      return reply.code(204).send();
    },
  );
}

/** Stores the wire format of a new connection if its server has another than chat completions. */
async function chooseApi(
  deps: ConnectionRoutesDeps,
  slug: string,
  { kind, settings }: Pick<NewConnection, "kind" | "settings">,
  actor: ConnectionActor,
): Promise<void> {
  if (kind !== "openai" || settings?.api !== undefined) return;
  const api = await deps.models.probe(slug);
  if (api === "responses") await changeConnection(deps, slug, { settings: { api } }, actor);
}

function changeRoutes(app: RouteApp, deps: ConnectionRoutesDeps): void {
  app.post(
    administrationPaths.connections,
    {
      config: proved,
      schema: {
        summary: "Create a connection",
        description:
          "Takes effect on every process, without a restart. Its list of models is requested at once; a server that " +
          "does not answer is no failure: `list` says why.",
        tags,
        body: newConnectionSchema,
        response: { 201: connectionSchema },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const slug = await createConnection(deps, request.body, actor);
      await deps.models.refresh(slug);
      await chooseApi(deps, slug, request.body, actor);
      return reply.code(201).send(await describeConnection(deps, slug));
    },
  );
  app.patch(
    administrationPaths.connection(":id"),
    {
      config: proved,
      schema: {
        summary: "Change a connection",
        description: "Running replies keep the connection with which they began.",
        tags,
        params,
        body: changeConnectionSchema,
        response: { 200: connectionSchema },
      },
    },
    async (request) => {
      const { id: slug } = request.params;
      await changeConnection(deps, slug, request.body, actorOf(request));
      const { baseUrl, apiKey, headers } = request.body;
      if (baseUrl !== undefined || apiKey !== undefined || headers !== undefined) await deps.models.refresh(slug);
      return describeConnection(deps, slug);
    },
  );
  app.delete(
    administrationPaths.connection(":id"),
    {
      config: proved,
      schema: { summary: "Delete a connection", tags, params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await removeConnection(deps, request.params.id, actorOf(request));
      return reply.code(204).send();
    },
  );
  app.get(
    administrationPaths.connectionUses(":id"),
    {
      config: owner,
      schema: {
        summary: "Get what names the models of a connection",
        tags,
        params,
        response: { 200: connectionUsesSchema },
      },
    },
    async (request) => {
      const { id: slug } = request.params;
      if (!(await findConnection(deps.database, slug))) throw new Failure("not-found");
      return findUses(deps.database, slug);
    },
  );
}

function modelRoutes(app: RouteApp, deps: ConnectionRoutesDeps): void {
  app.get(
    administrationPaths.connectionModels(":id"),
    {
      config: owner,
      schema: {
        summary: "List the models of a connection, also those that people cannot choose",
        tags,
        params,
        response: { 200: connectionModelsSchema },
      },
    },
    async (request) => ({ models: await listModelsOf(deps, request.params.id) }),
  );
  app.patch(
    administrationPaths.connectionModels(":id"),
    {
      config: proved,
      schema: {
        summary: "Change what is entered about models of a connection",
        tags,
        params,
        body: changeModelsSchema,
        response: { 200: connectionModelsSchema },
      },
    },
    async (request) => {
      const { id: slug } = request.params;
      await changeModels(deps, { slug, isFixed: isFixedSlug(slug) }, request.body, actorOf(request));
      return { models: await listModelsOf(deps, slug) };
    },
  );
  app.post(
    administrationPaths.connectionList(":id"),
    {
      config: { role: "owner", proof: true, limit: "provider-check" },
      schema: {
        summary: "Request the list of a connection's models now",
        description: "Waits up to ten seconds. A server that does not answer is no failure: `list` says why.",
        tags,
        params,
        response: { 200: connectionSchema },
      },
    },
    async (request) => {
      const { id: slug } = request.params;
      await deps.models.refresh(slug);
      const { connections } = await describeConnections(deps);
      const found = connections.find((connection) => connection.slug === slug);
      if (!found) throw new Failure("not-found");
      return found;
    },
  );
}
