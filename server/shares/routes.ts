import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { chatParamsSchema } from "#contract/conversation/chat-calls.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import {
  publicationSchema,
  revocationSchema,
  shareDraftSchema,
  shareFileParamsSchema,
  shareListSchema,
  shareOptionsSchema,
  shareParamsSchema,
  shareSchema,
} from "#contract/shares/shares.ts";
import type { HeavyReads } from "../concurrency/heavy-reads.ts";
import { sendFileBytes } from "../files/send-file-bytes.ts";
import { identityOf } from "../http/session-hook.ts";
import type { OpenStreams } from "../http/streams/open-streams.ts";
import type { RouteApp } from "../http/validation.ts";
import { flowOf } from "../limits/flow-of.ts";
import type { Limits } from "../limits/limits.ts";
import type { SharedPages } from "./shared-pages.ts";
import type { Shares } from "./shares.ts";

const tags = ["shares"];
const params = shareParamsSchema;

export type ShareRoutesDeps = {
  shares: Shares;
  pages: SharedPages;
  limits: Limits;
  streams: OpenStreams;
  heavyReads: HeavyReads;
};

/** Links of an account to snapshots of its chats. */
export function shareRoutes(deps: ShareRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    draftRoutes(app, deps);
    listRoutes(app, deps);
    linkRoutes(app, deps);
  };
  return routes;
}

function draftRoutes(app: RouteApp, { shares, limits, streams, heavyReads }: ShareRoutesDeps): void {
  app.post(
    sharePaths.drafts(":id"),
    {
      schema: {
        summary: "Render a snapshot of a chat for a link",
        description:
          "The snapshot is a draft that only the account can open, until it is published. It replaces the former draft, and is deleted after a day. It has the selected branch, as it is now.",
        tags,
        params: chatParamsSchema,
        body: shareOptionsSchema,
        response: { 201: shareDraftSchema },
      },
    },
    async (request, reply) => {
      const { userId } = identityOf(request);
      await limits.take("share-draft", userId);
      const flow = flowOf(request.client, userId);
      const signal = streams.watch(request, reply);
      const { params: chat, body: options } = request;
      const draft = await shares
        .draft({ userId, chatId: chat.id, options, flow, read: heavyReads.of(flow), signal })
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      // The client has disconnected.
      if (!draft) return reply.hijack();
      return reply.code(201).send(draft);
    },
  );
  app.post(
    sharePaths.publication(":id"),
    {
      schema: {
        summary: "Make a draft a link, or the new content of a link",
        tags,
        params,
        body: publicationSchema,
        response: { 200: shareSchema },
      },
    },
    (request) => shares.publish(identityOf(request).userId, request.params.id, request.body),
  );
}

function listRoutes(app: RouteApp, { shares }: ShareRoutesDeps): void {
  app.get(
    sharePaths.shares,
    {
      schema: {
        summary: "List one's links to chats, and what one may share",
        description: "Without links that have expired, and without links to deleted chats.",
        tags,
        response: { 200: shareListSchema },
      },
    },
    (request) => shares.list(identityOf(request).userId),
  );
  app.delete(
    sharePaths.shares,
    { schema: { summary: "Revoke all one's links to chats", tags, response: { 200: revocationSchema } } },
    async (request) => ({ revoked: await shares.revokeAll(identityOf(request).userId) }),
  );
}

function linkRoutes(app: RouteApp, { shares, pages }: ShareRoutesDeps): void {
  app.delete(
    sharePaths.share(":id"),
    { schema: { summary: "Revoke a link, or delete a draft", tags, params } },
    async (request, reply) => {
      await shares.revoke(identityOf(request).userId, request.params.id);
      return reply.code(204).send();
    },
  );
  app.get(
    sharePaths.page(":id"),
    { schema: { summary: "Get the page of one's link or draft, as readers get it", tags, params } },
    async (request, reply) => {
      const share = await shares.require(identityOf(request).userId, request.params.id);
      return reply.type("application/json; charset=utf-8").send(await pages.preview(share));
    },
  );
  app.get(
    sharePaths.file(":id", ":position"),
    { schema: { summary: "Download a file of one's link or draft", tags, params: shareFileParamsSchema } },
    async (request, reply) => {
      const { id, position } = request.params;
      const share = await shares.require(identityOf(request).userId, id);
      const { file, bytes } = await pages.fileOf(share, position);
      return sendFileBytes(reply, file, bytes);
    },
  );
}
