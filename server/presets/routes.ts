import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { newPresetSchema, presetChangeSchema, presetParamsSchema } from "#contract/conversation/preset-calls.ts";
import { presetListSchema, presetSchema } from "#contract/conversation/presets.ts";
import { identityOf } from "../http/session-hook.ts";
import type { RouteApp } from "../http/validation.ts";
import type { Presets } from "./presets.ts";

const tags = ["presets"];

export function presetRoutes(presets: Presets): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    listRoutes(app, presets);
    singlePresetRoutes(app, presets);
  };
  return routes;
}

function listRoutes(app: RouteApp, presets: Presets): void {
  app.get(
    conversationPaths.presets,
    { schema: { summary: "List the presets in their order", tags, response: { 200: presetListSchema } } },
    async (request) => presets.list(identityOf(request).userId),
  );
  app.post(
    conversationPaths.presets,
    {
      config: { limit: "preset" },
      schema: { summary: "Create a preset", tags, body: newPresetSchema, response: { 201: presetSchema } },
    },
    async (request, reply) => {
      const { userId } = identityOf(request);
      return reply.code(201).send(await presets.add(userId, request.body));
    },
  );
}

function singlePresetRoutes(app: RouteApp, presets: Presets): void {
  app.patch(
    conversationPaths.preset(":id"),
    {
      schema: {
        summary: "Change a preset, or its position in the list",
        tags,
        params: presetParamsSchema,
        body: presetChangeSchema,
        response: { 200: presetSchema },
      },
    },
    async (request) => presets.change(identityOf(request).userId, request.params.id, request.body),
  );
  app.delete(
    conversationPaths.preset(":id"),
    {
      schema: {
        summary: "Delete a preset; for an hour it can be restored",
        tags,
        params: presetParamsSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await presets.delete(identityOf(request).userId, request.params.id);
      return reply.code(204).send();
    },
  );
  app.post(
    conversationPaths.presetRestoration(":id"),
    {
      schema: {
        summary: "Restore a deleted preset",
        tags,
        params: presetParamsSchema,
        response: { 200: presetSchema },
      },
    },
    async (request) => presets.restore(identityOf(request).userId, request.params.id),
  );
}
