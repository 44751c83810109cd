const OPEN = "<think>";
const CLOSE = "</think>";
/** Blank text before the first word is held back no longer than this. */
const MAX_HELD = 1000;

/**
 * Some local servers send a model's reasoning inside the text, as `<think>…</think>` at its beginning. It is left out
 * there; anywhere else the words are the reply's own.
 */
export class ThinkingFilter {
  #state: "start" | "thinking" | "after" | "text" = "start";
  #held = "";

  /** The part of a piece (and of what was held back before it) that belongs to the reply. */
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

  /** What is still held back once nothing more comes. */
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
