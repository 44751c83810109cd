import { type Bus, topics } from "../../bus/bus.ts";
import { holdChat } from "../../chats/chat-store.ts";
import type { Database, MessageRow } from "../../database/schema.ts";
import type { Clock, Log } from "../../ground.ts";
import { parseSeams } from "../seams.ts";
import { foldReply, readText, takeRun } from "./reply-store.ts";

export type RecoveryGround = { database: Database; clock: Clock; log: Log; bus: Bus };

/**
 * Ends replies whose writer is gone: they become `interrupted`, or `stopped` where that was asked for, and keep every
 * stored word. What another run has begun meanwhile is left alone.
 */
export async function interruptReplies(ground: RecoveryGround, unfinished: MessageRow[]): Promise<void> {
  const { log, bus } = ground;
  for (const row of unfinished) {
    // One that cannot be ended now, because somebody holds its row, must not keep the others waiting.
    const isEnded = await interrupt(ground, row).catch((error: unknown) => {
      log.warn({ err: error, reply: row.id }, "reply could not be interrupted yet");
      return false;
    });
    if (!isEnded) continue;
    log.warn({ reply: row.id }, "reply was interrupted");
    bus.publish(topics.reply(row.id));
    bus.publish(topics.account(row.user_id));
  }
}

function interrupt({ database, clock }: RecoveryGround, unfinished: MessageRow): Promise<boolean> {
  const { id, chat_id: chatId, user_id: userId, run } = unfinished;
  return database.transaction().execute(async (db) => {
    await holdChat(db, userId, chatId);
    // With the row held no further piece is stored: what is read next is all there is.
    const row = await takeRun(db, id, run);
    if (!row) return false;
    const end = { state: "interrupted", model: row.model } as const;
    const content = await readText(db, row);
    const seams = parseSeams(row.seams);
    return foldReply(db, { id, chatId, userId, run, content, seams, end, endedAt: clock.now() });
  });
}
