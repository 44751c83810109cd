import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { eventsQuerySchema } from "#contract/conversation/account-events.ts";
import {
  chatBatchSchema,
  chatChangeSchema,
  chatHistoryQuerySchema,
  chatParamsSchema,
  newChatSchema,
} from "#contract/conversation/chat-calls.ts";
import { chatBatchAnswerSchema, chatHistorySchema } from "#contract/conversation/chats.ts";
import { chatSchema } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { CHATS_LISTED_MAX } from "#contract/limits.ts";
import type { HeavyReads } from "../concurrency/heavy-reads.ts";
import { Failure } from "../failure.ts";
import { idempotencyKeyOf } from "../http/idempotency-key.ts";
import { identityOf } from "../http/session-hook.ts";
import { answerJson } from "../http/streams/answer-json.ts";
import type { OpenStreams } from "../http/streams/open-streams.ts";
import type { RouteApp } from "../http/validation.ts";
import { flowOf } from "../limits/flow-of.ts";
import type { AccountEvents } from "./account-events.ts";
import type { Chats } from "./chats.ts";
import { toGuidance, toLocation, toUntitled } from "./to-list-item.ts";

export type ChatRoutesDeps = {
  chats: Chats;
  heavyReads: HeavyReads;
  events: AccountEvents;
  streams: OpenStreams;
  /** Whether the process is shutting down, so that no stream may start. */
  isDraining(): boolean;
};

const tags = ["chats"];

export function chatRoutes(deps: ChatRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    listRoutes(app, deps);
    singleChatRoutes(app, deps);
    batchRoute(app, deps);
    eventsRoute(app, deps);
  };
  return routes;
}

function listRoutes(app: RouteApp, { chats, heavyReads }: ChatRoutesDeps): void {
  app.get(
    conversationPaths.chatHistory,
    {
      schema: {
        summary: "List the chats, newest activity first, all or by page",
        description:
          "Without archived chats; `pinned`, `archived` and `folder` leave only such chats. Without `limit` at most " +
          `${CHATS_LISTED_MAX} chats: older ones follow \`before\`.`,
        tags,
        querystring: chatHistoryQuerySchema,
        response: { 200: chatHistorySchema },
      },
    },
    async (request, reply) => {
      const { limit, before, pinned, archived, folder } = request.query;
      const { userId } = identityOf(request);
      const page = {
        ...(limit !== undefined && { limit }),
        ...(before !== undefined && { before }),
        ...(pinned && { isPinned: true }),
        ...(archived && { isArchived: true }),
        ...(folder !== undefined && { folderId: folder }),
      };
      return answerJson(reply, await chats.list(userId, page, heavyReads.of(flowOf(request.client, userId))));
    },
  );
  app.post(
    conversationPaths.chats,
    {
      config: { limit: "chat" },
      schema: { summary: "Create an empty chat", tags, body: newChatSchema, response: { 201: chatSchema } },
    },
    async (request, reply) => {
      const { userId } = identityOf(request);
      const chat = await chats.create(userId, request.body, idempotencyKeyOf(request));
      const { id, title, updated_at: updatedAt } = chat;
      const named = { id, title, ...toUntitled(chat), updatedAt };
      return reply.code(201).send({ ...named, ...toLocation(chat), ...toGuidance(chat), messages: [] });
    },
  );
}

function singleChatRoutes(app: RouteApp, { chats }: ChatRoutesDeps): void {
  app.patch(
    conversationPaths.chat(":id"),
    {
      schema: {
        summary:
          "Rename a chat, pin, archive or file it, instruct its models, mark its newest reply as seen, put an empty one at the top",
        tags,
        params: chatParamsSchema,
        body: chatChangeSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await chats.change(identityOf(request).userId, request.params.id, request.body);
      return reply.code(204).send();
    },
  );
  app.delete(
    conversationPaths.chat(":id"),
    {
      schema: {
        summary: "Delete a chat; for an hour a batch with `isDeleted: false` undoes it",
        tags,
        params: chatParamsSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await chats.delete(identityOf(request).userId, request.params.id);
      return reply.code(204).send();
    },
  );
}

function batchRoute(app: RouteApp, { chats }: ChatRoutesDeps): void {
  app.post(
    conversationPaths.chatBatch,
    {
      schema: {
        summary: "Apply one change to several chats",
        description: "Atomic. Ids of chats that the account does not have are ignored.",
        tags,
        body: chatBatchSchema,
        response: { 200: chatBatchAnswerSchema },
      },
    },
    async (request) => ({ changed: await chats.changeMany(identityOf(request).userId, request.body) }),
  );
}

function eventsRoute(app: RouteApp, { events, streams, isDraining }: ChatRoutesDeps): void {
  app.get(
    conversationPaths.events,
    {
      exposeHeadRoute: false,
      schema: {
        summary: "Follow the changes of the account",
        description:
          "`data:` events as text/event-stream, each a JSON object. First `{at, isReset}`: with `isReset` the client reads " +
          "the history again; otherwise all changes after `from` follow. Then `{at, chat}` with the current state of a " +
          "new or changed chat, `{at, deleted}` with the id of a deleted one, and `{at, folders}` with all folders after " +
          "a change. To resume, pass the last `at` as `from`. An empty `data:` is a heartbeat.",
        tags,
        querystring: eventsQuerySchema,
      },
    },
    async (request, reply) => {
      if (isDraining()) throw new Failure("draining");
      const { userId } = identityOf(request);
      const start = await events.startFor(userId, request.query.from);
      events.follow(userId, start, streams.open(request, reply));
    },
  );
}
