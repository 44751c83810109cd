import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { chatParamsSchema } from "#contract/conversation/chat-calls.ts";
import { folderChangeSchema, folderDeletionQuerySchema, newFolderSchema } from "#contract/conversation/folder-calls.ts";
import { folderListSchema, folderSchema } from "#contract/conversation/folders.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { identityOf } from "../../http/session-hook.ts";
import type { RouteApp } from "../../http/validation.ts";
import type { Folders } from "./folders.ts";

const tags = ["folders"];

export function folderRoutes(folders: Folders): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    listRoutes(app, folders);
    singleFolderRoutes(app, folders);
  };
  return routes;
}

function listRoutes(app: RouteApp, folders: Folders): void {
  app.get(
    conversationPaths.folders,
    { schema: { summary: "List the folders in their order", tags, response: { 200: folderListSchema } } },
    (request) => folders.list(identityOf(request).userId),
  );
  app.post(
    conversationPaths.folders,
    {
      config: { limit: "chat" },
      schema: { summary: "Create a folder", tags, body: newFolderSchema, response: { 201: folderSchema } },
    },
    async (request, reply) => {
      const { userId } = identityOf(request);
      return reply.code(201).send(await folders.create(userId, request.body.name));
    },
  );
}

function singleFolderRoutes(app: RouteApp, folders: Folders): void {
  const params = chatParamsSchema;
  const response = { 204: z.undefined() };
  app.patch(
    conversationPaths.folder(":id"),
    {
      schema: {
        summary: "Rename a folder, or change its position",
        tags,
        params,
        body: folderChangeSchema,
        response,
      },
    },
    async (request, reply) => {
      await folders.change(identityOf(request).userId, request.params.id, request.body);
      return reply.code(204).send();
    },
  );
  app.delete(
    conversationPaths.folder(":id"),
    {
      schema: {
        summary: "Delete a folder; its chats stay. With `empty` only a folder without chats",
        tags,
        params,
        querystring: folderDeletionQuerySchema,
        response,
      },
    },
    async (request, reply) => {
      const isEmpty = request.query.empty !== undefined;
      await folders.delete(identityOf(request).userId, request.params.id, isEmpty);
      return reply.code(204).send();
    },
  );
  app.post(
    conversationPaths.folderRestore(":id"),
    { schema: { summary: "Undo the deletion of a folder, within the hour", tags, params, response } },
    async (request, reply) => {
      await folders.restore(identityOf(request).userId, request.params.id);
      return reply.code(204).send();
    },
  );
}
