import type { PictureLoss } from "#contract/conversation/known-parts.ts";
import type { FormAnswers } from "#contract/conversation/tool-forms.ts";
import type { Spending } from "../../../budgets/spending.ts";
import type { Clock } from "../../../concurrency/clock.ts";
import type { Queryable } from "../../../database/schema.ts";
import type { AnswerFiles } from "../../../files/answer-files.ts";
import type { FileRefusals } from "../../../models/attachments/file-refusals.ts";
import type { Model, Prompt } from "../../../models/model.ts";
import type { ModelError } from "../../../models/model-error.ts";
import type { NamedTool } from "../../../tools/toolbox.ts";
import type { OlderMessages } from "../../older-messages-store.ts";
import type { EarlierReplies } from "../../parts/earlier-replies.ts";
import type { GrowingReply } from "../live-reply.ts";
import type { NamedSources } from "../open-call.ts";
import type { ReplyEnd } from "../reply-end-store.ts";
import type { StepTurn, UnstoredTurn } from "../steps/provider-turn-store.ts";
import type { ReplyTools } from "../steps/reply-tools.ts";
import type { StoredResumption } from "../steps/tool-resumption-store.ts";

export type ReplyLimits = { firstTextMs: number; idleMs: number; maxMs: number };

/** A reply to write, and the models that may write it. */
export type Production = {
  reply: GrowingReply;
  clock: Clock;
  prompt: Prompt;
  /** Models in the order of attempts. */
  candidates: Model[];
  /** Whether a reply that breaks off may be continued by the next candidate. */
  isAutomatic: boolean;
  /** Value of the model that failed to write the rest of the reply in an earlier run; null if none did. */
  failedWriter?: string | null | undefined;
  /** Finds the messages of the branch that are older than the prompt; undefined if there are none. */
  findOlder?: (() => Promise<OlderMessages>) | undefined;
  /** Replies of the branch. Absent: every reply has all its notices. */
  earlier?: EarlierReplies | undefined;
  limits: ReplyLimits;
  /** Called for every failed call. */
  onFailure(model: Model, error: ModelError): void;
  /** Called when the reply waits for a database that is away. */
  onAway(error: unknown): void;
  /** Absent: the calls of a reply that is not stored. */
  journal?: CallJournal | undefined;
  /** Absent: as for `journal`. */
  storePicture?: AnswerFiles["storePicture"] | undefined;
  /** Stores the rest of a long result. Absent: as for `journal`. */
  storeText?: AnswerFiles["storeText"] | undefined;
  /** Absent: no tools are offered. */
  tools?: ReplyTools | undefined;
  /** What the providers of its steps must receive back; grows with the steps. */
  turns: StepTurn[];
  /** Resumptions of calls after a question or with a task, by their `seq`. */
  resumptions: Map<number, StoredResumption>;
  /** Absent: as for `journal`. */
  storing?: StoredCalls | undefined;
  watchProduction?: WatchProduction | undefined;
  /** Counts the calls, also failed ones, and limits them to their money; undefined if they are not counted. */
  spending?: Spending | undefined;
};

/** Stores which calls a reply has made. */
export type CallJournal = {
  /** Called in the transaction before each call but the first. */
  begin(db: Queryable, model: string): Promise<void>;
  /** Called each time that the provider of a call has named further sources; never throws. */
  name(model: string, sources: NamedSources): void;
  /** Called when a call has ended and another may follow; never throws. `writer`: of the last output; null without. */
  end(writer: string | null): Promise<void>;
};

/** Stores the calls of tools of a reply. */
export type StoredCalls = {
  /** Stores all changes so far. @returns false if this process may not go on with the reply */
  commit(): Promise<boolean>;
  storeTurn(turn: UnstoredTurn): Promise<void>;
  /** Stores the resumption of the call `seq`. @returns false if this process may not continue the reply */
  storeResumption(seq: number, resumption: StoredResumption): Promise<boolean>;
  /** Resolves with the answers to a question of the running call `seq`; null: refused. @throws the signal's reason */
  awaitAnswers(seq: number, question: string, signal: AbortSignal): Promise<FormAnswers | null>;
  /** Whether the person has approved the tool before. */
  isApproved(tool: NamedTool): Promise<boolean>;
};

/** Runs `produce`, which writes the reply, and measures it. */
export type WatchProduction = (reply: GrowingReply, produce: () => Promise<ReplyEnd>) => Promise<ReplyEnd>;

/**
 * State of a reply across its calls. `writer`: the model whose output is last, or that was asked first. `hasOutput`: of
 * the current step. `inputTokens`, `outputTokens`: of the steps before, as the provider counts them.
 */
export type ReplyProgress = {
  readonly older: OlderMessages;
  writer: string | null;
  hasOutput: boolean;
  hasCalled: boolean;
  readonly refusals: FileRefusals;
  /** Models (values) that receive results as text, because they take no tools. */
  readonly withoutTools: Set<string>;
  inputTokens: number;
  outputTokens: number;
};

/**
 * One call of a model. `overdue`: aborted at the end of the reply's time. `sent`: its prompt, as long as it has no
 * output. `offersTools`: whether its prompt does. `pictureLoss`: why a picture of it was not stored.
 */
export type ModelCall = {
  model: Model;
  overdue: AbortSignal;
  progress: ReplyProgress;
  sent?: Prompt | undefined;
  offersTools?: boolean;
  pictureLoss?: PictureLoss | undefined;
};
