/** Shorter ones, such as the `ollama` of local servers, may be words of a reply. */
const SHORTEST_KEY = 12;
/** So many of its first characters are not held back: words that begin like a key must not wait for what follows. */
const MAX_EMITTED = 7;
const HIDDEN = "•••";

/** Keeps a provider's key out of the text of a provider that echoes what it was sent. */
export class KeyFilter {
  readonly #key: string;
  /** The end of what was told: the key may have begun there. */
  #emitted = "";
  #held = "";

  constructor(key: string | undefined) {
    this.#key = key !== undefined && key.length >= SHORTEST_KEY ? key : "";
  }

  /** The part of a piece (and of what was held back before it) that is not of the key. */
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

  /** What is still held back once nothing more comes. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }

  /** Where the text's end, if more of it than may be told, is the beginning of the key. */
  #possibleStart(text: string, from: number): number {
    const [first = ""] = this.#key;
    let at = text.indexOf(first, Math.max(from, text.length - this.#key.length + 1));
    while (at !== -1 && !this.#key.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
    return at === -1 || text.length - at <= MAX_EMITTED ? text.length : at;
  }
}
