import type { PictureLoss } from "#contract/conversation/known-parts.ts";
import { isEmptyMessage } from "#contract/conversation/parts.ts";
import type { ErrorCode } from "#contract/errors.ts";
import { AbortScope } from "../../concurrency/abort-scope.ts";
import { Failure } from "../../failure.ts";
import { FileRefusals } from "../../models/attachments/file-refusals.ts";
import { ModelError } from "../../models/model-error.ts";
import { Attempts } from "./calls/attempts.ts";
import { callModel } from "./calls/call-model.ts";
import type { ModelCall, Production, ReplyProgress } from "./calls/production.ts";
import type { ReplyEnd } from "./reply-end-store.ts";

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
  const { reply, limits, journal, onFailure } = production;
  using timeLimit = new AbortScope({ ms: limits.maxMs });
  const overdue = timeLimit.signal;
  const signals = [reply.stopSignal, overdue];
  const attempts = new Attempts(production);
  const progress = await beginProgress(production);
  for (;;) {
    const attempt = await attempts.next(progress.hasOutput, signals);
    if (!attempt) break;
    const { model } = attempt;
    const call: ModelCall = { model, overdue, progress };
    try {
      return await takeSteps(production, call);
    } catch (error) {
      if (isWithoutMoney(error)) return endWithoutMoney(production, attempts, error);
      const failure = toModelError(error, overdue);
      onFailure(model, failure);
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

async function beginProgress({ candidates, failedWriter, findOlder }: Production): Promise<ReplyProgress> {
  return {
    older: findOlder ? await findOlder() : { messages: 0, files: [] },
    writer: failedWriter ?? candidates[0]?.value ?? null,
    hasOutput: false,
    hasCalled: false,
    refusals: new FileRefusals(),
  };
}

/** Writes the reply by one model. A step is one call; the model is called again only for a further step. */
async function takeSteps(production: Production, call: ModelCall): Promise<ReplyEnd> {
  const model = call.model.value;
  const end = await callModel(production, call);
  if (end === "full") return { state: "complete", model };
  const { reason, usage } = end;
  if (reason === "refused") return { state: "failed", code: "assistant-refused", model, ...usage };
  const { text: content, parts } = production.reply;
  if (isEmptyMessage({ content, parts: parts.all })) {
    const code = reason === "calls" ? "assistant-called-tools" : codeOfLost(call.pictureLoss);
    if (code) return { state: "failed", code, model, ...usage };
    if (call.pictureLoss !== "temporary") throw new ModelError("assistant-failed", { providerCode: "empty_reply" });
  }
  return { state: "complete", model, ...(reason === "length" && { isTruncated: true }), ...usage };
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
