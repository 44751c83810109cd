import type { FormAnswers, ToolForm } from "#contract/conversation/tool-forms.ts";
import type { ToolEffect } from "#contract/conversation/tools.ts";
import type { Flow } from "../concurrency/fair-queue.ts";
import type { OfferedTool } from "../models/tool-calls/tool-call.ts";

/**
 * What a call of a tool reaches, which decides whether a person is asked first.
 * - `nothing`: it computes.
 * - `own`: it reads what belongs to the account, which is in the context afterwards.
 * - `engine`: it sends a query to the search engine of the owner.
 * - `address`: it requests an address, {@link Tool.addressOf}.
 * - `outside`: it may act outside.
 */
export type ToolReach = "nothing" | "own" | "engine" | "address" | "outside";

/** A file of a conversation with readable text. @throws Failure `not-found` if it was removed */
export type LookupFile = { id: string; name: string; readText(): Promise<string> };

/**
 * The account and chat of a call, and what it may use. `chatId`: null in a temporary chat. `files`: of the messages that the reply answers, oldest first.
 * `flow`: in whose turn it queues. `now`: Unix time in ms. `timeZone`: an IANA name. `room`: bytes of UTF-8 of a result
 * that surely fit the window of the model. `signal`: ends the call with its reason. `resumption`: of a call that continues.
 */
export type ToolContext = {
  userId: string;
  chatId: string | null;
  files: readonly LookupFile[];
  flow: Flow;
  now: number;
  timeZone: string;
  room: number;
  signal: AbortSignal;
  resumption?: CallResumption | undefined;
  watch?: CallWatch | undefined;
};

/**
 * `state`: what the tool has given with its question, or with its task, which it then is asked for. `answers`: null: the
 * person refuses; absent: of a task.
 */
export type CallResumption = { state: string; answers?: FormAnswers | null };

/** `done` of `total`, in units of the tool; `total` is absent where the tool states none. */
export type CallProgress = { done: number; total?: number; message?: string };

/** What a running call reports. */
export type CallWatch = {
  onProgress(progress: CallProgress): void;
  /**
   * Stores the state with which the call continues if its process dies, before it resolves: it is then not sent again. Gives
   * the call ten minutes from then on.
   * @returns false if this process may not continue the call
   */
  storeTask(state: string): Promise<boolean>;
  /** Asks the person while the call runs. @returns null: the person refuses @throws the signal's reason */
  ask(forms: readonly ToolForm[]): Promise<FormAnswers | null>;
};

/** A question that a call ends with. `state`: for {@link CallResumption}, up to a million UTF-16 units. */
export type CallQuestion = { forms: readonly ToolForm[]; state: string };

/** A picture of a result; its type is read from the bytes. */
export type ResultPicture = { bytes: Buffer };

/** A text from outside that a call returns. `fetchedAt`: Unix time in ms. */
export type OutsideText = { url: string; title: string; text: string; fetchedAt?: number };

/**
 * The result of a call. `text`: for the model. `sources`: texts that the answer can cite, which follow the text.
 * `structured`: the result as JSON, for the person. `question`: there is no result yet. `isLost`: there is none, although
 * the call may have run.
 */
export type ToolOutcome = {
  text: string;
  isError?: boolean;
  sources?: readonly OutsideText[];
  pictures?: readonly ResultPicture[];
  structured?: string;
  question?: CallQuestion;
  isLost?: boolean;
};

/**
 * The server of a tool. `address`: identifies what a person approves. `host`: as people see it; empty for a program.
 */
export type ServerOfTool = { name: string; address: string; host: string; effect: ToolEffect };

/** Arguments of a call, which are an object; their fields are of any type. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A tool that models call. */
export type Tool = {
  /** Slug of its group. */
  readonly group: string;
  /** Name in its group. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: OfferedTool["parameters"];
  readonly reach: ToolReach;
  /** Whether a call that may have run can be repeated without asking. */
  readonly isRepeatable: boolean;
  /** Absent: the tool is a part of Parley. */
  readonly server?: ServerOfTool;
  /** Name for people. */
  readonly title?: string;
  /** Of the reach `address`: the address that a call would request; undefined if the arguments name none. */
  addressOf?(given: ToolArguments): string | undefined;
  /** @throws ToolInputError, whose message the model receives; the signal's reason; any other error fails the call */
  run(given: ToolArguments, context: ToolContext): Promise<ToolOutcome>;
};

/** Tools that are switched on together. */
export type ToolGroup = {
  readonly slug: string;
  /** Whether they can be used now. */
  isAvailable(): boolean;
  /** Large code of theirs is loaded by the first call. */
  readonly tools: readonly Tool[];
};
