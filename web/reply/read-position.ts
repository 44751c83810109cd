import type { Message } from "#contract/conversation/conversation.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import type { ReplyPosition } from "./open-reply.ts";
import type { PartsPosition } from "./reply-parts.ts";
import type { ReplyItem } from "./reply-stream.ts";

const NO_PARTS: PartsPosition = { rev: 0 };

/** Position of a reader in a reply, shared by streams and polls, so that both continue at the same position. */
export class ReadPosition {
  readonly reply: string;
  /** Length of the received text in UTF-16 units. */
  #at: number;
  #run: number | null;
  #parts: PartsPosition;
  readonly #seams = new Set<number>();
  #hasStarted = false;

  constructor({ reply, received, run, parts }: Omit<ReplyPosition, "chat">) {
    this.reply = reply;
    this.#at = received;
    this.#run = run;
    this.#parts = parts ?? NO_PARTS;
  }

  /** Length of the text that the reader has, in UTF-16 units. */
  get received(): number {
    return this.#at;
  }

  /** Run in which the reader has received its text; null if unknown. */
  get run(): number | null {
    return this.#run;
  }

  /** Position in the parts; undefined if the reader has none. */
  get parts(): PartsPosition | undefined {
    return this.#parts.rev === 0 ? undefined : this.#parts;
  }

  /** Advances by items of a stream. @returns them without repeated starts, unless a start reports lost text or parts */
  takeStreamed(items: readonly ReplyItem[]): ReplyItem[] {
    return items.filter((item) => {
      const before = this.#at;
      this.#advanceParts(item);
      if ("at" in item && item.at !== undefined && item.type !== "seam") this.#at = item.at;
      if (item.type === "seam") this.#seams.add(item.at);
      if (item.type !== "start") return true;
      this.#run = item.run ?? this.#run;
      const hasLostParts = !item.rev && this.#parts.rev > 0;
      if (hasLostParts) this.#parts = NO_PARTS;
      if (this.#hasStarted && this.#at >= before && !hasLostParts) return false;
      this.#hasStarted = true;
      return true;
    });
  }

  #advanceParts(item: ReplyItem): void {
    if (item.type === "thought") this.#parts = { ...this.#parts, seq: item.seq, length: item.length };
    if (item.type !== "part") return;
    const { seq = -1 } = this.#parts;
    const isNewReasoning = item.part.kind === "reasoning" && item.part.seq > seq;
    const reasoning = isNewReasoning ? { seq: item.part.seq, length: 0 } : {};
    this.#parts = { ...this.#parts, ...reasoning, rev: Math.max(this.#parts.rev, item.rev) };
  }

  /** Advances to the stored message. @returns its new text and parts as items, like in a stream */
  takeMessage(message: Message): ReplyItem[] {
    const isTakenBack = this.#isTakenBack(message);
    if (isTakenBack) this.#parts = NO_PARTS;
    const items = this.#takeText(message, isTakenBack ? 0 : this.#at);
    // Reasoning and notices stand above the text that they concern.
    items.splice(items[0]?.type === "start" ? 1 : 0, 0, ...this.#takeParts(message.parts ?? [], message.rev ?? 0));
    return items;
  }

  /**
   * Whether the text that the reader has became reasoning: only then does new reasoning stand before known text, because
   * a part precedes the text after it.
   */
  #isTakenBack({ parts = [] }: Message): boolean {
    const { seq = -1 } = this.#parts;
    return parts.some((part) => part.kind === "reasoning" && part.seq > seq && part.at < this.#at);
  }

  /** Returns the parts of a newer revision, and the rest of reasoning. */
  #takeParts(parts: readonly MessagePart[], rev: number): ReplyItem[] {
    // A part may arrive by a stream before it is stored.
    if (rev < this.#parts.rev) return [];
    const isNew = rev > this.#parts.rev;
    const items = parts.flatMap((part): ReplyItem[] => {
      const whole: ReplyItem[] = isNew ? [{ type: "part", part, rev }] : [];
      const { seq = -1, length = 0 } = this.#parts;
      const known = part.seq === seq ? length : 0;
      if (typeof part.text !== "string" || part.seq < seq || part.text.length <= known) return whole;
      return [...whole, { type: "thought", seq: part.seq, text: part.text.slice(known), length: part.text.length }];
    });
    for (const item of items) this.#advanceParts(item);
    return items;
  }

  /** @param known length of the text that the reader may keep, in UTF-16 units */
  #takeText({ content, model, seams = [] }: Message, known: number): ReplyItem[] {
    const items: ReplyItem[] = [];
    // After a seam that the reader does not know, its text may be lost: the text is sent again from there.
    const unknown = seams.find((seam) => seam < this.#at && !this.#seams.has(seam));
    const at = Math.min(known, unknown ?? content.length, content.length);
    // After a crash the parts may be others, too.
    if (unknown !== undefined) this.#parts = NO_PARTS;
    const { rev } = this.#parts;
    if (!this.#hasStarted || at < this.#at)
      items.push({ type: "start", reply: this.reply, at, ...(rev > 0 && { rev }) });
    if (unknown !== undefined) items.push({ type: "seam", at });
    this.#hasStarted = true;
    this.#at = at;
    for (const seam of seams) this.#seams.add(seam);
    if (model !== null && content !== "") items.push({ type: "writer", model });
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
