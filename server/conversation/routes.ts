import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { chatParamsSchema } from "#contract/conversation/chat-calls.ts";
import { chatSchema, messageSchema } from "#contract/conversation/conversation.ts";
import {
  APPEND_BODY_MAX,
  appendSchema,
  branchChoiceSchema,
  type ChatTree,
  chatTreeSchema,
  replyQuerySchema,
  replyRequestSchema,
  sendQuerySchema,
  sendResponseSchema,
  sendSchema,
} from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { decisionAnswerSchema, decisionRequestSchema } from "#contract/conversation/tool-calls.ts";
import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { HeavyReads } from "../concurrency/heavy-reads.ts";
import { Failure } from "../failure.ts";
import { idempotencyKeyOf } from "../http/idempotency-key.ts";
import { identityOf } from "../http/session-hook.ts";
import { answerJson } from "../http/streams/answer-json.ts";
import type { OpenStreams } from "../http/streams/open-streams.ts";
import type { RouteApp } from "../http/validation.ts";
import { flowOf } from "../limits/flow-of.ts";
import type { Limits } from "../limits/limits.ts";
import { askerOf } from "./admission/asker.ts";
import { begun } from "./admission/concurrent-limit.ts";
import type { Branches } from "./branches.ts";
import type { Conversation } from "./conversation.ts";
import { requireChat } from "./message-rows.ts";
import { START } from "./reply/backlog.ts";
import { findReply, type ReplyFinderDeps } from "./reply/find-reply.ts";
import { awaitReply, runStart, streamReply } from "./reply/read-reply.ts";
import { stopReply } from "./reply/stop-reply.ts";

export type ConversationRoutesDeps = ReplyFinderDeps & {
  branches: Branches;
  conversation: Conversation;
  bus: Bus;
  clock: Clock;
  streams: OpenStreams;
  limits: Limits;
  heavyReads: HeavyReads;
};

const tags = ["conversation"];
/** Of the events in `contract/conversation/reply-events.ts`. */
const events =
  "Each event is one line of JSON, which a client may ignore if it does not know its keys: first `reply` with `at` (again with 0 if the text has become reasoning), then " +
  "the `writer` (a model), `token`s, `seam`s, `part`s and `thought`s, at most one `error` with its `code` and the `retryAfterMs` that the " +
  "provider has asked for, and last the text `[DONE]`.";
const streamed = `With \`stream=1\`: \`data:\` events as text/event-stream; else the whole answer as JSON. ${events}`;

export function conversationRoutes(deps: ConversationRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    await branchRoutes(app, deps);
    await messageRoute(app, deps);
    await sendRoute(app, deps);
    await replyRoutes(app, deps);
    await decisionRoute(app, deps);
  };
  return routes;
}

async function branchRoutes(app: RouteApp, { branches, heavyReads }: ConversationRoutesDeps): Promise<void> {
  const readOf = (request: FastifyRequest) => heavyReads.of(flowOf(request.client, identityOf(request).userId));
  app.get(
    conversationPaths.chat(":id"),
    {
      schema: {
        summary: "Get a chat with the messages of its selected branch, oldest first",
        tags,
        params: chatParamsSchema,
        response: { 200: chatSchema },
      },
    },
    async (request, reply) =>
      answerJson(reply, await branches.open(identityOf(request).userId, request.params.id, readOf(request))),
  );
  app.get(
    conversationPaths.chatTree(":id"),
    {
      schema: {
        summary: "Get a chat as a tree: the messages of all branches",
        description:
          "Each message names its `parent`; those with the same one are alternatives to each other. " +
          "`leaf` is the last message of the chosen branch, which leads to it from the start. " +
          "Replies that ended without a word are left out.",
        tags,
        params: chatParamsSchema,
        response: { 200: chatTreeSchema },
      },
    },
    async (request, reply) =>
      answerJson<ChatTree>(reply, await branches.tree(identityOf(request).userId, request.params.id, readOf(request))),
  );
  app.post(
    conversationPaths.chatBranch(":id"),
    {
      schema: {
        summary: "Select the branch through a message",
        description: "Down to the newest message at each step. Refused while a reply is being written in the chat.",
        tags,
        params: chatParamsSchema,
        body: branchChoiceSchema,
        response: { 200: chatSchema },
      },
    },
    async (request, reply) => {
      const { userId } = identityOf(request);
      return answerJson(reply, await branches.choose(userId, request.params.id, request.body.message, readOf(request)));
    },
  );
}

async function messageRoute(app: RouteApp, { conversation }: ConversationRoutesDeps): Promise<void> {
  app.post(
    conversationPaths.chatMessage(":id"),
    {
      config: { limit: "message" },
      bodyLimit: APPEND_BODY_MAX,
      schema: {
        summary: "Add a message of either role, without an answer",
        description:
          "`files`: ids of uploaded files, which the message names from then on. " +
          "`parts`: reasoning, notices and other parts beside the text, which count against the quota.",
        tags,
        params: chatParamsSchema,
        body: appendSchema,
        response: { 201: messageSchema },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return conversation.append(identityOf(request).userId, request.params.id, request.body);
    },
  );
}

async function sendRoute(app: RouteApp, deps: ConversationRoutesDeps): Promise<void> {
  const { conversation, database, limits } = deps;
  app.post(
    conversationPaths.chatSend(":id"),
    {
      config: { limit: "own" },
      schema: {
        summary: "Send a message and get the assistant's reply",
        description:
          `${streamed} The message follows the chosen branch; with \`branch\` it follows \`parent\`, beside what is there: ` +
          "so a question is edited, with what it followed as its parent.",
        tags,
        params: chatParamsSchema,
        querystring: sendQuerySchema,
        body: sendSchema,
        response: { 200: sendResponseSchema },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request);
      const { userId } = asker;
      const { id } = request.params;
      const key = idempotencyKeyOf(request);
      const sent = await limits.within(begun(userId), () => conversation.send(asker, id, request.body, key));
      const found = await findReply(deps, userId, id, sent.replyId);
      if (!found) throw new Failure("not-found");
      if (request.query.stream === "1") return streamReply(deps.streams.open(request, reply), found, START);
      return reply.send(await awaitReply(database, userId, sent.question, found));
    },
  );
}

async function decisionRoute(app: RouteApp, { replyRequests, limits }: ConversationRoutesDeps): Promise<void> {
  app.post(
    conversationPaths.chatDecision(":id"),
    {
      config: { limit: "own" },
      schema: {
        summary: "Decide on calls of tools for which the last reply waits",
        description:
          "A decision names the `digest` of the call, which approves its arguments as they were shown, and the `attempt` " +
          "of one that may have acted. When no call is left, the reply goes on: its stream can be joined. Another message " +
          "in the chat declines the calls.",
        tags,
        params: chatParamsSchema,
        body: decisionRequestSchema,
        response: { 200: decisionAnswerSchema },
      },
    },
    async (request) => {
      const asker = askerOf(request);
      return limits.within(begun(asker.userId), () => replyRequests.decide(asker, request.params.id, request.body));
    },
  );
}

async function replyRoutes(app: RouteApp, deps: ConversationRoutesDeps): Promise<void> {
  const { replyRequests, database, limits } = deps;
  app.get(
    conversationPaths.chatReply(":id"),
    {
      exposeHeadRoute: false,
      schema: {
        summary: "Join or resume a reply",
        description:
          "`data:` events as text/event-stream: the reply's text after `from`, its parts after `rev`, its reasoning " +
          "`seq` after `length`, then what comes. " +
          "Without `reply` the one being written, or 204. " +
          `A reply that a restart of the server cut off less than ten minutes ago goes on by being joined, once. ${events}`,
        tags,
        params: chatParamsSchema,
        querystring: replyQuerySchema,
      },
    },
    async (request, reply) => {
      const { userId } = identityOf(request);
      const { id } = request.params;
      await requireChat(database, userId, id);
      const { reply: replyId, from = 0, run = 1, rev = 0, seq, length } = request.query;
      const position = { from, run, rev, seq, length };
      const found = await findReply(deps, userId, id, replyId, position);
      if (!found) return reply.code(204).send();
      return streamReply(deps.streams.open(request, reply), found, position);
    },
  );
  app.post(
    conversationPaths.chatReply(":id"),
    {
      config: { limit: "own" },
      schema: {
        summary: "Answer a question again, or continue the last reply",
        description:
          "`retry` and `regenerate` write a new reply beside the one that is there, to the last question or to the one of " +
          "`of`; `continue` adds to the last reply. " +
          `\`data:\` events as text/event-stream; of a reply that is continued only what is added. ${events}`,
        tags,
        params: chatParamsSchema,
        body: replyRequestSchema,
      },
    },
    async (request, reply) => {
      const asker = askerOf(request);
      const { id } = request.params;
      const key = idempotencyKeyOf(request);
      const replyId = await limits.within(begun(asker.userId), () => replyRequests.begin(asker, id, request.body, key));
      const found = await findReply(deps, asker.userId, id, replyId);
      if (!found) throw new Failure("not-found");
      const position = request.body.mode === "continue" ? { ...START, from: runStart(found), run: found.run } : START;
      return streamReply(deps.streams.open(request, reply), found, position);
    },
  );
  app.post(
    conversationPaths.chatStop(":id"),
    {
      config: { limit: "stop" },
      schema: {
        summary: "Stop the reply that is being written",
        tags,
        params: chatParamsSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { userId } = identityOf(request);
      await requireChat(database, userId, request.params.id);
      await stopReply(deps, userId, request.params.id);
      return reply.code(204).send();
    },
  );
}
