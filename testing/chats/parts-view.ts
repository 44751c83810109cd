import type { Message } from "#contract/conversation/conversation.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import type { StreamEvent } from "../http/read-events.ts";

/**
 * The parts of a reply as a client keeps them, over any number of connections. Throws at a repetition. Parts come in the
 * order of their last change, so that a reader may have a hole until the end.
 */
export class PartsView {
  run = 1;
  rev = 0;
  parts: (MessagePart & { text?: unknown })[] = [];

  /** Query with which a reader resumes. */
  get query(): string {
    // A hole is undefined.
    const reasoning = this.parts.findLast((part: PartsView["parts"][number] | undefined) => part?.kind === "reasoning");
    const ofReasoning = reasoning ? `&seq=${reasoning.seq}&length=${textOf(reasoning).length}` : "";
    return `&run=${this.run}&rev=${this.rev}${ofReasoning}`;
  }

  /** Takes over the stored parts, like a browser that reopens the chat. */
  adopt({ parts = [], rev = 0 }: Pick<Message, "parts" | "rev">): void {
    this.parts = structuredClone(parts);
    this.rev = rev;
  }

  begin({ run = Number.NaN, rev = 0 }: StreamEvent): void {
    this.run = run;
    this.rev = rev;
    if (rev === 0) this.parts = [];
  }

  put({ rev, ...part }: NonNullable<StreamEvent["part"]>): void {
    if (rev <= this.rev) throw new Error(`revision ${rev} comes after ${this.rev}`);
    this.rev = rev;
    this.parts[part.seq] = part.kind === "reasoning" ? { ...part, text: textOf(this.parts[part.seq]) } : part;
  }

  think({ thought = "", seq = -1, length }: StreamEvent): void {
    const part = this.parts[seq];
    if (part?.kind !== "reasoning") throw new Error(`reasoning ${seq} comes before its part`);
    const text = textOf(part) + thought;
    part.text = text;
    if (length !== text.length) throw new Error(`a thought ends at ${length}, but ends at ${text.length}`);
  }
}

const textOf = (part: MessagePart | undefined): string => (typeof part?.text === "string" ? part.text : "");
