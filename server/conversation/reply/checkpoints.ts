import { setTimeout } from "node:timers/promises";
import { type Bus, topics } from "../../bus/bus.ts";
import { outsideRequests } from "../../concurrency/outside-requests.ts";
import type { Database, Queryable, ReplyChunkRow } from "../../database/schema.ts";
import { isStorageFull, isStoringOff } from "../../database/violations.ts";
import type { Log } from "../../log.ts";
import type { Seam } from "../../text/seams.ts";
import { storeUnstoredParts, type UnstoredParts, unstoredParts } from "../parts/unstored-parts.ts";
import { isRunOf, type LiveReply } from "./live-reply.ts";
import { beginTakenBackRun, holdRuns, insertChunks, storeSeams } from "./reply-store.ts";

/** Interval of checkpoints. With the duration of a write it stays below the promised 250 ms. */
const TICK_MS = 150;

export type CheckpointsDeps = {
  database: Database;
  log: Log;
  bus: Bus;
  /** Other processes share the database, and may take over the replies of a process whose lease has expired. */
  isShared: boolean;
  /** Limit of text (UTF-16 units, of all growing replies together) that is buffered in memory until it is stored. */
  maxUnstoredChars?: number;
  /** Called when another process has taken over a reply. */
  onLost(reply: LiveReply): void;
  /** Whether more text may arrive; an ended reply takes no further memory. */
  isGrowing(reply: LiveReply): boolean;
  /** Called for the reply with the most unstored text when the buffer is full; it must stop growing. */
  onTooMuch(reply: LiveReply): void;
};

const MAX_UNSTORED_CHARS = 32 * 1024 * 1024;

/** Lengths in UTF-16 units of the stored text and of all stored reasoning, and the stored revision of the parts. */
type Stored = { text: number; reasoning: number; rev: number };
/**
 * Text from position `at`, with all seams that the reply had then, and the parts that have changed. `run` is another one
 * than `storedRun` if text was taken back since: then the piece has everything of the run.
 */
type Piece = {
  reply: LiveReply;
  run: number;
  storedRun: number;
  at: number;
  text: string;
  seams: readonly Seam[];
  parts: UnstoredParts | undefined;
};
/** A reply and its stored state. */
type Growth = readonly [reply: LiveReply, stored: Stored];

const unstoredOf = ([{ text, parts }, stored]: Growth) =>
  text.length - stored.text + parts.reasoningLength - stored.reasoning;

const hasGrown = (growth: Growth) => unstoredOf(growth) > 0 || growth[0].parts.rev > growth[1].rev;

function pieceOf([reply, stored]: Growth): Piece {
  const { run: storedRun, writtenRun: run, text, seams } = reply;
  const at = run === storedRun ? stored.text : 0;
  return { reply, run, storedRun, at, text: text.slice(at), seams: [...seams], parts: unstoredParts(reply, stored) };
}

/** Stores the growing text of all running replies periodically: one transaction per tick, new text only. */
export class Checkpoints {
  readonly #deps: CheckpointsDeps;
  readonly #stored = new Map<LiveReply, Stored>();
  readonly #storedSeams = new WeakMap<LiveReply, number>();
  /** Replies that could not be stored although others were. */
  readonly #failing = new WeakSet<LiveReply>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isWriting = false;
  #isAway = false;

  constructor(deps: CheckpointsDeps) {
    this.#deps = deps;
  }

  /** Starts to store a reply. Text and parts that it has already count as stored. */
  watch(reply: LiveReply): void {
    const { rev, reasoningLength: reasoning } = reply.parts;
    this.#stored.set(reply, { text: reply.text.length, reasoning, rev });
    this.#storedSeams.set(reply, reply.seams.length);
    this.#timer ??= outsideRequests(() => setInterval(() => this.#tick(), TICK_MS).unref());
  }

  /** Stops storing a reply; resolves when no write of its text is in progress. */
  async forget(reply: LiveReply): Promise<void> {
    this.#stored.delete(reply);
    if (this.#stored.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    await this.#running;
  }

  /**
   * Stores the parts of a reply as they are now, with all text before them; retries until that is durable.
   * @param isOver whether the reply was stopped, or taken over
   * @returns false if it is over
   */
  async commit(reply: LiveReply, isOver: () => boolean): Promise<boolean> {
    const { rev } = reply.parts;
    for (;;) {
      await this.#running;
      const stored = this.#stored.get(reply);
      if (!stored || isOver()) return false;
      if (stored.rev >= rev && reply.run === reply.writtenRun) return true;
      outsideRequests(() => this.#tick());
      await this.#running;
      if ((this.#stored.get(reply)?.rev ?? rev) < rev && !isOver())
        await setTimeout(TICK_MS, undefined, { ref: false });
    }
  }

  /** Stores all unstored text. */
  async flush(): Promise<void> {
    await this.#running;
    outsideRequests(() => this.#tick({ isLast: true }));
    await this.#running;
  }

  #tick({ isLast = false } = {}): void {
    const grown = [...this.#stored].filter(hasGrown);
    this.#bound(grown);
    if (this.#isWriting || grown.length === 0) return;
    this.#isWriting = true;
    this.#running = this.#store(grown.map(pieceOf), isLast).finally(() => {
      this.#isWriting = false;
    });
  }

  /** Bounds memory while nothing can be stored: ends the replies with the most unstored text, as few as necessary. */
  #bound(grown: readonly Growth[]): void {
    const { maxUnstoredChars = MAX_UNSTORED_CHARS, isGrowing, onTooMuch } = this.#deps;
    let sum = 0;
    for (const growth of grown) if (isGrowing(growth[0])) sum += unstoredOf(growth);
    if (sum < maxUnstoredChars) return;
    const longestFirst = grown.filter(([reply]) => isGrowing(reply)).sort((a, b) => unstoredOf(b) - unstoredOf(a));
    for (const growth of longestFirst) {
      if (sum < maxUnstoredChars) return;
      onTooMuch(growth[0]);
      sum -= unstoredOf(growth);
    }
  }

  #noteAway(error: unknown, count: number): void {
    const why = isStorageFull(error) ? "disk is full" : "database is unavailable";
    if (!this.#isAway) this.#deps.log.warn({ err: error, count }, `${why}: replies are buffered in memory`);
    this.#isAway = true;
  }

  #noteBack(): void {
    if (this.#isAway) this.#deps.log.info("database accepts writes again: replies are stored");
    this.#isAway = false;
  }

  async #store(pieces: Piece[], isLast: boolean): Promise<void> {
    try {
      await this.#insert(pieces, isLast);
      this.#noteBack();
    } catch (error) {
      if (isStoringOff(error)) return this.#noteAway(error, pieces.length);
      // One invalid row must not block the others. Each is stored alone; the failing one is retried at the next tick.
      if (pieces.length > 1) for (const piece of pieces) await this.#store([piece], isLast);
      else for (const { reply } of pieces) this.#noteFailing(reply, error);
    }
  }

  #noteFailing(reply: LiveReply, error: unknown): void {
    if (!this.#failing.has(reply)) this.#deps.log.warn({ err: error, reply: reply.id }, "checkpoint failed");
    this.#failing.add(reply);
  }

  /**
   * If processes share the database, a reply whose row another transaction has locked is stored at the next tick, so
   * that the others do not wait for it. `isLast`: there is no next tick.
   */
  async #insert(pieces: Piece[], isLast: boolean): Promise<void> {
    const { database, isShared, bus, onLost } = this.#deps;
    const newSeams = pieces.filter((piece) => this.#hasNewSeams(piece));
    if (!isShared && newSeams.length === 0 && !pieces.some(({ parts }) => parts)) {
      await insertChunks(database, pieces.map(toRow));
      for (const piece of pieces) this.#noteStored(piece);
      return;
    }
    const ids = pieces.map(({ reply }) => reply.id);
    const { stored, postponed } = await database.transaction().execute(async (db) => {
      const runs = isShared ? await holdRuns(db, ids, isLast) : undefined;
      const held = pieces.filter(({ reply }) => !runs || isRunOf(reply, runs.held.get(reply.id) ?? 0));
      const ours = await withTakenBackRuns(db, held);
      await storePieces(db, ours);
      for (const piece of ours)
        if (newSeams.includes(piece)) await storeSeams(db, piece.reply.id, piece.run, piece.seams);
      return { stored: ours, postponed: pieces.filter(({ reply }) => isRunOf(reply, runs?.busy.get(reply.id) ?? 0)) };
    });
    for (const piece of pieces) {
      if (postponed.includes(piece)) continue;
      if (!stored.includes(piece)) onLost(piece.reply);
      else {
        this.#storedSeams.set(piece.reply, piece.seams.length);
        this.#noteStored(piece);
        bus.publish(topics.reply(piece.reply.id));
      }
    }
  }

  #hasNewSeams({ reply, seams }: Piece): boolean {
    return seams.length > (this.#storedSeams.get(reply) ?? 0);
  }

  #noteStored({ reply, run, storedRun, at, text, parts }: Piece): void {
    this.#failing.delete(reply);
    if (run !== storedRun) reply.noteRunStored();
    const stored = this.#stored.get(reply);
    if (!stored) return;
    stored.text = at + text.length;
    if (parts) Object.assign(stored, { reasoning: parts.reasoning, rev: parts.rev });
  }
}

async function storePieces(db: Queryable, pieces: readonly Piece[]): Promise<void> {
  const chunks = pieces.filter(({ text }) => text !== "").map(toRow);
  if (chunks.length > 0) await insertChunks(db, chunks);
  for (const { reply, run, parts } of pieces)
    if (parts) await storeUnstoredParts(db, { id: reply.id, userId: reply.userId, run }, parts);
}

/** Begins the runs of replies whose text was taken back. @returns the pieces of replies that are still running */
async function withTakenBackRuns(db: Queryable, pieces: readonly Piece[]): Promise<Piece[]> {
  const running: Piece[] = [];
  for (const piece of pieces) {
    const { reply, run, storedRun } = piece;
    if (run === storedRun || (await beginTakenBackRun(db, { id: reply.id, run, storedRun }))) running.push(piece);
  }
  return running;
}

function toRow({ reply, at, text }: Piece): ReplyChunkRow {
  return { message_id: reply.id, at, text };
}
