import { type Bus, topics } from "../../bus/bus.ts";
import type { Database, ReplyChunkRow } from "../../database/schema.ts";
import type { Log } from "../../ground.ts";
import type { LiveReply } from "./live-reply.ts";
import { holdRuns, insertChunks, storeSeams } from "./reply-store.ts";

/** With the time of the write itself, under the promised 250 ms. */
const TICK_MS = 150;

export type CheckpointsGround = {
  database: Database;
  log: Log;
  bus: Bus;
  /** Other processes share the database, and may take a reply over from one that they take for dead. */
  isShared: boolean;
  /** Told of a reply that another process has taken over. */
  onLost(reply: LiveReply): void;
};

type Piece = { reply: LiveReply; at: number; text: string };

/** Stores the growing text of all running replies: one tick, one transaction, new text only. */
export class Checkpoints {
  readonly #ground: CheckpointsGround;
  readonly #storedLengths = new Map<LiveReply, number>();
  readonly #storedSeams = new WeakMap<LiveReply, number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isWriting = false;

  constructor(ground: CheckpointsGround) {
    this.#ground = ground;
  }

  /** What the reply has already is stored. */
  watch(reply: LiveReply): void {
    this.#storedLengths.set(reply, reply.text.length);
    this.#storedSeams.set(reply, reply.seams.length);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Settles when no write of its text is under way. */
  async forget(reply: LiveReply): Promise<void> {
    this.#storedLengths.delete(reply);
    if (this.#storedLengths.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    await this.#running;
  }

  /** Stores all that is not stored yet. */
  async flush(): Promise<void> {
    await this.#running;
    this.#tick();
    await this.#running;
  }

  #tick(): void {
    if (this.#isWriting) return;
    const grown = [...this.#storedLengths].filter(([reply, stored]) => reply.text.length > stored);
    if (grown.length === 0) return;
    this.#isWriting = true;
    this.#running = this.#store(grown.map(([reply, at]) => ({ reply, at, text: reply.text.slice(at) }))).finally(() => {
      this.#isWriting = false;
    });
  }

  async #store(pieces: Piece[]): Promise<void> {
    try {
      await this.#insert(pieces);
    } catch (error) {
      // One bad row must not keep the others from being stored; the single one is tried again at the next tick.
      if (pieces.length > 1) for (const piece of pieces) await this.#store([piece]);
      else this.#ground.log.warn({ err: error, reply: pieces[0]?.reply.id }, "checkpoint failed");
    }
  }

  async #insert(pieces: Piece[]): Promise<void> {
    const { database, isShared, bus, onLost } = this.#ground;
    const newSeams = pieces.map(({ reply }) => reply).filter((reply) => this.#hasNewSeams(reply));
    if (!isShared && newSeams.length === 0) {
      await insertChunks(database, pieces.map(toRow));
      for (const piece of pieces) this.#noteStored(piece);
      return;
    }
    const ours = await database.transaction().execute(async (db) => {
      const runs = isShared
        ? await holdRuns(
            db,
            pieces.map(({ reply }) => reply.id),
          )
        : undefined;
      const held = pieces.filter(({ reply }) => !runs || runs.get(reply.id) === reply.run);
      if (held.length > 0) await insertChunks(db, held.map(toRow));
      for (const { id, run, seams } of newSeams) await storeSeams(db, id, run, seams);
      return held;
    });
    for (const reply of newSeams) this.#storedSeams.set(reply, reply.seams.length);
    for (const piece of pieces) {
      if (!ours.includes(piece)) onLost(piece.reply);
      else {
        this.#noteStored(piece);
        bus.publish(topics.reply(piece.reply.id));
      }
    }
  }

  #hasNewSeams(reply: LiveReply): boolean {
    return reply.seams.length > (this.#storedSeams.get(reply) ?? 0);
  }

  #noteStored({ reply, at, text }: Piece): void {
    if (this.#storedLengths.has(reply)) this.#storedLengths.set(reply, at + text.length);
  }
}

function toRow({ reply, at, text }: Piece): ReplyChunkRow {
  return { message_id: reply.id, at, text };
}
