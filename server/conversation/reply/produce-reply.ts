import type { PictureLoss } from "#contract/conversation/known-parts.ts";
import { WAITING } from "#contract/conversation/reply-state.ts";
import type { ErrorCode } from "#contract/errors.ts";
import { AbortScope } from "../../concurrency/abort-scope.ts";
import { untilAvailable } from "../../database/until-available.ts";
import { isDatabaseAway } from "../../database/violations.ts";
import { Failure } from "../../failure.ts";
import { FileRefusals } from "../../models/attachments/file-refusals.ts";
import type { Model } from "../../models/model.ts";
import { ModelError } from "../../models/model-error.ts";
import { filesOf } from "../../models/prompt-message.ts";
import type { AnswerCalls } from "../../models/tool-calls/tool-call.ts";
import type { OlderMessages } from "../older-messages-store.ts";
import {
  callPartsOf,
  type FileBody,
  isFilePart,
  isPending,
  isResultFile,
  isResultText,
} from "../parts/message-part.ts";
import { Attempts } from "./calls/attempts.ts";
import { callModel } from "./calls/call-model.ts";
import type { ModelCall, Production, ReplyProgress } from "./calls/production.ts";
import type { ReplyEnd } from "./reply-end-store.ts";
import { addCalls, runCalls, searchCallOf, type ToolProduction } from "./run-calls.ts";

/**
 * Streams a reply, or continues its existing text, from the first candidate that returns a first word (`Attempts`).
 * After the first word or reasoning a failure ends the reply with its text kept; under automatic choice the next
 * candidate continues it.
 * @returns how the reply ended; never throws
 */
export async function produceReply(production: Production): Promise<ReplyEnd> {
  const { reply, watchProduction } = production;
  return watchProduction ? watchProduction(reply, () => produce(production)) : produce(production);
}

async function produce(production: Production): Promise<ReplyEnd> {
  const { limits } = production;
  using timeLimit = new AbortScope({ ms: limits.maxMs });
  const overdue = timeLimit.signal;
  noteLeftOut(production);
  const progress = await beginProgress(production, overdue);
  // A run that begins with calls of tools stores its first call of a model as it stores the later ones.
  progress.hasCalled = callPartsOf(production.reply.parts.all).some(isPending);
  let order = withFilesOf(production, progress);
  if (progress.withoutTools.has(order.candidates[0]?.value ?? "")) await searchBefore(order);
  for (;;) {
    // The time of a reply is that of its models: a tool has its own, and may ask the person.
    timeLimit.pause();
    const outcome = hasToolsOf(order) ? await runCalls(order) : "answered";
    timeLimit.resume();
    if (outcome === "stopped") return { state: "stopped", model: progress.writer };
    if (outcome === "waiting") return withUsage({ state: WAITING, model: progress.writer }, progress);
    if (outcome === "failures") return endOfTools(order, progress, outcome);
    // Results may have become files.
    order = { ...order, tools: withFilesOf(production, progress).tools };
    const step = await takeStep(order, progress, overdue);
    if ("toolRefusal" in step) {
      progress.withoutTools.add(step.toolRefusal);
      await order.journal?.end(null);
      await searchBefore(order);
      continue;
    }
    if (!("calls" in step)) return withUsage(step, progress);
    if (!hasToolsOf(order) || !(await addCalls(order, step.calls, step.model.value))) {
      return endOfTools(order, progress, "rounds");
    }
    await order.journal?.end(progress.writer);
    order = { ...order, candidates: [step.model, ...order.candidates.filter((other) => other !== step.model)] };
  }
}

/** Says once in a reply how many tools its models do not receive. */
function noteLeftOut({ reply, tools }: Production): void {
  const leftOut = tools?.leftOut ?? 0;
  const isNoted = reply.parts.all.some(({ body }) => body.code === "tools-left-out");
  if (leftOut > 0 && !isNoted) reply.addNotice("tools-left-out", { tools: leftOut });
}

/** Adds the files of the branch, and those of long results, to the tools of a reply. */
function withFilesOf(production: Production, { older }: ReplyProgress): Production {
  const { prompt, reply } = production;
  const results = reply.parts.all.filter(isResultText).map(({ body }) => body as FileBody);
  const tools = production.tools?.withFiles(older.files, prompt.messages.flatMap(filesOf), results);
  return { ...production, tools: tools?.isEmpty ? undefined : tools };
}

const hasToolsOf = (production: Production): production is ToolProduction => production.tools !== undefined;

/** An answer that ends with calls of tools. */
type StepWithCalls = { calls: AnswerCalls; model: Model };

/** The model (a value) takes no tools. */
type ToolRefusal = { toolRefusal: string };

/** Searches the web by the question, where that is switched on, for a model that cannot ask for it. */
async function searchBefore(production: Production): Promise<void> {
  const call = hasToolsOf(production) && searchCallOf(production);
  if (call) await addCalls(production, { calls: [call] }, "");
}

/** Writes one step by the first candidate that answers: the end of the reply, or calls whose results it waits for. */
async function takeStep(
  production: Production,
  progress: ReplyProgress,
  overdue: AbortSignal,
): Promise<ReplyEnd | StepWithCalls | ToolRefusal> {
  const { reply, journal, onFailure, onAway } = production;
  const signals = [reply.stopSignal, overdue];
  const attempts = new Attempts(production);
  progress.hasOutput = false;
  for (;;) {
    const attempt = await attempts.next(progress.hasOutput, signals);
    if (!attempt) break;
    const { model } = attempt;
    const call: ModelCall = { model, overdue, progress };
    try {
      return await untilAvailable(() => endOfCall(production, call), {
        signals,
        isPassing: (error) => isDatabaseAway(error) && !progress.hasOutput,
        onWait: onAway,
      });
    } catch (error) {
      if (isWithoutMoney(error)) return endWithoutMoney(production, attempts, error);
      const failure = toModelError(error, overdue);
      onFailure(model, failure);
      if (failure.refusesTools && !progress.withoutTools.has(model.value)) return { toolRefusal: model.value };
      const { sent } = call;
      const refusesFiles = () => sent !== undefined && progress.refusals.note(model, failure, sent);
      const isLeft = attempts.noteFailure(failure, refusesFiles);
      if (!isLeft || signals.some(({ aborted }) => aborted)) break;
      await journal?.end(progress.hasOutput ? progress.writer : null);
    }
  }
  const model = attempts.asked?.value ?? null;
  if (reply.stopSignal.aborted) return { state: "stopped", model };
  const retryAfterMs = overdue.aborted ? undefined : attempts.retryAfterMs;
  return { state: "failed", code: attempts.failure?.code ?? "assistant-failed", model, retryAfterMs };
}

async function beginProgress(production: Production, overdue: AbortSignal): Promise<ReplyProgress> {
  const { candidates, failedWriter } = production;
  return {
    older: await readOlder(production, [production.reply.stopSignal, overdue]),
    writer: failedWriter ?? candidates[0]?.value ?? null,
    hasOutput: false,
    hasCalled: false,
    refusals: new FileRefusals(),
    withoutTools: new Set(candidates.filter(({ callsTools }) => callsTools === false).map(({ value }) => value)),
    inputTokens: 0,
    outputTokens: 0,
  };
}

/** Reads the messages of the branch that are older than the prompt; none for a reply that is over before. */
async function readOlder({ findOlder, onAway }: Production, signals: AbortSignal[]): Promise<OlderMessages> {
  const none = { messages: 0, files: [] };
  if (!findOlder) return none;
  return untilAvailable(findOlder, { signals, onWait: onAway }).catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error;
    return none;
  });
}

/** Ends a reply whose model would go on calling tools. */
function endOfTools({ reply }: Production, progress: ReplyProgress, reason: "rounds" | "failures"): ReplyEnd {
  reply.addNotice("tools-ended", { reason });
  return withUsage({ state: "complete", model: progress.writer }, progress);
}

/** Adds the tokens of the earlier steps to those of the last one. */
function withUsage(end: ReplyEnd, { inputTokens, outputTokens }: ReplyProgress): ReplyEnd {
  if (inputTokens + outputTokens === 0) return end;
  return {
    ...end,
    inputTokens: inputTokens + (end.inputTokens ?? 0),
    outputTokens: outputTokens + (end.outputTokens ?? 0),
  };
}

async function endOfCall(production: Production, call: ModelCall): Promise<ReplyEnd | StepWithCalls> {
  const model = call.model.value;
  const end = await callModel(production, call);
  if (end === "full") return { state: "complete", model };
  const { reason, usage, tools } = end;
  if (reason === "refused") return { state: "failed", code: "assistant-refused", model, ...usage };
  if (reason === "calls" && tools && production.tools && (call.offersTools || production.tools.offered.length > 0)) {
    call.progress.inputTokens += usage?.inputTokens ?? 0;
    call.progress.outputTokens += usage?.outputTokens ?? 0;
    return { calls: tools, model: call.model };
  }
  if (hasNoAnswer(production)) {
    const code = reason === "calls" ? "assistant-called-tools" : codeOfLost(call.pictureLoss);
    if (code) return { state: "failed", code, model, ...usage };
    if (call.pictureLoss !== "temporary") throw new ModelError("assistant-failed", { providerCode: "empty_reply" });
  }
  return { state: "complete", model, ...(reason === "length" && { isTruncated: true }), ...usage };
}

/** Whether a reply has neither text after its last call of a tool nor files of its own: calls are no answer. */
function hasNoAnswer({ reply: { text, parts } }: Production): boolean {
  if (parts.all.some((part) => isFilePart(part) && !isResultFile(part))) return false;
  const lastCall = callPartsOf(parts.all).at(-1);
  return lastCall ? text.slice(lastCall.at).trim() === "" : text === "";
}

/**
 * Returns the failure of an answer that was a lost picture alone, which the next call would lose too; undefined without
 * one, and in a temporary chat, where the notice is shown.
 */
function codeOfLost(loss: PictureLoss | undefined): ErrorCode | undefined {
  if (loss === undefined || loss === "temporary") return undefined;
  if (loss === "quota") return "quota-reached";
  return loss === "off" ? "files-off" : "assistant-failed";
}

/** The budget leaves too little for a call, for this month or while other calls run. */
const isWithoutMoney = (error: unknown): error is Failure =>
  error instanceof Failure && (error.code === "budget-reached" || error.code === "budget-reserved");

/** Ends a reply for whose next call there is no money. */
function endWithoutMoney({ reply }: Production, { asked, failure }: Attempts, refusal: Failure): ReplyEnd {
  const model = asked?.value ?? null;
  if (reply.stopSignal.aborted) return { state: "stopped", model };
  return { state: "failed", code: (reply.text !== "" && failure?.code) || refusal.code, model };
}

function toModelError(error: unknown, overdue: AbortSignal): ModelError {
  if (overdue.aborted) return new ModelError("assistant-stalled", { cause: error });
  return error instanceof ModelError ? error : new ModelError("assistant-failed", { cause: error });
}
