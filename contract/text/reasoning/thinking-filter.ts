import { CodeScanner } from "./code-scanner.ts";
import { markAt, nextMarkStart, type PossibleMarks, THINKING_TAGS, type ThinkingMark } from "./thinking-marks.ts";

/** Receives text and reasoning. `onTakeBack`: all text so far is reasoning. */
export type ThoughtSink = {
  onText: (text: string) => void;
  onReasoning: (text: string) => void;
  onTakeBack: () => void;
};

/** Limit of blank text that is held back before the first word and within reasoning, in UTF-16 units. */
const MAX_HELD = 1000;

/** A thought that ends with the next closing mark of any kind: its opening mark was in the prompt. */
const ANY = "any";
/** A section of the harmony format. */
const SECTION = "section";

/**
 * Separates a model's reasoning, which some servers send within marks in the text (`THINKING_TAGS`, harmony), from the
 * text. White space around reasoning is dropped.
 * - An opening mark counts at the beginning of the text, directly after a thought, and at the beginning of a line.
 * - A closing mark without an opening one, once in a reply, makes reasoning of all text before it: the template of the
 *   model has opened the thought in the prompt.
 * - Marks in code are text. A closing mark alone in its line ends a thought even there, because a thought may leave a
 *   fence open.
 */
export class ThinkingFilter {
  #tags = THINKING_TAGS;
  #state: "start" | "thinking" | "after" | "text" = "start";
  #held = "";
  /** How the current thought ends: its closing mark, {@link ANY} or {@link SECTION}. */
  #close = "";
  #isHarmony = false;
  /** Whether no more text can become reasoning. */
  #hasThought = false;
  #text = new CodeScanner();
  #thought = new CodeScanner();
  /** White space at the end of the reasoning. */
  #blank = "";
  #isThoughtEmpty = true;
  /** Whether a further thought would join the last one. */
  #hasReasoning = false;
  /** What was passed on as reasoning without a mark; undefined once there was one. */
  #assumed: string | undefined;

  readonly #onTakeBack: () => void;

  /**
   * @param isOpen whether the reply begins within a thought
   * @param onTakeBack called when the reply shows that it does
   */
  constructor({ isOpen = false, onTakeBack = () => {} }: { isOpen?: boolean; onTakeBack?: () => void } = {}) {
    if (isOpen) this.#assumed = "";
    this.#onTakeBack = onTakeBack;
  }

  /** Accepts another name of the tag. Call it before the text with the tag. */
  expectTag(name: string): void {
    this.#tags = [...THINKING_TAGS, [`<${name}>`, `</${name}>`]];
  }

  /** Notes that the server itself separates reasoning: closing marks are text from now on. */
  noteReasoning(): void {
    this.#hasThought = true;
    if (this.#assumed === "") this.#assumed = undefined;
  }

  /** Passes a piece on as reasoning or text. A possible beginning of a mark is held back. */
  push(piece: string, sink: ThoughtSink): void {
    if (piece === "") return;
    if (this.#state === "text" && this.#held === "" && nextMarkStart(piece, 0) === piece.length) {
      this.#passText(piece, sink);
      return;
    }
    this.#held += piece;
    this.#read(sink, false);
  }

  /**
   * Passes on what is still held back at the end of the stream.
   * @returns false if the reply was to begin within a thought and has none: what was reasoning is repeated as text,
   *   unless `isCut`
   */
  end(sink: ThoughtSink, { isCut = false } = {}): boolean {
    this.#read(sink, true);
    if (this.#state !== "thinking" || !this.#assumed || isCut) return true;
    sink.onText(this.#assumed);
    return false;
  }

  #read(sink: ThoughtSink, isLast: boolean): void {
    const text = this.#held;
    let at = 0;
    for (let isWaiting = false; at < text.length && !isWaiting; ) {
      const next = this.#step(text, at, { sink, isLast });
      isWaiting = next === at;
      at = next;
    }
    this.#held = text.slice(at);
  }

  /** Reads to the next position at which a mark may begin, or past a mark. @returns `at` if further text is needed */
  #step(text: string, at: number, call: { sink: ThoughtSink; isLast: boolean }): number {
    const isBetween = this.#state === "start" || this.#state === "after";
    const from = isBetween ? at + (/^\s*/.exec(text.slice(at, at + MAX_HELD + 1))?.[0].length ?? 0) : at;
    // Blank text before the first word may be the answer's.
    if (from === text.length && this.#state === "start" && !call.isLast && from - at <= MAX_HELD) return at;
    const mark = from < text.length ? this.#markAt(text, from, call.isLast) : undefined;
    if (mark === "partial") return at;
    if (mark) {
      this.#take(mark, call.sink);
      return from + mark.length;
    }
    if (isBetween) {
      const isBlank = from === text.length && this.#state === "after";
      if (isBlank) return from;
      const isAssumed = this.#state === "start" && this.#assumed !== undefined;
      const begin = this.#state === "start" ? at : from;
      if (isAssumed) this.#open(ANY);
      else this.#state = "text";
      // Nothing was read, but the state is another.
      return begin > at ? begin : this.#step(text, at, call);
    }
    const end = nextMarkStart(text, from + 1);
    if (this.#state === "thinking") this.#passReasoning(text.slice(from, end), call.sink);
    else this.#passText(text.slice(from, end), call.sink);
    return end;
  }

  #markAt(text: string, at: number, isLast: boolean): ThinkingMark | "partial" | undefined {
    // In the middle of a run of backticks it is not known yet whether the text is in code.
    if (nextMarkStart(text, at) !== at) return undefined;
    const possible = this.#possibleMarks();
    return possible && markAt(text, at, possible, isLast);
  }

  /** Returns the marks that count at the current position. */
  #possibleMarks(): PossibleMarks | undefined {
    const tags = this.#tags;
    if (this.#state === "thinking") {
      if (this.#thought.isInCode && !this.#thought.isLineStart) return undefined;
      const own = this.#close === ANY ? tags : tags.filter(([, closing]) => closing === this.#close);
      const hasSections = this.#close === SECTION || this.#close === ANY;
      return { tags: own, hasOpenings: false, hasClosings: true, hasSections, hasSectionEnds: hasSections };
    }
    const common = { tags, hasClosings: !this.#hasThought, hasSectionEnds: this.#isHarmony };
    if (this.#state !== "text") return { ...common, hasOpenings: true, hasSections: true };
    if (this.#text.isInCode) return undefined;
    const hasSections = this.#isHarmony || !this.#hasThought;
    return { ...common, hasOpenings: this.#text.isLineStart, hasSections };
  }

  #take(mark: ThinkingMark, sink: ThoughtSink): void {
    const isThinking = this.#state === "thinking";
    if (mark.kind === "opening") {
      this.#assumed = undefined;
      this.#open(mark.close);
    } else if (isThinking) {
      this.#closeThought();
      if (mark.kind === "section") this.#beginSection(mark.isAnswer);
    } else if (mark.kind === "closing" || (mark.kind === "section" && this.#isLoneAnswer(mark.isAnswer))) {
      this.#takeBack(sink);
      if (mark.kind === "section") this.#isHarmony = true;
    } else if (mark.kind === "section") this.#beginSection(mark.isAnswer);
    else this.#state = "after";
  }

  /** Whether the header of an answer follows text that had none. */
  #isLoneAnswer(isAnswer: boolean): boolean {
    return isAnswer && this.#state === "text" && !this.#isHarmony;
  }

  #beginSection(isAnswer: boolean): void {
    this.#isHarmony = true;
    this.#assumed = undefined;
    if (isAnswer) {
      this.#hasThought = true;
      this.#state = "after";
    } else this.#open(SECTION);
  }

  #takeBack(sink: ThoughtSink): void {
    this.#assumed = undefined;
    this.#hasThought = true;
    this.#hasReasoning = this.#state === "text";
    this.#text = new CodeScanner();
    this.#state = "after";
    this.#onTakeBack();
    sink.onTakeBack();
  }

  #open(close: string): void {
    this.#state = "thinking";
    this.#close = close;
    this.#hasThought = true;
    this.#thought = new CodeScanner();
    this.#isThoughtEmpty = true;
    this.#blank = "";
  }

  #closeThought(): void {
    this.#assumed = undefined;
    this.#blank = "";
    this.#state = "after";
  }

  #passText(text: string, sink: ThoughtSink): void {
    this.#text.push(text);
    this.#hasReasoning = false;
    sink.onText(text);
  }

  #passReasoning(text: string, sink: ThoughtSink): void {
    this.#thought.push(text);
    const all = this.#blank + text;
    const started = this.#isThoughtEmpty ? all.trimStart() : all;
    const words = started.trimEnd();
    const passed = started.length - words.length > MAX_HELD ? started : words;
    this.#blank = started.slice(passed.length);
    if (passed === "") return;
    const separator = this.#isThoughtEmpty && this.#hasReasoning ? "\n\n" : "";
    this.#isThoughtEmpty = false;
    this.#hasReasoning = true;
    if (this.#assumed !== undefined) this.#assumed += passed;
    sink.onReasoning(separator + passed);
  }
}
