import type { MessagePart } from "#contract/conversation/parts.ts";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import { Store } from "../store/store.ts";

/** Id, text and parts of a reply, as far as this page has them. */
export type KnownReply = {
  reply: string | null;
  text: string;
  parts?: readonly MessagePart[] | undefined;
  rev?: number | undefined;
};

export function knownReply({ id, content, parts, rev }: ClientMessage): KnownReply {
  return { reply: id, text: content, parts, rev };
}

/** Position of a reader in the parts of a reply. `seq`, `length`: the last reasoning and how much of it is known. */
export type PartsPosition = { rev: number; seq?: number; length?: number };

export type PartsListener = {
  /** A part as it is now; growing reasoning has the text that was known when its event arrived. */
  part: (part: MessagePart, rev: number) => void;
  /** All parts are received anew. */
  discardParts: () => void;
};

/**
 * Text of the reasoning that is being received, by {@link reasoningKey}. Outside the chats' state: a piece costs one
 * append, unless a component reads it.
 */
export const growingReasoning = new Map<string, Store<string>>();

export const reasoningKey = (reply: string, seq: number) => `${reply} ${seq}`;

/** Joins the parts of one reply from any number of connections, without gaps or repetitions. */
export class ReplyParts {
  #rev: number;
  readonly #parts = new Map<number, MessagePart>();
  readonly #texts = new Map<number, string>();
  /** Keys of {@link growingReasoning} that this reader has added, by `seq`. */
  readonly #growing = new Map<number, string>();
  readonly #on: PartsListener;

  constructor({ reply, parts = [], rev = 0 }: Omit<KnownReply, "text">, on: PartsListener) {
    this.#on = on;
    this.#rev = rev;
    for (const part of parts) {
      this.#parts.set(part.seq, part);
      if (typeof part.text !== "string") continue;
      this.#texts.set(part.seq, part.text);
      // Its next event may be a piece.
      if (reply !== null && part.durationMs === undefined) this.#grow(reply, part.seq, part.text);
    }
  }

  /** Undefined if no part was received. */
  get position(): PartsPosition | undefined {
    if (this.#rev === 0) return undefined;
    const [seq, text] = [...this.#texts].at(-1) ?? [];
    return { rev: this.#rev, ...(seq !== undefined && { seq, length: text?.length ?? 0 }) };
  }

  /** Reads the revision of a start. Zero: the parts are sent anew. */
  start(rev = 0): void {
    if (rev > 0 || this.#rev === 0) return;
    this.#rev = 0;
    this.#parts.clear();
    this.#texts.clear();
    this.#stopGrowing();
    this.#on.discardParts();
  }

  takePart(reply: string, part: MessagePart, rev: number): void {
    this.#rev = Math.max(this.#rev, rev);
    this.#parts.set(part.seq, part);
    if (part.kind === "reasoning") this.#takeReasoning(reply, part);
    else this.#on.part(part, this.#rev);
  }

  #takeReasoning(reply: string, part: MessagePart): void {
    const { seq } = part;
    const text = this.#texts.get(seq) ?? "";
    this.#texts.set(seq, text);
    if (part.durationMs === undefined) this.#grow(reply, seq, text);
    else this.#stopGrowing(seq);
    this.#on.part({ ...part, text }, this.#rev);
  }

  /**
   * Appends a piece of reasoning that ends at `length`.
   * @returns false if text before it is missing
   */
  takeThought(seq: number, piece: string, length: number): boolean {
    const part = this.#parts.get(seq);
    const known = this.#texts.get(seq);
    if (!part || known === undefined || length - piece.length > known.length) return false;
    if (length <= known.length) return true;
    const text = known + piece.slice(known.length - length);
    this.#texts.set(seq, text);
    const key = this.#growing.get(seq);
    // After a lost connection the rest may arrive behind the end of its part.
    if (key === undefined) this.#on.part({ ...part, text }, this.#rev);
    else growingReasoning.get(key)?.set(text);
    return true;
  }

  /** Reports the reasoning that has not ended. Called when reading the reply has ended. */
  end(): void {
    const ended = [...this.#growing.keys()];
    // First, because a listener may call this again.
    this.#stopGrowing();
    for (const seq of ended) {
      const part = this.#parts.get(seq);
      if (part) this.#on.part({ ...part, text: this.#texts.get(seq) ?? "" }, this.#rev);
    }
  }

  #grow(reply: string, seq: number, text: string): void {
    const key = reasoningKey(reply, seq);
    this.#growing.set(seq, key);
    if (!growingReasoning.has(key)) growingReasoning.set(key, new Store(text));
  }

  #stopGrowing(only?: number): void {
    for (const [seq, key] of this.#growing) {
      if (only !== undefined && only !== seq) continue;
      growingReasoning.delete(key);
      this.#growing.delete(seq);
    }
  }
}
