/** In UTF-16 units. */
const MAX_OVERLAP = 200;
/** Shorter matches may be coincidence: a text that ends in "bal" may continue with "balloon". */
const MIN_OVERLAP = 10;
const MIN_DISTINCT_CHARACTERS = 4;

/**
 * Removes the beginning of a continuation if it repeats the end of the text that it continues. Holds back text until it
 * is certain whether that is a repetition.
 */
export class OverlapFilter {
  readonly #tail: string;
  /** Held-back text; undefined once the decision is made. */
  #held: string | undefined = "";

  constructor(text: string) {
    this.#tail = text.slice(-MAX_OVERLAP);
  }

  /** Returns the text that is certain to be new. */
  push(piece: string): string {
    if (this.#held === undefined) return piece;
    this.#held += piece;
    return this.#tail.includes(this.#held) ? "" : this.end();
  }

  /** Ends the continuation. @returns the held-back text that is new */
  end(): string {
    const held = this.#held ?? "";
    this.#held = undefined;
    return held.slice(overlapLength(this.#tail, held));
  }
}

function overlapLength(tail: string, text: string): number {
  for (let length = Math.min(tail.length, text.length); length >= MIN_OVERLAP; length -= 1) {
    const beginning = text.slice(0, length);
    if (tail.endsWith(beginning) && isDistinctive(beginning)) return length;
  }
  // Trailing white space is not sent to every provider, so it may be repeated.
  const space = tail.slice(tail.trimEnd().length);
  for (let length = Math.min(space.length, text.length); length > 0; length -= 1) {
    if (space.endsWith(text.slice(0, length))) return length;
  }
  return 0;
}

/** Whether a repetition is significant: indentation and rules repeat normally, words do not. */
function isDistinctive(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) && new Set(text).size >= MIN_DISTINCT_CHARACTERS;
}
