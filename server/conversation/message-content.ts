import { isRunning } from "#contract/conversation/reply-state.ts";
import type { Database, MessageRow } from "../database/schema.ts";
import type { MessageContent, Part } from "./parts/message-part.ts";
import { readParts } from "./parts/part-store.ts";
import type { LiveReply } from "./reply/live-reply.ts";
import { writerOf } from "./reply/open-call.ts";
import { readText } from "./reply/reply-store.ts";

export type ContentDeps = { database: Database; replies: { find(id: string): LiveReply | undefined } };

/**
 * Returns the content of a message; what there is so far if it is still being written.
 * @param stored the parts of its row
 */
export async function contentOf(
  { database, replies }: ContentDeps,
  row: MessageRow,
  stored: readonly Part[] = [],
): Promise<MessageContent> {
  if (!isRunning(row.state)) return { text: row.content, parts: stored, rev: row.rev };
  const live = replies.find(row.id);
  if (live) return { text: live.text, parts: [...live.parts.all], rev: live.parts.rev, writer: live.writer };
  const text = await readText(database, row);
  // Read after the text, so that no part before it is missing. The parts behind it come with the stream.
  const parts = (await readParts(database, row)).filter(({ at }) => at <= text.length);
  const reasoning = parts.reduce((sum, part) => sum + (part.text?.length ?? 0), 0);
  const writer = writerOf(row, { text: text.length, reasoning });
  return { text, parts, rev: Math.max(0, ...parts.map(({ rev }) => rev)), writer };
}
