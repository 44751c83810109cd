import { isRunning } from "#contract/conversation/reply-state.ts";
import { SECOND } from "#contract/limits.ts";
import { type Bus, topics } from "../../bus/bus.ts";
import type { Database, MessageRow, ReplyChunkRow } from "../../database/schema.ts";
import type { Log } from "../../log.ts";
import { parseSeams } from "../../text/seams.ts";
import { toErrorCode } from "../message-store.ts";
import { isEndedReasoning, type Part } from "../parts/message-part.ts";
import { addReasoning, listChangedParts } from "../parts/part-store.ts";
import { hasReached, type Position, START } from "./backlog.ts";
import { LiveReply } from "./live-reply.ts";
import { writerOf } from "./open-call.ts";
import { findRun, listChunks } from "./reply-store.ts";
import { waitForReply } from "./wait-for-reply.ts";

/** Polling interval, for lost notifications and for processes without Redis. */
const POLL_MS = SECOND / 4;
/**
 * Maximum wait for text that a reader has received from the writing process but that is not stored yet: a writer that
 * lives stores it at its next checkpoint, within this time.
 */
const NEXT_CHECKPOINT_MS = SECOND / 2;
/** Polls without a reader before following ends: a new reader first receives the existing text at its own pace. */
const POLLS_WITHOUT_READERS = 40;

/** `isRead`: resolves when the text that was stored at the start has been read. */
type Followed = { reply: LiveReply; isRead: Promise<void> };

export type RemoteRepliesDeps = { database: Database; bus: Bus; log: Log };

/**
 * Follows replies of other processes through the database: one query serves all readers of a reply, after a
 * notification or a polling interval. Following ends with the last reader.
 */
export class RemoteReplies implements AsyncDisposable {
  readonly #deps: RemoteRepliesDeps;
  readonly #followed = new Map<string, Followed>();
  readonly #leaving = new AbortController();
  readonly #work = new Set<Promise<void>>();

  constructor(deps: RemoteRepliesDeps) {
    this.#deps = deps;
  }

  /**
   * Follows a reply in state `writing`, which can then be read like a local one. Waits for the text and the parts that a
   * reader has received elsewhere, unless they were never stored.
   */
  async follow(row: MessageRow, position: Position = START): Promise<LiveReply> {
    const known = this.#followed.get(row.id);
    const { reply, isRead } = known && known.reply.run === row.run ? known : this.#begin(row);
    await isRead;
    await waitForReply(reply, { until: () => hasReached(reply, position), ms: NEXT_CHECKPOINT_MS });
    return reply;
  }

  #begin({ id, chat_id: chatId, user_id: userId, run, content, seams }: MessageRow): Followed {
    const reply = new LiveReply({ id, chatId, userId, run, text: content, seams: parseSeams(seams) });
    const isRead = Promise.withResolvers<void>();
    const followed = { reply, isRead: isRead.promise };
    this.#followed.set(id, followed);
    const work = this.#follow(reply, () => isRead.resolve()).finally(() => {
      isRead.resolve();
      if (this.#followed.get(id) === followed) this.#followed.delete(id);
      this.#work.delete(work);
    });
    this.#work.add(work);
    return followed;
  }

  async #follow(reply: LiveReply, onRead: () => void): Promise<void> {
    const { bus, log } = this.#deps;
    const wakeUps = new WakeUps();
    const give = () => wakeUps.give();
    const leave = bus.subscribe(topics.reply(reply.id), give);
    this.#leaving.signal.addEventListener("abort", give, { once: true });
    let lastChunkAt = reply.text.length;
    let lonely = 0;
    try {
      for (;;) {
        const found = await this.#poll(reply, lastChunkAt);
        onRead();
        lastChunkAt = found.lastChunkAt;
        lonely = reply.hasReaders ? 0 : lonely + 1;
        if (found.isOver || lonely > POLLS_WITHOUT_READERS || this.#leaving.signal.aborted) return;
        await wakeUps.wait(POLL_MS);
      }
    } catch (error) {
      log.info({ err: error, reply: reply.id }, "reply of another process could not be followed");
    } finally {
      leave();
      this.#leaving.signal.removeEventListener("abort", give);
      // The remaining readers reconnect and read the current state.
      reply.breakOff();
    }
  }

  /** Appends new text; the last chunk may have grown since it was read. */
  async #poll(reply: LiveReply, lastChunkAt: number): Promise<{ isOver: boolean; lastChunkAt: number }> {
    const { database } = this.#deps;
    const chunks = await listChunks(database, reply.id, lastChunkAt);
    const row = await findRun(database, reply.id, reply.run);
    // An interrupted reply may be continued: its readers reconnect.
    if (!row || row.state === "interrupted") return { isOver: true, lastChunkAt };
    // Read after the text, so that no part before it is missing.
    const parts = await this.#readParts(reply, row);
    const writer = isRunning(row.state) ? writerOf(row, lengthsOf(reply, chunks)) : row.content && row.model;
    if (writer) reply.setWriter(writer);
    for (const seam of parseSeams(row.seams)) if (seam.run === reply.run) reply.markSeam(seam.at);
    if (!isRunning(row.state)) {
      grow(reply, { at: 0, text: row.content }, parts);
      for (const part of parts) reply.putPart(part);
      reply.finish({ state: row.state, model: row.model, ...codeOf(row) });
      return { isOver: true, lastChunkAt };
    }
    for (const chunk of chunks) {
      if (chunk.at > reply.text.length) break;
      grow(reply, chunk, parts);
      lastChunkAt = chunk.at;
    }
    // Parts behind the text that was read are read again with it.
    for (const part of parts) {
      if (part.at > reply.text.length) break;
      reply.putPart(part);
    }
    return { isOver: false, lastChunkAt };
  }

  /** Reads the parts that have changed, and the reasoning that has grown, in the order of their changes. */
  async #readParts(reply: LiveReply, row: MessageRow): Promise<Part[]> {
    const { database } = this.#deps;
    const { all, rev } = reply.parts;
    if (row.rev === 0) return [];
    const parts = row.rev > rev ? await listChangedParts(database, reply.id, rev) : [];
    const last = all.at(-1);
    if (last?.text !== undefined && !isEndedReasoning(last) && !parts.some(({ seq }) => seq === last.seq))
      parts.unshift({ ...last });
    for (const part of parts) {
      const known = all[part.seq]?.text;
      // The stored part has no text until it has ended.
      if (known && part.text !== undefined && !isEndedReasoning(part)) part.text = known;
      await addReasoning(database, reply.id, part);
    }
    return parts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    await Promise.all(this.#work);
  }
}

/** Appends the new text of a chunk, with each part before the text after its position; removes these parts. */
function grow(reply: LiveReply, { at, text }: { at: number; text: string }, parts: Part[]): void {
  const end = at + text.length;
  const growTo = (position: number) => reply.append(text.slice(reply.text.length - at, position - at));
  for (let next = parts[0]; next && next.at < end; next = parts[0]) {
    if (next.at > reply.text.length) growTo(next.at);
    reply.putPart(next);
    parts.shift();
  }
  if (end > reply.text.length) growTo(end);
}

/** Returns the lengths of a reply with the chunks that follow, in UTF-16 units. */
function lengthsOf({ text, parts }: LiveReply, chunks: readonly Pick<ReplyChunkRow, "at" | "text">[]) {
  const last = chunks.at(-1);
  return { text: Math.max(text.length, last ? last.at + last.text.length : 0), reasoning: parts.reasoningLength };
}

function codeOf({ error_code: stored }: MessageRow) {
  const code = toErrorCode(stored);
  return code ? { code } : {};
}

/** Waits for a notification or a timeout; a notification that arrived between two waits counts. */
class WakeUps {
  #isGiven = false;
  #wake: (() => void) | undefined;

  give(): void {
    this.#isGiven = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#isGiven) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#isGiven = false;
  }
}
