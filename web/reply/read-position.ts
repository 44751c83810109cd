import type { Message } from "#contract/conversation.ts";
import type { ReplyItem } from "./reply-stream.ts";

/** How far the reader of a reply has been told it, be it by streams or by readings of the chat, so that both agree. */
export class ReadPosition {
  readonly reply: string;
  /** UTF-16 units of the text. */
  #at: number;
  #run: number | null;
  readonly #seams = new Set<number>();
  #hasStarted = false;

  constructor({ reply, received, run }: { reply: string; received: number; run: number | null }) {
    this.reply = reply;
    this.#at = received;
    this.#run = run;
  }

  /** UTF-16 units of the text that the reader has. */
  get received(): number {
    return this.#at;
  }

  /** In which run of its writing the reader was told what it has; null where that is not known. */
  get run(): number | null {
    return this.#run;
  }

  /** Takes what a stream told. @returns it without a further start, which tells only that words were lost */
  takeStreamed(items: readonly ReplyItem[]): ReplyItem[] {
    return items.filter((item) => {
      const before = this.#at;
      if ("at" in item && item.at !== undefined && item.type !== "seam") this.#at = item.at;
      if (item.type === "seam") this.#seams.add(item.at);
      if (item.type !== "start") return true;
      this.#run = item.run ?? this.#run;
      if (this.#hasStarted && this.#at >= before) return false;
      this.#hasStarted = true;
      return true;
    });
  }

  /** Takes the text as it is stored. @returns the part of it that is new, as the server would stream it */
  takeText({ content, seams = [] }: Message): ReplyItem[] {
    const items: ReplyItem[] = [];
    // Behind a seam that is new to the reader, words that it has seen may be lost: they are told anew from there.
    const unknown = seams.find((seam) => seam < this.#at && !this.#seams.has(seam));
    const at = Math.min(this.#at, unknown ?? content.length, content.length);
    if (!this.#hasStarted || at < this.#at) items.push({ type: "start", reply: this.reply, at });
    if (unknown !== undefined) items.push({ type: "seam", at });
    this.#hasStarted = true;
    this.#at = at;
    for (const seam of seams) this.#seams.add(seam);
    const ends = [...seams.filter((seam) => seam > this.#at && seam < content.length), content.length];
    for (const end of ends) {
      if (end <= this.#at) break;
      items.push({ type: "token", text: content.slice(this.#at, end), at: end });
      this.#at = end;
      if (end < content.length) items.push({ type: "seam", at: end });
    }
    return items;
  }
}
