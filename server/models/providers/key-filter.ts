/** Shorter keys, such as `ollama` of local servers, may be words of a reply, and are not masked. */
const SHORTEST_KEY = 12;
/** Number of a key's first characters that are not held back, so that words that begin like it are not delayed. */
const MAX_EMITTED = 7;
const HIDDEN = "•••";

/** Masks a provider's key in streamed text, in case the provider echoes its request. */
export class KeyFilter {
  readonly #key: string;
  /** End of the emitted text, in which the key may have begun. */
  #emitted = "";
  #held = "";

  constructor(key: string | undefined) {
    this.#key = key !== undefined && key.length >= SHORTEST_KEY ? key : "";
  }

  /** Adds a piece. Returns the text that can be emitted; a possible beginning of the key is held back. */
  push(piece: string): string {
    if (this.#key === "") return piece;
    const text = this.#emitted + this.#held + piece;
    let passed = "";
    let emittedTo = this.#emitted.length;
    let searchedTo = 0;
    for (let at = text.indexOf(this.#key); at !== -1; at = text.indexOf(this.#key, searchedTo)) {
      passed += text.slice(emittedTo, Math.max(emittedTo, at)) + HIDDEN;
      emittedTo = searchedTo = at + this.#key.length;
    }
    const end = Math.max(emittedTo, this.#possibleStart(text, searchedTo));
    passed += text.slice(emittedTo, end);
    this.#emitted = text.slice(Math.max(searchedTo, end - MAX_EMITTED), end);
    this.#held = text.slice(end);
    return passed;
  }

  /** Returns the text that is still held back at the end of the stream. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }

  /**
   * Returns the index at which a beginning of the key at the text's end starts. One of MAX_EMITTED or less is ignored.
   */
  #possibleStart(text: string, from: number): number {
    const [first = ""] = this.#key;
    let at = text.indexOf(first, Math.max(from, text.length - this.#key.length + 1));
    while (at !== -1 && !this.#key.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
    return at === -1 || text.length - at <= MAX_EMITTED ? text.length : at;
  }
}
