import type { Message } from "#contract/conversation.ts";
import type { ReplyItem } from "./reply-stream.ts";

/** Position of a reader in a reply, shared by streams and polls, so that both continue at the same position. */
export class ReadPosition {
  readonly reply: string;
  /** Length of the received text in UTF-16 units. */
  #at: number;
  #run: number | null;
  readonly #seams = new Set<number>();
  #hasStarted = false;

  constructor({ reply, received, run }: { reply: string; received: number; run: number | null }) {
    this.reply = reply;
    this.#at = received;
    this.#run = run;
  }

  /** Length of the text that the reader has, in UTF-16 units. */
  get received(): number {
    return this.#at;
  }

  /** Run in which the reader has received its text; null if unknown. */
  get run(): number | null {
    return this.#run;
  }

  /** Advances by items of a stream. @returns them without repeated starts, unless a start reports lost text */
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

  /** Advances to the stored text. @returns its new part as items, like in a stream */
  takeText({ content, seams = [] }: Message): ReplyItem[] {
    const items: ReplyItem[] = [];
    // After a seam that the reader does not know, its text may be lost: the text is sent again from there.
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
