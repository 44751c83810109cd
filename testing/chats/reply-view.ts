import type { MessagePart } from "#contract/parts.ts";
import type { StreamEvent } from "../http/read-events.ts";

/**
 * A reader of a reply over any number of connections: text and parts, as a client keeps them. Throws at a gap or a
 * repetition.
 */
export class ReplyView {
  reply = "";
  text = "";
  run = 1;
  rev = 0;
  readonly parts: (MessagePart & { text?: string })[] = [];

  /** Path and query with which it resumes below a chat. */
  get resume(): string {
    const reasoning = this.parts.findLast(({ kind }) => kind === "reasoning");
    const ofReasoning = reasoning ? `&seq=${reasoning.seq}&length=${reasoning.text?.length ?? 0}` : "";
    return `/reply?reply=${this.reply}&from=${this.text.length}&run=${this.run}&rev=${this.rev}${ofReasoning}`;
  }

  take(event: StreamEvent): void {
    if (event.reply !== undefined) this.#start(event);
    else if (event.token !== undefined) this.#grow(event.token, event.at);
    else if (event.part) this.#put(event.part);
    else if (event.thought !== undefined) this.#think(event);
    else if (event.seam === undefined) throw new Error(`unknown event ${JSON.stringify(event)}`);
  }

  #start({ reply = "", at = Number.NaN, run = Number.NaN, rev = 0 }: StreamEvent): void {
    if (at > this.text.length) throw new Error(`gap: has ${this.text.length}, the stream begins at ${at}`);
    Object.assign(this, { reply, run, text: this.text.slice(0, at), rev });
    if (rev === 0) this.parts.length = 0;
  }

  #grow(token: string, at: number | undefined): void {
    this.text += token;
    if (at !== this.text.length) throw new Error(`a token says that it ends at ${at}, but ends at ${this.text.length}`);
  }

  #put({ rev, ...part }: NonNullable<StreamEvent["part"]>): void {
    if (part.seq > this.parts.length) throw new Error(`part ${part.seq} comes after ${this.parts.length} parts`);
    if (rev <= this.rev && this.rev > 0) throw new Error(`revision ${rev} comes after ${this.rev}`);
    this.rev = rev;
    const text = part.kind === "reasoning" ? { text: this.parts[part.seq]?.text ?? "" } : {};
    this.parts[part.seq] = { ...part, ...text };
  }

  #think({ thought, seq = -1, length }: StreamEvent): void {
    const part = this.parts[seq];
    if (part?.text === undefined) throw new Error(`reasoning ${seq} comes before its part`);
    part.text += thought;
    if (length !== part.text.length) throw new Error(`a thought ends at ${length}, but ends at ${part.text.length}`);
  }

  /** A reader that has received the first events only. */
  static after(events: readonly StreamEvent[]): ReplyView {
    const view = new ReplyView();
    for (const event of events) view.take(event);
    return view;
  }
}
