import { isRunning } from "#contract/conversation/reply-state.ts";
import type { Database, MessageRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { findMessage, findWriting } from "../message-store.ts";
import { readParts } from "../parts/part-store.ts";
import type { ReplyRequests } from "../reply-requests.ts";
import { type Position, type ReadableReply, START } from "./backlog.ts";
import type { LiveReply } from "./live-reply.ts";
import type { RemoteReplies } from "./remote-replies.ts";
import type { Replies } from "./replies.ts";

export type ReplyFinderDeps = {
  database: Database;
  replies: Replies;
  remoteReplies: RemoteReplies;
  replyRequests: ReplyRequests;
};

/**
 * Finds a reply of a chat by id, or without an id the running reply. A reply that a restart has interrupted is
 * continued when it is found.
 * @throws Failure `not-found`; `draining` if the next process has to continue it
 */
export async function findReply(
  deps: ReplyFinderDeps,
  userId: string,
  chatId: string,
  replyId: string | undefined,
  position: Position = START,
): Promise<ReadableReply | undefined> {
  const found = await findRow(deps, userId, chatId, replyId, position);
  if (found === undefined || "text" in found) return found;
  return { ...found, parts: await readParts(deps.database, found) };
}

async function findRow(
  deps: ReplyFinderDeps,
  userId: string,
  chatId: string,
  replyId: string | undefined,
  position: Position,
): Promise<LiveReply | MessageRow | undefined> {
  const found = findLive(deps.replies, userId, chatId, replyId) ?? (await findStored(deps, userId, chatId, replyId));
  if (found === undefined || "text" in found || found.state === "complete") return found;
  if (isRunning(found.state)) return deps.remoteReplies.follow(found, position);
  if (found.state !== "interrupted" || !deps.replyRequests.isResumable(found)) return found;
  if (!deps.replyRequests.resumes(found, await readParts(deps.database, found))) return found;
  if (deps.replies.isDraining) throw new Failure("draining");
  await deps.replyRequests.resume(found);
  // Continued here, or by another reader that was faster, in this or another process.
  const live = findLive(deps.replies, userId, chatId, found.id);
  const now = live ?? (await findStored(deps, userId, chatId, found.id));
  return now !== undefined && !("text" in now) && isRunning(now.state) ? deps.remoteReplies.follow(now, position) : now;
}

function findLive(replies: Replies, userId: string, chatId: string, replyId: string | undefined) {
  const live = replyId === undefined ? replies.findInChat(chatId) : replies.find(replyId);
  return live?.userId === userId && live.chatId === chatId ? live : undefined;
}

async function findStored({ database }: ReplyFinderDeps, userId: string, chatId: string, replyId: string | undefined) {
  if (replyId === undefined) return findWriting(database, userId, chatId);
  const row = await findMessage(database, userId, replyId);
  if (row?.chat_id !== chatId || row.role !== "assistant") throw new Failure("not-found");
  return row;
}
