import type { WireCall } from "../../testing/provider/wire.ts";
import { shopCall } from "../../testing/tools/script-calls.ts";
import type { Misdeed } from "./misdeeds.ts";

export type Script = {
  pieces: number;
  /** Pause between two pieces; 0 for no pause. */
  paceMs: number;
  /** Number of the piece from which there are no pauses. */
  floodsFrom?: number;
  /** Padding characters in each piece. */
  padding?: number;
  /** Misdeeds of the provider at its first call, second call, and so on. */
  misdeeds?: readonly (Misdeed | undefined)[];
  /** Sent without a model, so that the server chooses. */
  isAutomatic?: boolean;
  /** Number of characters that a continuation repeats. */
  overlap?: number;
  /** Thoughts before the first piece of each call, and again before the piece in the middle. */
  thoughts?: number;
  /** Names of the tools of the shop that each round of the answer calls at its end; then one more round of text follows. */
  calls?: readonly (readonly string[])[];
};

/** A round of an answer: pieces of text that begin at the position `from` of the answer, and calls of tools. */
export type Round = { from: number; text: string; pieces: readonly string[]; calls: readonly WireCall[] };

let asked = 0;

/** A question and the provider's answer to it. */
export class Question {
  readonly number = ++asked;
  readonly script: Script;
  /** In their order; one without calls of tools. */
  readonly rounds: readonly Round[];
  /** The complete answer as the server stores it. */
  readonly answer: string;
  /** A passage of reasoning; each passage is the same. */
  readonly thoughts: readonly string[];

  constructor(script: Script) {
    this.script = script;
    this.rounds = roundsOf(numberedPieces(this.number, script.pieces, script.padding), this.number, script.calls);
    this.answer = this.rounds.map(({ text }) => text).join(BETWEEN_ROUNDS);
    this.thoughts = Array.from({ length: script.thoughts ?? 0 }, (_, at) => `Thought ${at} 😀 of ${this.number}. `);
  }

  get text(): string {
    return `Question ⟨${this.number}⟩, please answer at length.`;
  }
}

/** With which the server separates the text of a round from that before its calls. */
const BETWEEN_ROUNDS = "\n\n";

/** Divides the pieces of an answer equally among its rounds. The item of each call is unique in a run. */
function roundsOf(pieces: readonly string[], question: number, calls: Script["calls"] = []): Round[] {
  const count = calls.length + 1;
  const startOf = (round: number) => Math.floor((round * pieces.length) / count);
  let from = 0;
  return Array.from({ length: count }, (_, round) => {
    const own = pieces.slice(startOf(round), startOf(round + 1));
    const named = (calls[round] ?? []).map((name, at) => shopCall(name, `${question}-${round}-${at}`));
    const made = { from, text: own.join(""), pieces: own, calls: named };
    from += made.text.length + BETWEEN_ROUNDS.length;
    return made;
  });
}

/** Returns the number of the last question in a text. */
export function lastQuestionIn(text: string): number | undefined {
  const found = [...text.matchAll(/⟨(\d+)⟩/g)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}

const FIRST_PLAIN = 0x4e00;
/** First character outside the BMP: two UTF-16 units, so that a split surrogate pair would be detected. */
const FIRST_WIDE = 0x20000;
const CHARACTERS = 20_000;
const EACH_WIDE = 5;
const EACH_SPACED = 3;
const GAP_BETWEEN_QUESTIONS = 997;

/**
 * Generates a reply in pieces, each with a character that is unique in it: missing, repeated and foreign text is
 * detected. The text never repeats itself, so that the filter of repeated overlaps has no false positives.
 * @param padding padding characters in each piece, for long replies
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
