const OPEN = "<think>";
const CLOSE = "</think>";
/** Limit of blank text before the first word that is held back, in UTF-16 units. */
const MAX_HELD = 1000;

/**
 * Removes a model's reasoning, which some local servers send as `<think>…</think>` at the beginning of the text.
 * Anywhere else the tags are part of the reply.
 */
export class ThinkingFilter {
  #state: "start" | "thinking" | "after" | "text" = "start";
  #held = "";

  /** Adds a piece. Returns the text of the reply so far that was not emitted yet, without reasoning. */
  push(piece: string): string {
    if (this.#state === "text") return piece;
    this.#held += piece;
    if (this.#state === "start") this.#lookForOpening();
    if (this.#state === "thinking") this.#lookForClosing();
    if (this.#state === "after") {
      this.#held = this.#held.trimStart();
      if (this.#held !== "") this.#state = "text";
    }
    return this.#state === "text" ? this.end() : "";
  }

  /** Returns the text that is still held back at the end of the stream. */
  end(): string {
    const rest = this.#state === "thinking" ? "" : this.#held;
    this.#held = "";
    return rest;
  }

  #lookForOpening(): void {
    const text = this.#held.trimStart();
    if (text.startsWith(OPEN)) {
      this.#state = "thinking";
      this.#held = text.slice(OPEN.length);
    } else if (!OPEN.startsWith(text) || this.#held.length > MAX_HELD) {
      this.#state = "text";
    }
  }

  #lookForClosing(): void {
    const at = this.#held.indexOf(CLOSE);
    if (at === -1) {
      this.#held = this.#held.slice(-(CLOSE.length - 1));
    } else {
      this.#state = "after";
      this.#held = this.#held.slice(at + CLOSE.length);
    }
  }
}
