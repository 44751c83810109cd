import type { Misdeed } from "./misdeeds.ts";
import { numberedPieces } from "./numbered-text.ts";

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
