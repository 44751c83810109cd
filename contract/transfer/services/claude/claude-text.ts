import type { Role } from "../../../conversation/conversation.ts";
import type { Piece } from "../foreign-chat.ts";
import { withoutOuterLines } from "../foreign-nodes.ts";
import { type MarkupSegment, splitArtifacts } from "./artifact-markup.ts";

/** A page that a text rests on. `end`: length of the text at which its citation ends; the end of the text, if unknown. */
export type Citation = { url: string; title: string; end: number | undefined };

const OPEN_END = /\s$/;
const CONTINUED_START = /^[\s,.;:!?)\]}…]/;

/**
 * Texts of Claude that follow each other with nothing between. Searches part a text at its citations, in the middle of
 * sentences: texts with a space or punctuation between them go on, others are paragraphs.
 */
class ClaudeText {
  readonly #texts: string[] = [];
  readonly #citations: { at: number; url: string; title: string }[] = [];
  #length = 0;

  add(given: string, citations: readonly Citation[]): void {
    const last = this.#texts.at(-1);
    const text = last !== undefined && OPEN_END.test(last) && given.trim() === "" ? "" : given;
    const goesOn = last === undefined || text === "" || OPEN_END.test(last) || CONTINUED_START.test(text);
    for (const part of goesOn ? [text] : ["\n\n", text]) this.#push(part);
    const start = this.#length - text.length;
    for (const { url, title, end = text.length } of citations) {
      this.#citations.push({ url, title, at: start + Math.floor(Math.min(Math.max(0, end), text.length)) });
    }
  }

  /** Returns the text, with each source where its citation ends. `isTrimmed`: without empty lines at both ends. */
  pieces(isTrimmed: boolean): Piece[] {
    const whole = this.#texts.join("");
    const text = isTrimmed ? withoutOuterLines(whole) : whole;
    const dropped = whole.indexOf(text);
    const pieces: Piece[] = [];
    let from = 0;
    const addText = (to: number) => {
      if (to > from)
        pieces.push({ kind: "text", text: text.slice(from, to), ...(from > 0 && { isContinuation: true }) });
      from = Math.max(from, to);
    };
    for (const { at, url, title } of this.#citations.toSorted((a, b) => a.at - b.at)) {
      const isPairCut = /[\uD800-\uDBFF]/.test(text.charAt(at - dropped - 1));
      addText(Math.min(at - dropped + Number(isPairCut), text.length));
      pieces.push({ kind: "source", url, title });
    }
    addText(text.length);
    return pieces;
  }

  #push(text: string): void {
    if (text !== "") this.#texts.push(text);
    this.#length += text.length;
  }
}

/** The pieces of a message of Claude, in which texts that follow each other are one. */
export class ClaudeWords {
  readonly #isAnswer: boolean;
  readonly #pieces: Piece[][] = [];
  #text = new ClaudeText();
  #hasText = false;

  constructor(role: Role) {
    this.#isAnswer = role === "assistant";
  }

  /** Whether a text was added that has words. */
  get hasText(): boolean {
    return this.#hasText;
  }

  /** Adds pieces of another kind than text. */
  add(pieces: readonly Piece[]): void {
    this.#endText();
    this.#pieces.push([...pieces]);
  }

  /** Adds a text. In an answer, its thoughts and artifacts are pieces of their own. */
  addText(text: string, citations: readonly Citation[]): void {
    this.#hasText ||= text.trim() !== "";
    const segments = this.#isAnswer ? splitArtifacts(text) : [];
    if (segments.every(({ kind }) => kind === "text")) this.#text.add(text, citations);
    else for (const segment of segments) this.#addSegment(segment, citationsIn(segment, citations, text.length));
  }

  end(): Piece[] {
    this.#endText();
    return this.#pieces.flat();
  }

  #addSegment({ kind, words, start }: MarkupSegment, citations: readonly Citation[]): void {
    if (kind === "text") {
      this.#text.add(
        words,
        citations.map((citation) => ({ ...citation, end: citation.end && citation.end - start })),
      );
      return;
    }
    const sources = citations.map(({ url, title }): Piece => ({ kind: "source", url, title }));
    this.add([{ kind: kind === "thinking" ? "reasoning" : "text", text: words }, ...sources]);
  }

  #endText(): void {
    // Texts of answers begin and end with empty lines, beside which are calls of tools.
    this.#pieces.push(this.#text.pieces(this.#isAnswer));
    this.#text = new ClaudeText();
  }
}

/** Returns the citations that end in a segment of a text. */
function citationsIn({ start, end }: MarkupSegment, citations: readonly Citation[], length: number): Citation[] {
  return citations.flatMap((citation) => {
    const at = Math.min(Math.max(1, citation.end ?? length), length);
    return at > start && at <= end ? { ...citation, end: at } : [];
  });
}
