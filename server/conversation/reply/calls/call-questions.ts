import type { FormAnswers, ToolForm, ToolQuestion } from "#contract/conversation/tool-forms.ts";
import { MINUTE } from "#contract/limits.ts";
import { AbortScope } from "../../../concurrency/abort-scope.ts";
import { newId } from "../../../database/new-id.ts";
import type { CallProgress, CallQuestion, CallResumption, CallWatch } from "../../../tools/tool.ts";
import { callPartsOf } from "../../parts/message-part.ts";
import type { Production } from "./production.ts";

/** Questions of one call. */
const QUESTIONS_MAX = 10;
/** Time in which a person can answer while the call runs. */
const ANSWER_MS = 10 * MINUTE;

const ASKED_TOO_OFTEN = { state: "failed", result: "The tool asked too many questions.", reason: "questions" } as const;

const bodyOfCall = ({ reply }: Pick<Production, "reply">, seq: number) =>
  callPartsOf(reply.parts.all).find((call) => call.seq === seq)?.body;

/**
 * Returns the resumption of a call: a task of its server, or the answers to its question; undefined for a call that
 * begins. A question without answers is that of an attempt which is repeated from its beginning.
 */
export function resumptionOf(production: Production, seq: number): CallResumption | undefined {
  const { state, answers } = production.resumptions.get(seq) ?? {};
  const isTask = bodyOfCall(production, seq)?.hasTask === true;
  if (state === undefined || (!isTask && answers === undefined)) return undefined;
  return { state, ...(answers !== undefined && { answers }) };
}

/** Lets a call that has ended with a question wait for its answers. */
export async function askPerson(production: Production, seq: number, { forms, state }: CallQuestion): Promise<void> {
  const { reply, storing } = production;
  const asked = (bodyOfCall(production, seq)?.asked ?? 0) + 1;
  if (!storing || asked > QUESTIONS_MAX) return reply.changeTool(seq, { ...ASKED_TOO_OFTEN, progress: undefined });
  const question: ToolQuestion = { id: newId(), forms: [...forms] };
  const resumption = { state, question: question.id };
  await storing.storeResumption(seq, resumption);
  production.resumptions.set(seq, resumption);
  reply.changeTool(seq, { state: "asking", question, asked, hasTask: undefined, progress: undefined });
}

/** Returns the reports of a running call, which become fields of its part. Absent where nothing of a reply is stored. */
export function watchOf(production: Production, seq: number): CallWatch | undefined {
  const { reply, storing, resumptions } = production;
  if (!storing) return undefined;
  return {
    onProgress: (progress: CallProgress) => {
      if (!reply.stopSignal.aborted) reply.changeTool(seq, { progress });
    },
    storeTask: async (state) => {
      if (!(await storing.storeResumption(seq, { state }))) return false;
      resumptions.set(seq, { state });
      reply.changeTool(seq, { hasTask: true });
      return storing.commit();
    },
    ask: (forms) => askWhileRunning(production, seq, forms),
  };
}

/** Asks by a question of the running call. @returns null if the person refuses or does not answer in time */
async function askWhileRunning(
  production: Production,
  seq: number,
  forms: readonly ToolForm[],
): Promise<FormAnswers | null> {
  const { reply, storing } = production;
  const asked = (bodyOfCall(production, seq)?.asked ?? 0) + 1;
  if (!storing || asked > QUESTIONS_MAX) return null;
  const question: ToolQuestion = { id: newId(), forms: [...forms] };
  const state = production.resumptions.get(seq)?.state;
  await storing.storeResumption(seq, { ...(state !== undefined && { state }), question: question.id });
  reply.changeTool(seq, { question, asked });
  await storing.commit();
  using limit = new AbortScope({ parents: [reply.stopSignal], ms: ANSWER_MS });
  try {
    return await storing.awaitAnswers(seq, question.id, limit.signal);
  } catch {
    reply.stopSignal.throwIfAborted();
    return null;
  } finally {
    reply.changeTool(seq, { question: undefined });
  }
}
