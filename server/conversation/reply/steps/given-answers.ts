import { isRunning } from "#contract/conversation/reply-state.ts";
import type { DecisionRequest } from "#contract/conversation/tool-calls.ts";
import type { FormAnswers, ToolForm } from "#contract/conversation/tool-forms.ts";
import { formProblems } from "#contract/mcp/form-problems.ts";
import { type Bus, topics } from "../../../bus/bus.ts";
import type { Database, MessageRow, Queryable } from "../../../database/schema.ts";
import { Failure } from "../../../failure.ts";
import { findMessage } from "../../message-store.ts";
import { callPartsOf, type ToolCallPart } from "../../parts/message-part.ts";
import { readParts } from "../../parts/part-store.ts";
import { storeAnswers } from "./tool-resumption-store.ts";

type Decision = DecisionRequest["decisions"][number];

/**
 * Returns the answers that a decision gives to the question of a call; null: the person refuses; undefined for a call
 * that asks nothing.
 * @throws Failure `invalid-input` for answers that do not fit the question; `already-decided` for another question
 */
export function answersIn(
  { body: { question } }: ToolCallPart,
  { answer, answers }: Pick<Decision, "answer" | "answers">,
): FormAnswers | null | undefined {
  if (!question) {
    if (answer === "submit") throw new Failure("already-decided");
    return undefined;
  }
  if (answer === "no") return null;
  if (answer !== "submit" || !answers) throw new Failure("invalid-input");
  if (answers.id !== question.id) throw new Failure("already-decided");
  const values = new Map(answers.forms.map((each) => [each.key, each.values]));
  const isWhole = values.size === answers.forms.length && values.size === question.forms.length;
  const isValid = (form: ToolForm) =>
    values.has(form.key) && formProblems(form, values.get(form.key) ?? {}).length === 0;
  if (!isWhole || !question.forms.every(isValid)) throw new Failure("invalid-input");
  return answers;
}

/** Stores the answers to the question of a call. @throws Failure `already-decided` if they were given before */
export async function storeAnswersOf(
  db: Queryable,
  { id }: Pick<MessageRow, "id">,
  { seq, body: { question } }: ToolCallPart,
  answers: FormAnswers | null,
): Promise<void> {
  const isStored = question !== undefined && (await storeAnswers(db, { id, seq }, question.id, answers));
  if (!isStored) throw new Failure("already-decided");
}

/**
 * Stores the answers to questions of running calls, and notifies the process that writes the reply.
 * @returns false if the reply is not being written
 * @throws Failure `already-decided` for a call that does not ask any more; `invalid-input`; `not-found`
 */
export async function answerRunning(
  { database, bus }: { database: Database; bus: Bus },
  { userId, chatId }: { userId: string; chatId: string },
  { reply: id, decisions }: DecisionRequest,
): Promise<boolean> {
  const isAnswered = await database.transaction().execute(async (db) => {
    const reply = await findMessage(db, userId, id);
    if (reply?.chat_id !== chatId || !isRunning(reply.state)) return false;
    const calls = new Map(callPartsOf(await readParts(db, reply)).map((call) => [call.seq, call]));
    for (const { seq, digest, ...decision } of decisions) {
      const call = calls.get(seq);
      if (!call || call.body.digest !== digest) throw new Failure("invalid-input");
      const answers = answersIn(call, decision);
      if (answers === undefined) throw new Failure("already-decided");
      await storeAnswersOf(db, reply, call, answers);
    }
    return true;
  });
  if (isAnswered) bus.publish(topics.answers(id));
  return isAnswered;
}
