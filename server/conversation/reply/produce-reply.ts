import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { nearestEffort } from "#contract/effort.ts";
import { SECOND } from "#contract/limits.ts";
import type { Spending } from "../../budgets/spending.ts";
import { AbortScope } from "../../concurrency/abort-scope.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { Queryable } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { FileRefusals, refuserOf } from "../../models/attachments/file-refusals.ts";
import { promptForModel } from "../../models/attachments/prompt-files.ts";
import type { Model, Prompt } from "../../models/model.ts";
import { ModelError } from "../../models/model-error.ts";
import type { OlderMessages } from "../older-messages-store.ts";
import type { EarlierReplies } from "../parts/earlier-replies.ts";
import { fileNotices, refusedBefore } from "../parts/file-notices.ts";
import type { Notice } from "../parts/message-part.ts";
import { CallOutput } from "./call-output.ts";
import type { GrowingReply } from "./live-reply.ts";
import type { ReplyEnd } from "./reply-end-store.ts";
import { RetryTimes } from "./retry-times.ts";
import { SilenceWatch } from "./silence-watch.ts";

export type ReplyLimits = { firstTextMs: number; idleMs: number; maxMs: number };

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
  /** Absent: the calls of a reply that is not stored. */
  journal?: CallJournal | undefined;
  watchProduction?: WatchProduction | undefined;
  /** Counts the calls, also failed ones, and limits them to their money; undefined if they are not counted. */
  spending?: Spending | undefined;
};

/** Stores which calls a reply has made. */
export type CallJournal = {
  /** Called in the transaction before each call but the first. */
  begin(db: Queryable, model: string): Promise<void>;
  /** Called when a call has ended and another may follow; never throws. `writer`: of the last output; null without. */
  end(writer: string | null): Promise<void>;
};

/** Runs `produce`, which writes the reply, and measures it. */
export type WatchProduction = (reply: GrowingReply, produce: () => Promise<ReplyEnd>) => Promise<ReplyEnd>;

/** Longest reply in UTF-16 units; a longer one is ended. */
export const MAX_REPLY_CHARS = 1_000_000;
const MAX_RETRY_WAIT_MS = 20 * SECOND;
const RETRY_WAIT_MS = SECOND / 2;

/**
 * Streams a reply, or continues its existing text, from the first candidate that returns a first word. A single
 * candidate is retried once if its error is transient. A model that its provider no longer has is followed by its
 * successor under automatic choice. A model that refuses attached files is asked again without them,
 * under automatic choice after the other candidates. After the first word or reasoning a failure ends the reply with
 * its text kept; under automatic choice the next candidate continues it.
 * @returns how the reply ended; never throws
 */
export async function produceReply(production: Production): Promise<ReplyEnd> {
  const { reply, watchProduction } = production;
  return watchProduction ? watchProduction(reply, () => produce(production)) : produce(production);
}

/** State of a reply across its calls. `writer`: the model whose output is last, or that was asked first. */
type Progress = {
  older: OlderMessages;
  writer: string | null;
  hasOutput: boolean;
  hasCalled: boolean;
  readonly refusals: FileRefusals;
  readonly retryTimes: RetryTimes;
};

/** `isWithoutFiles`: the model has refused the files with which it was asked before. */
type Attempt = { model: Model; isWithoutFiles?: boolean };

async function produce(production: Production): Promise<ReplyEnd> {
  const { reply, candidates, limits, isAutomatic, failedWriter, onFailure } = production;
  using timeLimit = new AbortScope({ ms: limits.maxMs });
  const overdue = timeLimit.signal;
  const models = candidates.length === 1 ? [...candidates, ...candidates] : candidates;
  let attempts = models.map((model): Attempt => ({ model }));
  const older = production.findOlder ? await production.findOlder() : { messages: 0, files: [] };
  const writer = failedWriter ?? models[0]?.value ?? null;
  const progress: Progress = {
    older,
    writer,
    hasOutput: false,
    hasCalled: false,
    refusals: new FileRefusals(),
    retryTimes: new RetryTimes(production.clock),
  };
  let failure: ModelError | undefined;
  let asked: Model | undefined;
  for (let next = attempts.shift(); next; next = attempts.shift()) {
    const { model, isWithoutFiles } = next;
    if (progress.hasOutput && !isWithoutFiles && (!isAutomatic || model === asked)) break;
    const isRepeated = model === asked && !isWithoutFiles;
    if (failure && isRepeated && !(await waitToRetry(failure, [reply.stopSignal, overdue]))) break;
    asked = model;
    const call: Call = { model, overdue, progress };
    try {
      return await callModel(production, call);
    } catch (error) {
      if (isWithoutMoney(error)) return endWithoutMoney(production, model, { refusal: error, failure });
      failure = toModelError(error, overdue);
      onFailure(model, failure);
      progress.retryTimes.note(model, failure);
      if (reply.stopSignal.aborted || overdue.aborted || !failure.isForNextModel) break;
      const { successor } = model;
      if (isAutomatic && failure.trouble === "model" && successor) {
        attempts = [{ model: successor }, ...attempts.filter((attempt) => attempt.model !== model)];
      }
      if (call.sent && progress.refusals.note(model, failure, call.sent)) attempts = withoutFiles(model, attempts);
      if (attempts.length > 0) await production.journal?.end(progress.hasOutput ? progress.writer : null);
    }
  }
  const model = asked?.value ?? null;
  if (reply.stopSignal.aborted) return { state: "stopped", model };
  // Another model's wait would repeat what none may answer, or go beyond the time of a reply.
  const retryAfterMs = overdue.aborted || !failure?.isForNextModel ? undefined : progress.retryTimes.retryAfterMs;
  return { state: "failed", code: failure?.code ?? "assistant-failed", model, retryAfterMs };
}

/** The budget leaves too little for a call, for this month or while other calls run. */
const isWithoutMoney = (error: unknown): error is Failure =>
  error instanceof Failure && (error.code === "budget-reached" || error.code === "budget-reserved");

/** `failure`: of the call before. */
type Refused = { refusal: Failure; failure: ModelError | undefined };

/** Ends a reply for whose next call there is no money. */
function endWithoutMoney({ reply }: Production, { value: model }: Model, { refusal, failure }: Refused): ReplyEnd {
  if (reply.stopSignal.aborted) return { state: "stopped", model };
  return { state: "failed", code: (reply.text !== "" && failure?.code) || refusal.code, model };
}

/** Adds an attempt without the files that a model has refused, after those by others, which may accept the files. */
function withoutFiles(model: Model, attempts: readonly Attempt[]): Attempt[] {
  const isOther = (attempt: Attempt) => refuserOf(attempt.model) !== refuserOf(model);
  const again = { model, isWithoutFiles: true };
  return [...attempts.filter(isOther), again, ...attempts.filter((attempt) => !isOther(attempt))];
}

/** `sent`: the prompt of a call that has no output yet. */
type Call = { model: Model; overdue: AbortSignal; progress: Progress; sent?: Prompt | undefined };

async function callModel(production: Production, call: Call): Promise<ReplyEnd> {
  const { model, overdue, progress } = call;
  const { reply, limits, spending, journal } = production;
  const { prompt, notices } = await promptFor(production, call);
  call.sent = prompt;
  const output = new CallOutput(reply, notices, () => {
    call.sent = undefined;
    progress.hasOutput = true;
    progress.writer = model.value;
    reply.setWriter(model.value);
  });
  const full = new AbortController();
  using silence = new SilenceWatch(limits);
  using scope = new AbortScope({ parents: [reply.stopSignal, overdue, silence.signal, full.signal] });
  const { signal } = scope;
  // A local flag, because reading `signal.aborted` for each word costs more than the rest of this function.
  let isOver = signal.aborted;
  const noteAbort = () => {
    isOver = true;
  };
  signal.addEventListener("abort", noteAbort, { once: true });
  const sink = {
    onLife: () => silence.noteLife(),
    onReasoning: (text: string) => {
      silence.noteOutput();
      if (!isOver) output.appendReasoning(text);
    },
    onText: (text: string) => {
      silence.noteOutput();
      if (isOver) return;
      output.append(text);
      if (reply.text.length >= MAX_REPLY_CHARS) full.abort();
    },
  };
  try {
    const isFurther = progress.hasCalled;
    progress.hasCalled = true;
    const onBegin = isFurther && journal ? (db: Queryable) => journal.begin(db, model.value) : undefined;
    const countedModel = spending ? spending.counted(model, { onBegin }) : model;
    const { reason, usage } = await countedModel.stream(prompt, sink, signal);
    output.end();
    if (reason === "refused") return { state: "failed", code: "assistant-refused", model: model.value, ...usage };
    if (reply.text === "") throw new ModelError("assistant-failed", { providerCode: "empty_reply" });
    return { state: "complete", model: model.value, ...(reason === "length" && { isTruncated: true }), ...usage };
  } catch (error) {
    if (full.signal.aborted) return { state: "complete", model: model.value };
    throw error;
  }
}

/**
 * Fits the prompt to a model's window, kinds of files and efforts; of these the nearest, without a notice.
 * @returns with notices of the differences and of another writer
 */
async function promptFor({ reply, earlier, spending, ...production }: Production, { model, progress }: Call) {
  const { older, writer, refusals } = progress;
  const whole = withReply(production.prompt, reply.text);
  const files = whole.messages.findLast(({ role }) => role === "user")?.files ?? [];
  const hasFiles = whole.messages.some((message) => message.files?.some(({ kind }) => kind !== "text"));
  if (earlier && hasFiles) refusals.add(refuserOf(model), await refusedBefore(earlier, model));
  const withheld = { refused: refusals.of(model), unread: older.files };
  const { prompt: fitted, partial } = await promptForModel(whole, model, withheld);
  const { effort: asked, ...prompt } = fitted;
  const used = asked && nearestEffort(asked, model.efforts ?? []);
  const messages = older.messages + whole.messages.length - fitted.messages.length;
  const notices: Notice[] = [];
  if (messages > 0) notices.push({ code: "cut", params: { messages } });
  if (writer !== null && writer !== model.value)
    notices.push({ code: "model", params: { model: model.value, instead: writer } });
  const ofBudgets = (spending?.warnings ?? []).map(
    ({ kind, percent }): Notice => ({ code: "budget-low", params: { budget: kind, percent } }),
  );
  const newest = new Set(files.map(({ id }) => id));
  const ofFiles = await fileNotices({ newest, partial }, model, earlier);
  const isGiven = (notice: Notice) => reply.parts.all.some(({ body }) => isDeepStrictEqual(body, notice));
  notices.push(...[...ofFiles, ...ofBudgets].filter((notice) => !isGiven(notice)));
  return { prompt: { ...prompt, ...(used && { effort: used }) }, notices };
}

/** Appends the reply's text to the prompt: models continue an assistant message at the end. */
export function withReply(prompt: Prompt, text: string): Prompt {
  if (text === "") return prompt;
  return { ...prompt, messages: [...prompt.messages, { role: "assistant", content: text }] };
}

function toModelError(error: unknown, overdue: AbortSignal): ModelError {
  if (overdue.aborted) return new ModelError("assistant-stalled", { cause: error });
  return error instanceof ModelError ? error : new ModelError("assistant-failed", { cause: error });
}

/** Waits for the provider's `retry-after`, up to a limit. @returns false if a retry is pointless */
async function waitToRetry(failure: ModelError, signals: readonly AbortSignal[]): Promise<boolean> {
  const waitMs = failure.retryAfterMs ?? RETRY_WAIT_MS;
  if (!failure.isRetryable || waitMs > MAX_RETRY_WAIT_MS) return false;
  using scope = new AbortScope({ parents: signals });
  const { signal } = scope;
  await setTimeout(waitMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
