import type { ReplyThought, ReplyToken } from "#contract/conversation/reply-events.ts";
import type { MessageRow } from "../../database/schema.ts";
import { parseSeams, reliableLength, type Seam } from "../../text/seams.ts";
import { openingEvent, type Part, partEvent } from "../parts/message-part.ts";
import type { GrowingReply, LiveReply } from "./live-reply.ts";

/** Size in UTF-16 units of the chunks in which missed text is sent, with backpressure. */
const BACKLOG_PIECE = 32 * 1024;

/**
 * Position of a reader: length of the text it has (UTF-16 units), the run in which it received it, the highest revision
 * of the parts that it has, and its last reasoning with its length (UTF-16 units).
 */
export type Position = {
  from: number;
  run: number;
  rev: number;
  seq?: number | undefined;
  length?: number | undefined;
};

/** Position of a reader that has no text yet. */
export const START: Position = { from: 0, run: 1, rev: 0 };

/** A reply that has ended, with its parts. */
export type EndedReply = MessageRow & { parts: readonly Part[] };

/** A readable reply: running here or in another process, or stored. */
export type ReadableReply = LiveReply | EndedReply;

export type BacklogSource = ReadableReply | GrowingReply;

export function seamsOf(reply: BacklogSource): readonly Seam[] {
  return "text" in reply ? reply.seams : parseSeams(reply.seams);
}

const textOf = (reply: BacklogSource) => ("text" in reply ? reply.text : reply.content);
export const partsOfReply = (reply: BacklogSource): readonly Part[] =>
  "text" in reply ? reply.parts.all : reply.parts;
const revOf = (reply: BacklogSource) => ("text" in reply ? reply.parts.rev : reply.rev);

/** Returns the reasoning of a reader's position; undefined if the reply has less of it. */
export function reachedReasoning(reply: BacklogSource, { seq, length = 0 }: Position): Part | undefined {
  const part = seq === undefined ? undefined : partsOfReply(reply)[seq];
  return part?.text !== undefined && part.text.length >= length ? part : undefined;
}

/** Whether the reply has all that its reader has received. */
export function hasReached(reply: BacklogSource, position: Position): boolean {
  if (textOf(reply).length < Math.min(position.from, reliableLength(seamsOf(reply), position.run))) return false;
  // The reader of an older run receives all parts again.
  if (position.run < reply.run || position.rev === 0) return true;
  return position.rev <= revOf(reply) && (position.seq === undefined || !!reachedReasoning(reply, position));
}

/** The part of a reply that a reader is missing, which grows with the reply. */
export class Backlog {
  readonly #reply: BacklogSource;
  /** Length of the text that the reader has, in UTF-16 units. */
  #at: number;
  #rev: number;
  #seq: number | undefined;
  #length = 0;

  constructor(reply: BacklogSource, position: Position) {
    this.#reply = reply;
    this.#at = Math.min(position.from, reliableLength(seamsOf(reply), position.run), textOf(reply).length);
    const reasoning = reachedReasoning(reply, position);
    const isLost = position.rev > revOf(reply) || (position.seq !== undefined && !reasoning);
    this.#rev = position.run < reply.run || isLost ? 0 : position.rev;
    if (this.#rev === 0 || !reasoning) return;
    this.#seq = reasoning.seq;
    this.#length = position.length ?? 0;
  }

  get at(): number {
    return this.#at;
  }

  /** Revision of the parts that the reader has and may keep; 0: it discards them. */
  get rev(): number {
    return this.#rev;
  }

  /**
   * Yields the events up to the current state, in the order in which the reply has changed: each part before the text
   * after its position. A caller that pauses between two events calls it again until it yields nothing.
   */
  *events(): Generator<object> {
    const text = textOf(this.#reply);
    if (this.#at === text.length && !this.#hasMissingParts()) return;
    const parts = partsOfReply(this.#reply).filter((part) => this.#isMissing(part));
    parts.sort((a, b) => a.rev - b.rev);
    // Text after the position of any later part in this order must wait for it.
    let gate = text.length;
    const gates = parts.map(() => 0);
    for (let index = parts.length - 1; index >= 0; index--) {
      gate = Math.min(gate, parts[index]?.at ?? gate);
      gates[index] = gate;
    }
    for (const [index, part] of parts.entries()) {
      yield* this.#text(text, gates[index] ?? 0);
      yield* this.#part(part);
    }
    yield* this.#text(text, text.length);
  }

  #hasMissingParts(): boolean {
    const last = this.#seq === undefined ? undefined : partsOfReply(this.#reply)[this.#seq];
    return revOf(this.#reply) > this.#rev || (last !== undefined && this.#isMissing(last));
  }

  #isMissing({ rev, seq, text }: Part): boolean {
    return rev > this.#rev || (seq === this.#seq && text !== undefined && text.length > this.#length);
  }

  *#text(text: string, end: number): Generator<ReplyToken> {
    while (this.#at < end) {
      const token = text.slice(this.#at, Math.min(end, this.#at + BACKLOG_PIECE));
      this.#at += token.length;
      yield { token, at: this.#at };
    }
  }

  *#part(part: Part): Generator<object> {
    if (part.text !== undefined) yield* this.#reasoning(part, part.seq);
    if (part.rev <= this.#rev) return;
    this.#rev = part.rev;
    yield partEvent(part);
  }

  *#reasoning(part: Part, seq: number): Generator<object> {
    if (seq !== this.#seq) {
      this.#seq = seq;
      this.#length = 0;
      const opening = openingEvent(part);
      this.#rev = Math.max(this.#rev, opening.part.rev);
      yield opening;
    }
    // The text grows while its reader is slow.
    while (this.#length < (part.text?.length ?? 0)) {
      const thought = part.text?.slice(this.#length, this.#length + BACKLOG_PIECE) ?? "";
      this.#length += thought.length;
      yield { thought, seq, length: this.#length } satisfies ReplyThought;
    }
  }
}
