import type { NoticeCode, NoticePart } from "#contract/conversation/known-parts.ts";
import type { ReplyPart } from "#contract/conversation/reply-events.ts";
import { PARTS_MAX } from "#contract/limits.ts";
import { TextJoiner } from "../../text/text-joiner.ts";
import {
  FILE,
  type FileBody,
  isEndedReasoning,
  NOTICE,
  openingEvent,
  type Part,
  partEvent,
  REASONING,
  SOURCE,
  type SourceBody,
  TOOL,
  type ToolBody,
} from "./message-part.ts";

/** Limit of the reasoning of one reply in UTF-16 units, in all of its parts together. The rest is dropped. */
export const MAX_REASONING_CHARS = 1_000_000;

/** `onThought`: a piece of the reasoning `seq`; `length`: its length in UTF-16 units including the piece. */
export interface PartListener {
  onPart(event: ReplyPart): void;
  onThought(thought: string, seq: number, length: number): void;
}

/** Reasoning that is growing. `startedAt`: by the monotonic clock, in ms. */
type OpenReasoning = { part: Part & { text: string }; joiner: TextJoiner; startedAt: number };

/** The parts of a reply that is being written, beside its text. */
export class ReplyParts {
  #run: number;
  readonly #listener: PartListener;
  readonly #parts: Part[];
  #rev: number;
  #reasoningLength: number;
  #open: OpenReasoning | undefined;

  /** @param parts of earlier runs, ascending by `seq` */
  constructor(run: number, parts: readonly Part[], listener: PartListener) {
    this.#run = run;
    this.#listener = listener;
    this.#parts = [...parts];
    this.#rev = parts.reduce((highest, { rev }) => Math.max(highest, rev), 0);
    this.#reasoningLength = parts.reduce((sum, { text = "" }) => sum + text.length, 0);
  }

  /** Ascending by `seq`. */
  get all(): readonly Part[] {
    return this.#parts;
  }

  /** Number of changes so far. */
  get rev(): number {
    return this.#rev;
  }

  /** Length of all reasoning together in UTF-16 units. */
  get reasoningLength(): number {
    return this.#reasoningLength;
  }

  /** Whether reasoning is growing. */
  get isReasoning(): boolean {
    return this.#open !== undefined;
  }

  /** Whether further parts are dropped: a provider may send reasoning and words in turn. */
  get #isFull(): boolean {
    return this.#parts.length >= PARTS_MAX;
  }

  /** Appends to the growing reasoning, or begins a new part at the position `at` of the text. */
  appendReasoning(piece: string, at: number): void {
    if (this.#reasoningLength >= MAX_REASONING_CHARS || (!this.#open && this.#isFull)) return;
    this.#open ??= this.#begin(at);
    const { part, joiner } = this.#open;
    this.#growReasoning(part, joiner.push(piece));
  }

  #begin(at: number): OpenReasoning {
    const part = { ...this.#newPart(REASONING, at, {}), text: "" };
    this.#add(part);
    return { part, joiner: new TextJoiner(), startedAt: performance.now() };
  }

  #growReasoning(part: Part & { text: string }, grown: string): void {
    const left = MAX_REASONING_CHARS - this.#reasoningLength;
    // Without half of a surrogate pair at the limit.
    const text = grown.length > left ? grown.slice(0, left).replace(/[\uD800-\uDBFF]$/, "") : grown;
    if (text === "") return;
    part.text += text;
    this.#reasoningLength += text.length;
    this.#listener.onThought(text, part.seq, part.text.length);
  }

  /** Ends the growing reasoning, if there is one, and records its duration. */
  endReasoning(): void {
    if (!this.#open) return;
    const { part, joiner, startedAt } = this.#open;
    this.#open = undefined;
    this.#growReasoning(part, joiner.end());
    part.body = { ...part.body, durationMs: Math.round(performance.now() - startedAt) };
    part.rev = ++this.#rev;
    this.#listener.onPart(partEvent(part));
  }

  /**
   * Adds the text of the reply as a part of reasoning, in a new run that all parts of this run belong to. The listener
   * is not notified, because its readers receive all parts anew.
   */
  takeBack(taken: string, { run, durationMs }: { run: number; durationMs: number }): void {
    this.endReasoning();
    for (const [index, part] of this.#parts.entries()) {
      if (part.run !== this.#run) continue;
      // An ended part has two revisions: of its beginning and of its end.
      this.#rev += 2;
      this.#parts[index] = { ...part, run, rev: this.#rev };
    }
    this.#run = run;
    const text = taken.trim();
    if (text === "" || this.#isFull) return;
    this.#parts.push({ ...this.#newPart(REASONING, 0, { durationMs }), rev: ++this.#rev, text });
    this.#reasoningLength += text.length;
  }

  /** Adds a notice at the position `at` of the text, unless this run has given the same one. */
  addNotice(code: NoticeCode, params: NoticePart["params"], at: number): void {
    const body = { code, params };
    const fact = JSON.stringify(body);
    if (this.#isFull || this.#parts.some((part) => part.run === this.#run && JSON.stringify(part.body) === fact))
      return;
    this.endReasoning();
    this.#add(this.#newPart(NOTICE, at, body));
  }

  /** Adds a file at the position `at` of the text. @returns false if the reply can have no further parts */
  addFile(file: FileBody, at: number): boolean {
    if (this.#isFull) return false;
    this.endReasoning();
    this.#add(this.#newPart(FILE, at, file));
    return true;
  }

  /** Adds a call of a tool at the position `at` of the text. @returns false if the reply can have no further parts */
  addTool(body: ToolBody, at: number): boolean {
    if (this.#isFull) return false;
    this.endReasoning();
    this.#add(this.#newPart(TOOL, at, body));
    return true;
  }

  /** Changes fields of a call. */
  changeTool(seq: number, change: Partial<ToolBody>): void {
    const part = this.#parts[seq];
    if (part?.kind !== TOOL) return;
    const changed = { ...part, rev: ++this.#rev, body: { ...part.body, ...change } };
    this.#parts[seq] = changed;
    this.#listener.onPart(partEvent(changed));
  }

  /** Adds a citation at the position `at` of the text. */
  addSource(body: SourceBody, at: number): void {
    if (this.#isFull) return;
    this.endReasoning();
    this.#add(this.#newPart(SOURCE, at, body));
  }

  /** Takes over the current state of a part that another process writes. */
  put(part: Part): void {
    const known = this.#parts[part.seq];
    const before = known?.text?.length ?? 0;
    const hasChanged = part.rev > (known?.rev ?? 0);
    const text = part.text?.slice(before) ?? "";
    this.#parts[part.seq] = part;
    this.#rev = Math.max(this.#rev, part.rev);
    this.#reasoningLength += text.length;
    if (!known) this.#listener.onPart(openingEvent(part));
    if (text) this.#listener.onThought(text, part.seq, before + text.length);
    if (hasChanged && (known || isEndedReasoning(part))) this.#listener.onPart(partEvent(part));
  }

  #newPart(kind: string, at: number, body: Part["body"]): Part {
    return { seq: this.#parts.length, at, kind, run: this.#run, rev: ++this.#rev, body };
  }

  #add(part: Part): void {
    this.#parts.push(part);
    this.#listener.onPart(partEvent(part));
  }
}
