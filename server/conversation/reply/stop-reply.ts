import { SECOND } from "#contract/limits.ts";
import { type Bus, topics } from "../../bus/bus.ts";
import { markChanged } from "../../chats/change-store.ts";
import { holdChat, setLeaf } from "../../chats/chat-store.ts";
import type { Database } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { findWriting } from "../message-store.ts";
import { findEndWithout } from "../tree-store.ts";
import type { RemoteReplies } from "./remote-replies.ts";
import type { Replies } from "./replies.ts";
import { requestStop, stopInterrupted } from "./reply-store.ts";
import { waitForReply } from "./wait-for-reply.ts";

export type StopDeps = { database: Database; bus: Bus; replies: Replies; remoteReplies: RemoteReplies };

/** Longer than the lease of a process that has died. */
const TIMEOUT_MS = 8 * SECOND;

/**
 * Stops the running reply of a chat, in any process, or prevents an interrupted one from continuing; resolves when the
 * reply has ended.
 * @throws Failure `unavailable` if its end cannot be stored now
 */
export async function stopReply(deps: StopDeps, userId: string, chatId: string): Promise<void> {
  const { database, replies, remoteReplies, bus } = deps;
  const live = replies.findInChat(chatId);
  if (live && live.userId === userId) {
    live.stop();
    if ((await waitForReply(live, { ms: TIMEOUT_MS })) === "late") throw new Failure("unavailable");
    // A reply that had just ended, or that another process has taken over, may not be the one to stop.
    return (await live.ended)?.state === "stopped" ? undefined : stopReply(deps, userId, chatId);
  }
  const row = await findWriting(database, userId, chatId);
  if (!row) return preventResume(deps, userId, chatId);
  await requestStop(database, row.id);
  bus.publish(topics.stop(row.id));
  await waitForReply(await remoteReplies.follow(row), { ms: TIMEOUT_MS });
}

async function preventResume({ database, bus }: StopDeps, userId: string, chatId: string): Promise<void> {
  const isChanged = await database.transaction().execute(async (db) => {
    const chat = await holdChat(db, userId, chatId);
    const stopped = chat?.leaf ? await stopInterrupted(db, chat.leaf) : undefined;
    if (!stopped) return false;
    if (stopped.content === "") {
      await setLeaf(db, userId, chatId, await findEndWithout(db, userId, chatId, stopped.parent));
    }
    await markChanged(db, userId, chatId);
    return true;
  });
  if (isChanged) bus.publish(topics.account(userId));
}
