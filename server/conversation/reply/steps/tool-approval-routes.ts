import type { FastifyPluginAsync } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { conversationPaths } from "#contract/conversation/paths.ts";
import {
  type ToolApproval,
  toolApprovalListSchema,
  toolApprovalParamsSchema,
} from "#contract/conversation/tool-approvals.ts";
import { TOOL_APPROVALS_MAX } from "#contract/limits.ts";
import type { Database } from "../../../database/schema.ts";
import { Failure } from "../../../failure.ts";
import { identityOf } from "../../../http/session-hook.ts";
import type { NamedTool, Toolbox } from "../../../tools/toolbox.ts";
import { type ListedApproval, listApprovals, removeApproval, removeApprovals } from "./tool-approval-store.ts";

export type ToolApprovalRoutesDeps = { database: Database; toolbox: Pick<Toolbox, "findAll"> };

const tags = ["tools"];

/** The tools that the account has approved for later calls. */
export function toolApprovalRoutes({ database, toolbox }: ToolApprovalRoutesDeps): FastifyPluginAsync {
  const routes: FastifyPluginAsyncZod = async (app) => {
    app.get(
      conversationPaths.toolApprovals,
      {
        schema: {
          summary: "List the tools that run without asking, in all chats or in one",
          description: "As decided by the answers `always` and `chat` to a call.",
          tags,
          response: { 200: toolApprovalListSchema },
        },
      },
      async (request) => {
        const { userId } = identityOf(request);
        const rows = await listApprovals(database, userId, TOOL_APPROVALS_MAX);
        const tools = await toolbox.findAll({ db: database, userId }, rows);
        return { approvals: rows.map((row, index) => toApproval(row, tools[index])) };
      },
    );
    app.delete(
      conversationPaths.toolApprovals,
      {
        schema: { summary: "Let all tools ask again, in all chats", tags, response: { 204: z.undefined() } },
      },
      async (request, reply) => {
        await removeApprovals(database, identityOf(request).userId);
        return reply.code(204).send();
      },
    );
    app.delete(
      conversationPaths.toolApproval(":id"),
      {
        schema: {
          summary: "Let a tool ask again",
          description: "Holds from the next call, also of an answer that is being written.",
          tags,
          params: toolApprovalParamsSchema,
          response: { 204: z.undefined() },
        },
      },
      async (request, reply) => {
        const { userId } = identityOf(request);
        const isRemoved = await database.transaction().execute((db) => removeApproval(db, userId, request.params.id));
        if (!isRemoved) throw new Failure("not-found");
        return reply.code(204).send();
      },
    );
  };
  return routes;
}

function toApproval(row: ListedApproval, named: NamedTool | undefined): ToolApproval {
  const { id, server, name, chat_id: chatId, title, title_origin: origin, created_at: createdAt } = row;
  const chat = chatId === null ? null : { id: chatId, title: title ?? "", isUntitled: origin === "default" };
  return { id, server, name, chat, state: stateOf(row, named), createdAt };
}

function stateOf({ schema_digest }: ListedApproval, named: NamedTool | undefined) {
  if (!named) return "unavailable";
  return named.schemaDigest === schema_digest ? "valid" : "changed";
}
