import type { OutputSink } from "../model.ts";

/** Limit of blank text that is held back before the first word and within reasoning, in UTF-16 units. */
const MAX_HELD = 1000;

/**
 * Separates a model's reasoning, which some servers send as `<think>…</think>` at the beginning of the text, from the
 * text. Anywhere else the tags are part of the reply. White space around the reasoning is dropped.
 */
export class ThinkingFilter {
  #open = "<think>";
  #close = "</think>";
  #state: "start" | "thinking" | "after" | "text" = "start";
  #held = "";
  #hasReasoning = false;

  /** Replaces `think` as the name of the tag. Call it before the text with the tag. */
  expectTag(name: string): void {
    this.#open = `<${name}>`;
    this.#close = `</${name}>`;
  }

  /** Passes a piece on as reasoning or text. A possible beginning of a tag is held back. */
  push(piece: string, sink: OutputSink): void {
    if (this.#state === "text") {
      sink.onText(piece);
      return;
    }
    this.#held += piece;
    if (this.#state === "start") this.#lookForOpening();
    if (this.#state === "thinking") this.#lookForClosing(sink);
    if (this.#state === "after") {
      this.#held = this.#held.trimStart();
      if (this.#held !== "") this.#state = "text";
    }
    if (this.#state === "text") this.end(sink);
  }

  /** Passes on what is still held back at the end of the stream. */
  end(sink: OutputSink): void {
    const rest = this.#held;
    this.#held = "";
    if (this.#state === "thinking") this.#addReasoning(rest.trimEnd(), sink);
    else sink.onText(rest);
  }

  #lookForOpening(): void {
    const text = this.#held.trimStart();
    if (text.startsWith(this.#open)) {
      this.#state = "thinking";
      this.#held = text.slice(this.#open.length);
    } else if (!this.#open.startsWith(text) || this.#held.length > MAX_HELD) {
      this.#state = "text";
    }
  }

  #lookForClosing(sink: OutputSink): void {
    const at = this.#held.indexOf(this.#close);
    const end = at === -1 ? this.#held.length - commonLength(this.#held, this.#close) : at;
    const blankFrom = this.#held.slice(0, end).trimEnd().length;
    const isHeld = at !== -1 || end - blankFrom <= MAX_HELD;
    const emitted = isHeld ? blankFrom : end;
    this.#addReasoning(this.#held.slice(0, emitted), sink);
    this.#held = this.#held.slice(at === -1 ? emitted : at + this.#close.length);
    if (at !== -1) this.#state = "after";
  }

  #addReasoning(piece: string, sink: OutputSink): void {
    const reasoning = this.#hasReasoning ? piece : piece.trimStart();
    if (reasoning === "") return;
    this.#hasReasoning = true;
    sink.onReasoning(reasoning);
  }
}

/** Returns the length of the beginning of `tag` at the end of `text`. */
function commonLength(text: string, tag: string): number {
  for (let length = tag.length - 1; length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
