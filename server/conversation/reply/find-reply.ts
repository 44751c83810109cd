import type { Database, MessageRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Answers } from "../answers.ts";
import { findMessage, findWriting } from "../message-store.ts";
import type { LiveReply } from "./live-reply.ts";
import type { RemoteReplies } from "./remote-replies.ts";
import type { Replies } from "./replies.ts";

/** A reply to be read: still growing, here or in another process, or as it is stored. */
export type ReadableReply = LiveReply | MessageRow;

export type ReplyFinderDeps = {
  database: Database;
  replies: Replies;
  remoteReplies: RemoteReplies;
  answers: Answers;
};

/**
 * Finds the reply of that id in that chat, or without one the reply that is being written there, if any. One that our
 * own restart cut off goes on by being found.
 * @throws Failure `not-found`, and `draining` where it is for the next process to go on with it
 */
export async function findReply(
  deps: ReplyFinderDeps,
  userId: string,
  chatId: string,
  replyId: string | undefined,
  from = 0,
): Promise<ReadableReply | undefined> {
  const found = findLive(deps.replies, userId, chatId, replyId) ?? (await findStored(deps, userId, chatId, replyId));
  if (found === undefined || "text" in found || found.state === "complete") return found;
  if (found.state === "writing") return deps.remoteReplies.follow(found, from);
  if (found.state !== "interrupted" || !deps.answers.resumes(found)) return found;
  if (deps.replies.isDraining) throw new Failure("draining");
  await deps.answers.resume(found);
  // It goes on here, or another reader was quicker, here or elsewhere.
  const live = findLive(deps.replies, userId, chatId, found.id);
  const now = live ?? (await findStored(deps, userId, chatId, found.id));
  return now !== undefined && !("text" in now) && now.state === "writing" ? deps.remoteReplies.follow(now, from) : now;
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
