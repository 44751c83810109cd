import type { Misdeed } from "./misdeeds.ts";

export type Script = {
  pieces: number;
  /** Between two pieces; 0: as fast as they are taken. */
  paceMs: number;
  /** From this piece on they come as fast as they are taken. */
  floodsFrom?: number;
  /** Characters of filling in each piece. */
  padding?: number;
  /** What the provider does wrong at its first call, its second …; none: it behaves. */
  misdeeds?: readonly (Misdeed | undefined)[];
  /** Asked without a model, so that the server chooses. */
  isAutomatic?: boolean;
  /** How many characters a continuation says again. */
  overlap?: number;
};

let asked = 0;

/** Something to ask, and what the provider answers to it. */
export class Question {
  readonly number = ++asked;
  readonly script: Script;
  readonly pieces: readonly string[];
  /** The whole answer. */
  readonly answer: string;

  constructor(script: Script) {
    this.script = script;
    this.pieces = numberedPieces(this.number, script.pieces, script.padding);
    this.answer = this.pieces.join("");
  }

  get text(): string {
    return `Question ⟨${this.number}⟩, please answer at length.`;
  }
}

/** The number of the last question in a text. */
export function lastQuestionIn(text: string): number | undefined {
  const found = [...text.matchAll(/⟨(\d+)⟩/g)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}

const FIRST_PLAIN = 0x4e00;
/** Needs two UTF-16 units, so that a character cut in two would show. */
const FIRST_WIDE = 0x20000;
const CHARACTERS = 20_000;
const EACH_WIDE = 5;
const EACH_SPACED = 3;
const GAP_BETWEEN_QUESTIONS = 997;

/**
 * A reply in pieces, each with a character that comes nowhere else in it: whatever is missing, repeated or of another
 * reply shows, and nowhere does the text repeat itself, so that the rule which drops a repeated overlap has nothing
 * to err about.
 * @param padding characters of filling in each piece, for replies that must be long
 */
function numberedPieces(question: number, count: number, padding = 0): string[] {
  const first = (question * GAP_BETWEEN_QUESTIONS) % CHARACTERS;
  const filling = "…".repeat(padding);
  return Array.from({ length: count }, (_, index) => {
    const number = (first + index) % CHARACTERS;
    const code = (index % EACH_WIDE === EACH_WIDE - 1 ? FIRST_WIDE : FIRST_PLAIN) + number;
    return String.fromCodePoint(code) + filling + (index % EACH_SPACED === 0 ? " " : "");
  });
}
