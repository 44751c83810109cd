/** In UTF-16 units. */
const MAX_OVERLAP = 200;
/** Shorter matches are chance: "bal" may well go on with "loon". */
const MIN_OVERLAP = 10;
const MIN_DISTINCT_CHARACTERS = 4;

/**
 * Takes the beginning off a continuation where it repeats the end of the text that it continues. What may still turn
 * out to be a repetition is held back.
 */
export class OverlapFilter {
  readonly #tail: string;
  /** Nothing once it is decided. */
  #held: string | undefined = "";

  constructor(text: string) {
    this.#tail = text.slice(-MAX_OVERLAP);
  }

  /** Returns what of the continuation is certain to be new. */
  push(piece: string): string {
    if (this.#held === undefined) return piece;
    this.#held += piece;
    return this.#tail.includes(this.#held) ? "" : this.end();
  }

  /** No more pieces come: returns what was held back and is new. */
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
  // White space at the end is not sent along to every provider, and then comes again.
  const space = tail.slice(tail.trimEnd().length);
  for (let length = Math.min(space.length, text.length); length > 0; length -= 1) {
    if (space.endsWith(text.slice(0, length))) return length;
  }
  return 0;
}

/** Indentation and rulers repeat by nature; words do not. */
function isDistinctive(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text) && new Set(text).size >= MIN_DISTINCT_CHARACTERS;
}
