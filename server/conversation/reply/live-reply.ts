import type { NoticeCode, NoticePart } from "#contract/conversation/known-parts.ts";
import type { Seam } from "../../text/seams.ts";
import { TextJoiner } from "../../text/text-joiner.ts";
import type { FileBody, Part, SourceBody, ToolBody } from "../parts/message-part.ts";
import { type PartListener, ReplyParts } from "../parts/reply-parts.ts";
import type { ReplyEnd } from "./reply-end-store.ts";

/** Listener of a growing reply. `at`: length of the text in UTF-16 units, including the piece. */
export interface ReplyReader extends PartListener {
  /** The model (a value) writes what follows. */
  onWriter(model: string): void;
  onText(text: string, at: number): void;
  /** The text after `at` is a continuation. */
  onSeam(at: number): void;
  /** The text so far has become reasoning in a new run, of which the reader receives everything anew. */
  onTakeBack(): void;
  onEnd(end: ReplyEnd): void;
  /** This process stops writing although the reply has not ended. */
  onBreakOff(): void;
}

/** A new reply, or one that continues existing text with its parts. `run` identifies the writer. */
export type GrowingReplyStart = {
  id: string;
  userId: string;
  run: number;
  text?: string;
  seams?: readonly Seam[];
  parts?: readonly Part[];
};

/**
 * A reply while it is being written: its text so far, and its readers, which can join at any position. Text is only
 * appended, but that it may become reasoning once. Independent of models, database, HTTP and storage.
 */
export class GrowingReply {
  readonly id: string;
  readonly userId: string;
  /** Whether a new run must be stored before readers receive it. */
  protected readonly isStored: boolean = false;
  /** Length of the text (UTF-16 units) with which this run began. */
  readonly startLength: number;
  /** Aborted when somebody asks for the reply to stop. */
  readonly stopSignal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #readers = new Set<ReplyReader>();
  readonly #ended = Promise.withResolvers<ReplyEnd | null>();
  readonly #seams: Seam[];
  readonly #joiner = new TextJoiner();
  readonly #parts: ReplyParts;
  #text: string;
  #writer: string | null = null;
  #end: ReplyEnd | undefined;
  #isLetGo = false;
  #run: number;
  /** The run that is not stored yet, while {@link run} is its predecessor. */
  #nextRun: { run: number; stored: PromiseWithResolvers<boolean> } | undefined;
  /** By the monotonic clock, in ms. */
  #textBegunAt: number | undefined;
  #hasTakenBack = false;

  constructor({ id, userId, run, text = "", seams = [], parts = [] }: GrowingReplyStart) {
    this.id = id;
    this.userId = userId;
    this.#run = run;
    this.#text = text;
    this.startLength = text.length;
    this.#seams = [...seams];
    this.#parts = new ReplyParts(run, parts, {
      onPart: (event) => {
        for (const reader of this.#readers) reader.onPart(event);
      },
      onThought: (thought, seq, length) => {
        for (const reader of this.#readers) reader.onThought(thought, seq, length);
      },
    });
    this.stopSignal = this.#stop.signal;
  }

  get text(): string {
    return this.#text;
  }

  /** The run that readers have seen. */
  get run(): number {
    return this.#run;
  }

  /** The run that is written; another one than {@link run} until it is stored. */
  get writtenRun(): number {
    return this.#nextRun?.run ?? this.#run;
  }

  /**
   * Resolves when the run that is written is stored, so that readers may receive it; with false if this process stopped
   * writing before.
   */
  get runStored(): Promise<boolean> {
    return this.#nextRun?.stored.promise ?? Promise.resolve(true);
  }

  /** Value of the model whose output in this run is last; null before the first. */
  get writer(): string | null {
    return this.#writer;
  }

  get seams(): readonly Seam[] {
    return this.#seams;
  }

  /** Parts beside the text, of all runs. */
  get parts(): Pick<ReplyParts, "all" | "rev" | "reasoningLength"> {
    return this.#parts;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** Resolves when the reply has ended and is stored; with `null` if this process stopped writing it before. */
  get ended(): Promise<ReplyEnd | null> {
    return this.#ended.promise;
  }

  /** Notes which model (a value) writes what follows. */
  setWriter(model: string): void {
    if (this.#writer === model) return;
    this.#writer = model;
    for (const reader of this.#readers) reader.onWriter(model);
  }

  /** Appends a piece from the provider as well-formed text. An unpaired high surrogate waits for the next piece. */
  append(piece: string): void {
    this.#grow(this.#joiner.push(piece));
  }

  /** Appends a piece of reasoning, which stands before the next text. */
  appendReasoning(piece: string): void {
    this.#parts.appendReasoning(piece, this.#text.length);
  }

  /** Ends growing reasoning; the next text, seam or notice ends it too. */
  endReasoning(): void {
    this.#parts.endReasoning();
  }

  /** Adds a notice about the next text, once for each run. */
  addNotice(code: NoticeCode, params: NoticePart["params"]): void {
    this.#parts.addNotice(code, params, this.#text.length);
  }

  /**
   * Adds a file that belongs to the text before `at` (UTF-16 units), which may have become reasoning meanwhile.
   * @returns false if the reply can have no further parts
   */
  addFile(file: FileBody, at: number): boolean {
    return this.#parts.addFile(file, Math.min(at, this.#text.length));
  }

  /** Adds a call of a tool after the text so far. @returns false if the reply can have no further parts */
  addTool(body: ToolBody): boolean {
    return this.#parts.addTool(body, this.#text.length);
  }

  /** Changes fields of the call `seq`. */
  changeTool(seq: number, change: Partial<ToolBody>): void {
    this.#parts.changeTool(seq, change);
  }

  /** Adds a citation, whose mark ends at the position `at` of the text. */
  addSource(body: SourceBody, at: number): void {
    this.#parts.addSource(body, at);
  }

  /** Takes over a part that another process writes. */
  putPart(part: Part): void {
    this.#parts.put(part);
  }

  /** Marks a seam: the next text is by another writer. A waiting high surrogate of the last one is dropped. */
  markSeam(at = this.#text.length): void {
    this.#joiner.drop();
    this.#parts.endReasoning();
    if (at === 0 || this.#seams.some((seam) => seam.at === at && seam.run === this.run)) return;
    this.#seams.push({ at, run: this.run });
    for (const reader of this.#readers) reader.onSeam(at);
  }

  /** Ends text and reasoning: flushes a waiting high surrogate as U+FFFD. */
  closeText(): void {
    this.#grow(this.#joiner.end());
    this.#parts.endReasoning();
  }

  #grow(text: string): void {
    if (text === "") return;
    if (this.#parts.isReasoning) this.#parts.endReasoning();
    this.#textBegunAt ??= performance.now();
    this.#text += text;
    for (const reader of this.#readers) reader.onText(text, this.#text.length);
  }

  /**
   * Makes reasoning of all text, in a new run: its model has begun in a thought.
   * @returns false if the text stays: of a reply that is continued, after a part within the text, and a second time
   */
  takeBack(): boolean {
    const isContinued = this.startLength > 0 || this.#seams.some(({ at }) => at > 0);
    if (isContinued || this.#hasTakenBack || this.#parts.all.some(({ at }) => at > 0)) return false;
    if (this.#text === "") return true;
    this.#hasTakenBack = true;
    this.#joiner.drop();
    const run = this.#run + 1;
    const durationMs = Math.round(performance.now() - (this.#textBegunAt ?? performance.now()));
    this.#parts.takeBack(this.#text, { run, durationMs });
    this.#text = "";
    this.#seams.push({ at: 0, run });
    this.#nextRun = { run, stored: Promise.withResolvers() };
    for (const reader of [...this.#readers]) reader.onTakeBack();
    if (!this.isStored) this.noteRunStored();
    return true;
  }

  /** Shows the run that is written to readers. */
  noteRunStored(): void {
    this.#run = this.writtenRun;
    this.#nextRun?.stored.resolve(true);
    this.#nextRun = undefined;
  }

  /** Requests the end through {@link stopSignal}; the producer ends the reply. */
  stop(reason?: Error): void {
    this.#stop.abort(reason);
  }

  /** Notifies all readers of the end, after it is stored. */
  finish(end: ReplyEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.noteRunStored();
    this.#ended.resolve(end);
    for (const reader of this.#readers) reader.onEnd(end);
    this.#readers.clear();
  }

  /** Disconnects all readers; they reconnect and find the reply in another process. */
  breakOff(): void {
    this.#isLetGo = true;
    this.#nextRun?.stored.resolve(false);
    this.#ended.resolve(null);
    for (const reader of this.#readers) reader.onBreakOff();
    this.#readers.clear();
  }

  /**
   * Sends a reader the text after `from` (UTF-16 units) and then each new piece, without gap or repetition.
   * @returns unsubscribes the reader; the reply continues
   */
  subscribe(from: number, reader: ReplyReader): () => void {
    if (from < this.#text.length) reader.onText(this.#text.slice(from), this.#text.length);
    if (this.#end) reader.onEnd(this.#end);
    else if (this.#isLetGo) reader.onBreakOff();
    else this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }
}

/** `timeZone`: of the browser that has asked for the run; absent if it is not known. */
export type LiveReplyStart = GrowingReplyStart & { chatId: string; timeZone?: string | undefined };

/** A growing reply that is a stored message of a chat. */
export class LiveReply extends GrowingReply {
  readonly chatId: string;
  readonly timeZone: string | undefined;
  protected override readonly isStored = true;

  constructor({ chatId, timeZone, ...start }: LiveReplyStart) {
    super(start);
    this.chatId = chatId;
    this.timeZone = timeZone;
  }
}

/** Whether a run in the database is the one that readers have seen, or that is written. */
export const isRunOf = ({ run: seen, writtenRun }: Pick<LiveReply, "run" | "writtenRun">, run: number): boolean =>
  run === seen || run === writtenRun;
