import type { ReplyItem } from "./reply-stream.ts";

/** What reading one connection came to. `lost`: it ended before the reply did. `moved`: it tells of another reply. */
export type ReadingEnd = { type: "done" | "lost" | "moved" } | { type: "failed"; error: string | null; code?: string };

export type ReplyListener = {
  start: (reply: string) => void;
  text: (text: string) => void;
  /** From here on the words are a continuation. */
  seam: (at: number) => void;
  /** Words that were told before are not in the reply: it goes on from here. */
  cut: (at: number) => void;
};

/**
 * Puts together the text of one reply from any number of connections, without gap or repeat: pieces say where they end,
 * so what is already there is dropped, and a piece that begins too late ends the reading. After the server has crashed a
 * piece may differ from what was told there: the last words were seen, but not stored.
 */
export class ReplyProgress {
  reply: string | null;
  /** In which run of the server's writing the text was told, to be given back where the reply is resumed. */
  run: number | null = null;
  #text: string;
  /** Where the text of this connection goes on. */
  #place = 0;
  readonly #on: ReplyListener;

  constructor(known: { reply: string | null; text: string }, on: ReplyListener) {
    this.reply = known.reply;
    this.#text = known.text;
    this.#on = on;
  }

  /** UTF-16 units of the reply's text that have been told. */
  get received(): number {
    return this.#text.length;
  }

  /** `items`: those together that came at once. */
  async read(items: AsyncIterable<readonly ReplyItem[]>): Promise<ReadingEnd> {
    this.#place = this.received;
    for await (const together of items) {
      const end = this.#readTogether(together);
      if (end) return end;
    }
    // Streams of other servers have neither a start nor always a [DONE]: their end is the end.
    return { type: this.reply === null ? "done" : "lost" };
  }

  #readTogether(items: readonly ReplyItem[]): ReadingEnd | null {
    for (const item of items) {
      if (item.type === "done") return { type: "done" };
      if (item.type === "failure") return { ...item, type: "failed" };
      if (item.type === "seam") {
        this.#on.seam(item.at);
        continue;
      }
      if (item.type === "start") {
        if (this.reply !== null && this.reply !== item.reply) return { type: "moved" };
        // Words beyond it were seen and not stored. Without a run to go by the server begins earlier than it must.
        if (this.run !== null && item.run !== undefined && item.at < this.received) this.#cut(item.at);
        this.run = item.run ?? this.run;
        this.#start(item.reply);
        this.#place = item.at;
        continue;
      }
      const start = item.at === undefined ? this.#place : item.at - item.text.length;
      if (start > this.received) return { type: "lost" };
      this.#place = start + item.text.length;
      this.#take(item.text, start);
    }
    return null;
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
