import { SECOND } from "#contract/limits.ts";
import { type Bus, topics } from "../../bus/bus.ts";
import { markGrown } from "../../chats/change-store.ts";
import { holdChat, setLeaf } from "../../chats/chat-store.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { Database } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { findWriting } from "../message-store.ts";
import { isSubstantial } from "../parts/part-store.ts";
import { findEndWithout } from "../tree-store.ts";
import type { LiveReply } from "./live-reply.ts";
import type { RemoteReplies } from "./remote-replies.ts";
import type { Replies } from "./replies.ts";
import { requestStop, stopInterrupted } from "./reply-store.ts";
import { removeTurns } from "./steps/provider-turn-store.ts";
import { endCalls, endWaiting } from "./steps/waiting-replies.ts";
import { storeRevInState } from "./steps/waiting-reply-store.ts";
import { waitForReply } from "./wait-for-reply.ts";

export type StopDeps = { database: Database; bus: Bus; clock: Clock; replies: Replies; remoteReplies: RemoteReplies };

/** Longer than the lease of a process that has died. */
const TIMEOUT_MS = 8 * SECOND;

/**
 * Stops the running reply of a chat, in any process, or prevents an interrupted one from continuing; resolves when the
 * reply has ended.
 * @throws Failure `unavailable` if its end cannot be stored now
 */
export async function stopReply(deps: StopDeps, userId: string, chatId: string): Promise<void> {
  const endsAt = performance.now() + TIMEOUT_MS;
  for (let ms = TIMEOUT_MS; ms > 0; ms = endsAt - performance.now()) {
    const reply = await requestStopOf(deps, userId, chatId);
    if (!reply) return preventResume(deps, userId, chatId);
    if ((await waitForReply(reply, { ms })) === "late") break;
    // A reply that had just ended, or that was interrupted meanwhile, may not be the one to stop.
    if ((await reply.ended)?.state === "stopped") return;
  }
  throw new Failure("unavailable");
}

/** @returns the running reply of the chat, which was requested to stop */
async function requestStopOf(deps: StopDeps, userId: string, chatId: string): Promise<LiveReply | undefined> {
  const { database, replies, remoteReplies, bus } = deps;
  const live = replies.findInChat(chatId);
  if (live && live.userId === userId) {
    live.stop();
    return live;
  }
  const row = await findWriting(database, userId, chatId);
  if (!row) return undefined;
  await requestStop(database, row.id);
  bus.publish(topics.stop(row.id));
  return remoteReplies.follow(row);
}

async function preventResume({ database, bus, clock }: StopDeps, userId: string, chatId: string): Promise<void> {
  const isChanged = await database.transaction().execute(async (db) => {
    const chat = await holdChat(db, userId, chatId);
    if (chat && (await endWaiting(db, chat, { now: clock.now() }))) return true;
    const stopped = chat?.leaf ? await stopInterrupted(db, chat.leaf) : undefined;
    if (!stopped) return false;
    const { rev, bytes } = await endCalls(db, stopped);
    await storeRevInState(db, { ...stopped, rev });
    await removeTurns(db, stopped.id);
    if (stopped.content === "" && !(await isSubstantial(db, stopped.id))) {
      await setLeaf(db, userId, chatId, await findEndWithout(db, userId, chatId, stopped.parent));
    }
    await markGrown(db, userId, chatId, { bytes });
    return true;
  });
  if (isChanged) bus.publish(topics.account(userId));
}
