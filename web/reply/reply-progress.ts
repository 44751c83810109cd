import { type KnownReply, type PartsListener, type PartsPosition, ReplyParts } from "./reply-parts.ts";
import type { ReplyItem } from "./reply-stream.ts";

/** Result of reading one connection. `lost`: it ended before the reply. `moved`: it delivers another reply. */
export type ConnectionEnd =
  | { type: "done" | "lost" | "moved" }
  | { type: "failed"; error: string | null; code?: string; retryAfterMs?: number };

export type ReplyListener = PartsListener & {
  start: (reply: string) => void;
  text: (text: string) => void;
  /** The model (a value) writes what follows. */
  writer: (model: string) => void;
  /** The text from here on is a continuation. */
  seam: (at: number) => void;
  /** The text after this position is not part of the reply, which continues here. */
  cut: (at: number) => void;
};

/**
 * Joins the text and the parts of one reply from any number of connections, without gaps or repetitions. Each piece has its end
 * position: known text is dropped, and a piece that starts after a gap ends the reading. After a crash of the server a
 * piece may differ from the text at its position, because the last words were received but not stored.
 */
export class ReplyProgress {
  reply: string | null;
  /** Run in which the text was received; sent when the reply is resumed. */
  run: number | null = null;
  #text: string;
  /** Position of the next text of this connection. */
  #position = 0;
  readonly #parts: ReplyParts;
  readonly #on: ReplyListener;

  constructor(known: KnownReply, on: ReplyListener) {
    this.reply = known.reply;
    this.#text = known.text;
    this.#parts = new ReplyParts(known, on);
    this.#on = on;
  }

  get parts(): PartsPosition | undefined {
    return this.#parts.position;
  }

  /** Reports the reasoning that was still growing. */
  end(): void {
    this.#parts.end();
  }

  /** Length of the received text in UTF-16 units. */
  get received(): number {
    return this.#text.length;
  }

  /** Reads one connection. `items`: batches of items that arrived together. */
  async read(items: AsyncIterable<readonly ReplyItem[]>): Promise<ConnectionEnd> {
    this.#position = this.received;
    for await (const together of items) {
      const end = this.#readTogether(together);
      if (end) return end;
    }
    // Streams of other servers have no start and sometimes no [DONE]: the end of the stream is the end of the reply.
    return { type: this.reply === null ? "done" : "lost" };
  }

  #readTogether(items: readonly ReplyItem[]): ConnectionEnd | null {
    for (const item of items) {
      if (item.type === "done") return { type: "done" };
      if (item.type === "failure") return { ...item, type: "failed" };
      if (item.type === "seam") {
        this.#on.seam(item.at);
        continue;
      }
      if (item.type === "writer") {
        this.#on.writer(item.model);
        continue;
      }
      if (item.type === "start") {
        if (this.reply !== null && this.reply !== item.reply) return { type: "moved" };
        // Later text was received but not stored. Without a known run the server starts earlier than necessary.
        if (this.run !== null && item.run !== undefined && item.at < this.received) this.#cut(item.at);
        this.run = item.run ?? this.run;
        this.#parts.start(item.rev);
        this.#start(item.reply);
        this.#position = item.at;
        continue;
      }
      if (item.type === "part" || item.type === "thought") {
        if (!this.#takePartItem(item)) return { type: "lost" };
        continue;
      }
      const start = item.at === undefined ? this.#position : item.at - item.text.length;
      if (start > this.received) return { type: "lost" };
      this.#position = start + item.text.length;
      this.#take(item.text, start);
    }
    return null;
  }

  /** Takes an item of the parts. @returns false if earlier reasoning is missing */
  #takePartItem(item: Extract<ReplyItem, { type: "part" | "thought" }>): boolean {
    // Parts belong to a known reply; streams of other servers have none.
    if (this.reply === null) return true;
    if (item.type === "thought") return this.#parts.takeThought(item.seq, item.text, item.length);
    this.#parts.takePart(this.reply, item.part, item.rev);
    return true;
  }

  #start(reply: string): void {
    if (this.reply === reply) return;
    this.reply = reply;
    this.#on.start(reply);
  }

  #cut(at: number): void {
    this.#text = this.#text.slice(0, at);
    this.#on.cut(at);
  }

  #take(text: string, start: number): void {
    const known = start < this.received ? this.#text.slice(start, start + text.length) : "";
    const shared = text.startsWith(known) ? known.length : sharedLength(text, known);
    if (shared < known.length) this.#cut(start + shared);
    if (shared === text.length) return;
    const news = text.slice(shared);
    this.#text += news;
    this.#on.text(news);
  }
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
