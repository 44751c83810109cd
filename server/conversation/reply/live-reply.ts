import { wellFormed } from "#contract/text/well-formed.ts";
import type { Seam } from "../../text/seams.ts";
import type { ReplyEnd } from "./reply-store.ts";

/** Told of a reply as it grows. `at`: the text's length in UTF-16 units, the piece included. */
export interface ReplyReader {
  onText(text: string, at: number): void;
  /** The words after `at` are a continuation. */
  onSeam(at: number): void;
  onEnd(end: ReplyEnd): void;
  /** This process writes no more; the reply is not at its end. */
  onBreakOff(): void;
}

/** A reply that begins, or one that goes on with what is there of it. `run` tells its writers apart. */
export type GrowingReplyStart = {
  id: string;
  userId: string;
  run: number;
  text?: string;
  seams?: readonly Seam[];
};

const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/;

/**
 * A reply while it is being written: its text so far, and its readers, of whom any number may come at any point. Text
 * only ever grows at its end. Knows neither models nor database nor HTTP, nor whether anything of it is stored.
 */
export class GrowingReply {
  readonly id: string;
  readonly userId: string;
  readonly run: number;
  /** Length of the text (UTF-16 units) with which this run began. */
  readonly startLength: number;
  /** Aborted when somebody asks for the reply to stop. */
  readonly stopSignal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #readers = new Set<ReplyReader>();
  readonly #ended = Promise.withResolvers<ReplyEnd | null>();
  readonly #seams: Seam[];
  #text: string;
  #waiting = "";
  #end: ReplyEnd | undefined;
  #isLetGo = false;

  constructor({ id, userId, run, text = "", seams = [] }: GrowingReplyStart) {
    this.id = id;
    this.userId = userId;
    this.run = run;
    this.#text = text;
    this.startLength = text.length;
    this.#seams = [...seams];
    this.stopSignal = this.#stop.signal;
  }

  get text(): string {
    return this.#text;
  }

  get seams(): readonly Seam[] {
    return this.#seams;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** Settles once the reply has ended and is stored; `null` where this process let go of it before. */
  get ended(): Promise<ReplyEnd | null> {
    return this.#ended.promise;
  }

  /** Adds a piece from the provider, made well-formed; half a character waits for its other half. */
  append(piece: string): void {
    let text = this.#waiting + piece;
    this.#waiting = HIGH_SURROGATE_AT_END.exec(text)?.[0] ?? "";
    if (this.#waiting) text = text.slice(0, -1);
    // Scanned once: nearly every piece is plain, and the mend would copy it.
    if (text.includes("\0") || !text.isWellFormed()) text = wellFormed(text);
    this.#grow(text);
  }

  /** The next words are another writer's: half a character of the last one stays half. */
  markSeam(at = this.#text.length): void {
    this.#waiting = "";
    if (at === 0 || this.#seams.some((seam) => seam.at === at && seam.run === this.run)) return;
    this.#seams.push({ at, run: this.run });
    for (const reader of this.#readers) reader.onSeam(at);
  }

  /** No more pieces come: half a character that still waits is none. */
  closeText(): void {
    if (this.#waiting) this.#grow("\uFFFD");
    this.#waiting = "";
  }

  #grow(text: string): void {
    if (text === "") return;
    this.#text += text;
    for (const reader of this.#readers) reader.onText(text, this.#text.length);
  }

  /** Asks for the end; the producer brings it about. */
  stop(): void {
    this.#stop.abort();
  }

  /** Tells everybody that the reply has ended, once it is stored. */
  finish(end: ReplyEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#ended.resolve(end);
    for (const reader of this.#readers) reader.onEnd(end);
    this.#readers.clear();
  }

  /** Lets go of all readers; they find the reply again elsewhere. */
  breakOff(): void {
    this.#isLetGo = true;
    this.#ended.resolve(null);
    for (const reader of this.#readers) reader.onBreakOff();
    this.#readers.clear();
  }

  /**
   * Gives a reader the text after `from` (UTF-16 units), then whatever comes, without gap or repeat.
   * @returns to be called when the reader leaves; the reply goes on
   */
  subscribe(from: number, reader: ReplyReader): () => void {
    if (from < this.#text.length) reader.onText(this.#text.slice(from), this.#text.length);
    if (this.#end) reader.onEnd(this.#end);
    else if (this.#isLetGo) reader.onBreakOff();
    else this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }
}

export type LiveReplyStart = GrowingReplyStart & { chatId: string };

/** A growing reply of a chat: a message of its own, of which whatever grows is stored. */
export class LiveReply extends GrowingReply {
  readonly chatId: string;

  constructor({ chatId, ...start }: LiveReplyStart) {
    super(start);
    this.chatId = chatId;
  }
}
