import { isDeepStrictEqual } from "node:util";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import type { ProviderCall } from "../provider/provider-call.ts";
import type { Report } from "../report.ts";
import { withoutRepeats } from "./repeats.ts";
import type { ReplyReader } from "./reply-reader.ts";
import type { ChatRecord, Turn } from "./turn.ts";

/** Checks the invariants of a chat: the stored messages agree with the questions, the provider and the readers. */
export function checkChat(report: Report, record: ChatRecord, stored: Chat): void {
  const subject = `chat ${record.id}`;
  const asked = record.turns.filter(({ ackedAt }) => ackedAt !== undefined).map(({ question }) => question.text);
  const questions = stored.messages.filter(({ role }) => role === "user").map(({ content }) => content);
  report.check(
    "every acknowledged question is stored once, in order",
    asked.join("\n") === questions.join("\n"),
    `${subject}: asked ${JSON.stringify(asked)}, stored ${JSON.stringify(questions)}`,
  );
  report.check(
    "no reply stays in state writing",
    stored.messages.every(({ state }) => state !== "writing"),
    `${subject} has a reply in state writing after all have ended`,
  );
  for (const turn of record.turns) {
    const reply = stored.messages.find(({ id }) => id === turn.replyId);
    checkText(report, turn, reply);
    for (const reader of turn.readers) checkReader(report, turn, reader, reply);
  }
}

function checkText(report: Report, turn: Turn, reply: Message | undefined): void {
  const { answer } = turn.question;
  const content = withoutRepeats(reply?.content ?? "", reply?.seams ?? [], answer);
  const at = `reply ${turn.replyId} to question ${turn.question.number}`;
  report.check(
    "a stored reply is an exact prefix of the provider's text",
    answer.startsWith(content),
    `${at}: differs at character ${partingOf(content, answer)} of ${content.length}`,
  );
  checkParts(report, turn, reply);
  if (reply?.state !== "complete") return;
  report.check(
    "a complete reply has the provider's whole text",
    content.length === answer.length,
    `${at}: ${content.length} of ${answer.length}`,
  );
}

function checkParts(report: Report, { question, replyId }: Turn, { parts = [] }: Partial<Message> = {}): void {
  const whole = question.thoughts.join("");
  const reasoning = parts.filter(({ kind }) => kind === "reasoning");
  report.check(
    "stored reasoning is a prefix of the provider's",
    reasoning.every(({ text }) => typeof text === "string" && whole.startsWith(text)),
    `reply ${replyId}: ${JSON.stringify(parts)}`,
  );
  report.check(
    "parts are numbered from 0, in the order of the text",
    parts.every(({ seq, at }, index) => seq === index && at >= (parts[index - 1]?.at ?? 0)),
    `reply ${replyId}: ${JSON.stringify(parts)}`,
  );
}

function checkReader(report: Report, turn: Turn, reader: ReplyReader, reply: Message | undefined): void {
  const { answer } = turn.question;
  const content = reply?.content ?? "";
  const text = withoutRepeats(reader.text, reply?.seams ?? [], answer);
  const at = `reader of reply ${turn.replyId} to question ${turn.question.number}`;
  report.check(
    "readers see no gap, no repeat, no other reply",
    reader.problems.length === 0,
    `${at}: ${reader.problems}`,
  );
  report.check(
    "a reader's text equals the provider's text",
    answer.startsWith(text),
    `${at}: differs at character ${partingOf(text, answer)}`,
  );
  if (!reader.isDone) return;
  report.check(
    "a reader that received the end has the stored text",
    reader.text === content,
    `${at}: has ${reader.text.length} characters, ${content.length} are stored`,
  );
  report.check(
    "a reader that received the end has the stored parts",
    reply === undefined || isDeepStrictEqual(reader.view.parts, reply.parts ?? []),
    `${at}: has ${JSON.stringify(reader.view.parts)}, stored are ${JSON.stringify(reply?.parts)}`,
  );
}

/** Checks the provider calls of a turn, in order. */
export function checkCalls(report: Report, turn: Turn, calls: readonly ProviderCall[], allowed: number): void {
  const at = `question ${turn.question.number}`;
  report.check(
    "no provider call beyond those allowed",
    calls.length <= allowed,
    `${at}: allowed ${allowed}, but there were ${calls.map(describe).join("; ")}`,
  );
  report.check(
    "a continuation is requested with the stored text, unchanged",
    calls.every(({ from }) => from >= 0),
    `${at}: the prompt contains text that the provider never sent`,
  );
  const overlapping = calls.some((call, index) => {
    const before = calls[index - 1];
    return before !== undefined && (before.closedAt ?? Number.POSITIVE_INFINITY) > call.startedAt + OVERLAP_NOISE_MS;
  });
  report.check("one provider call at a time for a reply", !overlapping, `${at}: ${calls.map(describe).join("; ")}`);
}

const describe = ({ startedAt, from, saidUpTo, closedAt, isWhole }: ProviderCall) =>
  `at ${Math.round(startedAt)} from ${from}, to ${saidUpTo} at ${Math.round(closedAt ?? Number.NaN)}${isWhole ? ", whole" : ""}`;

const OVERLAP_NOISE_MS = 100;

function partingOf(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
