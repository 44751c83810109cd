import type { StreamEvent } from "../http/read-events.ts";
import { PartsView } from "./parts-view.ts";

/** A reader of a reply over any number of connections: its text and its parts. Throws at a gap or a repetition. */
export class ReplyView extends PartsView {
  reply = "";
  text = "";

  /** Path and query with which it resumes, below a chat. */
  get resume(): string {
    return `/reply?reply=${this.reply}&from=${this.text.length}${this.query}`;
  }

  take(event: StreamEvent): void {
    if (event.reply !== undefined) this.#start(event.reply, event);
    else if (event.token !== undefined) this.#grow(event.token, event.at);
    else if (event.part) this.put(event.part);
    else if (event.thought !== undefined) this.think(event);
    else if (event.writer === undefined && event.seam === undefined)
      throw new Error(`unknown event ${JSON.stringify(event)}`);
  }

  #start(reply: string, event: StreamEvent): void {
    const { at = Number.NaN } = event;
    if (!(at <= this.text.length)) throw new Error(`gap: has ${this.text.length}, the stream begins at ${at}`);
    this.reply = reply;
    this.text = this.text.slice(0, at);
    this.begin(event);
  }

  #grow(token: string, at: number | undefined): void {
    this.text += token;
    if (at !== this.text.length) throw new Error(`a token says that it ends at ${at}, but ends at ${this.text.length}`);
  }

  /** A reader that has received these events. */
  static after(events: readonly StreamEvent[]): ReplyView {
    const view = new ReplyView();
    for (const event of events) view.take(event);
    return view;
  }
}
