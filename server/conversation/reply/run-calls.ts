import { wellFormed } from "#contract/text/well-formed.ts";
import { textOf } from "../../models/prompt-message.ts";
import { BYTES_PER_LIKELY_TOKEN } from "../../models/prompt-window.ts";
import type { AnswerCalls, ToolCall } from "../../models/tool-calls/tool-call.ts";
import { cutChars } from "../../text/cut-chars.ts";
import type { Tool } from "../../tools/tool.ts";
import { CALLS_AT_ONCE, callDigest } from "../../tools/toolbox.ts";
import { SEARCH_TOOL } from "../../tools/web-search/web-tools.ts";
import { callPartsOf, isPending, needsDecision, type ToolBody, type ToolCallPart } from "../parts/message-part.ts";
import { askPerson, resumptionOf, watchOf } from "./calls/call-questions.ts";
import type { Production } from "./calls/production.ts";
import { addResult, type FilesOfResult, storeFiles } from "./steps/call-results.ts";
import type { ReplyTools, ValidCall } from "./steps/reply-tools.ts";
import { needsApproval } from "./steps/tool-policy.ts";

/** Rounds of calls of one run of a reply. */
export const STEPS_MAX = 25;
/** Failures of equal calls after which a reply ends. */
const EQUAL_FAILURES_MAX = 3;

/** A reply with tools. */
export type ToolProduction = Production & { tools: ReplyTools };

/** `waiting`: for a person. `failures`: the reply ends, see the notice `tools-ended`. `stopped`: results are missing. */
export type CallsOutcome = "answered" | "waiting" | "failures" | "stopped";

const NOT_IN_TEMPORARY = "This tool needs the approval of the person, which temporary chats do not ask for.";
const USED_UP = {
  minute: "This account has used its tool calls of this minute.",
  day: "This account has used its tool calls of this day.",
};
const GONE = "This tool is not available any more.";

/**
 * Adds the calls of an answer to its reply, each proposed to the person or approved, and what the provider must receive
 * back with their results. @returns false if the reply can have no further calls
 */
export async function addCalls(
  production: ToolProduction,
  { calls, turn }: AnswerCalls,
  model: string,
): Promise<boolean> {
  const { reply, storing, turns } = production;
  const step = stepsOf(production);
  if (step >= STEPS_MAX) return false;
  const bodies = await Promise.all(calls.map((call) => bodyOfCall(production, call, step)));
  await storing?.storeTurn({ step, model, turn });
  // Of an attempt of the same step: its process was killed before the calls were stored.
  const stale = turns.findIndex((each) => each.step === step);
  if (stale !== -1) turns.splice(stale, 1);
  if (turn) turns.push({ step, model, turn });
  return bodies.every((body) => reply.addTool(body));
}

/** Longest query that is made of a question, in UTF-16 units. */
const QUERY_MAX = 200;

/** Returns the call that searches the web by the question; undefined without that tool, and in a later step. */
export function searchCallOf({ tools, prompt, reply }: ToolProduction): ToolCall | undefined {
  const question = prompt.messages.findLast(({ role }) => role === "user");
  const query = question ? cutChars(textOf(question).replaceAll(/\s+/g, " ").trim(), QUERY_MAX) : "";
  if (query === "" || stepsOf({ reply }) > 0 || !tools.offered.some(({ name }) => name === SEARCH_TOOL))
    return undefined;
  return { id: "call_0", name: SEARCH_TOOL, arguments: JSON.stringify({ query }) };
}

const stepsOf = ({ reply }: Pick<Production, "reply">): number =>
  callPartsOf(reply.parts.all).reduce((steps, { body }) => Math.max(steps, body.step + 1), 0);

async function bodyOfCall(production: ToolProduction, call: ToolCall, step: number): Promise<ToolBody> {
  const { tools, prompt, reply, storing } = production;
  // As it is stored, shown and sent: the digest and the check of a stored call are of these characters.
  const json = wellFormed(call.arguments);
  const valid = tools.validate({ name: call.name, arguments: json });
  const common = { call: call.id, step, arguments: json };
  if (typeof valid === "string") {
    return { server: "", name: call.name, ...common, state: "failed", digest: "", result: valid, reason: "invalid" };
  }
  const { named } = valid;
  const body = {
    server: named.tool.group,
    name: named.tool.name,
    ...common,
    digest: callDigest(named, json),
    ...(named.tool.isRepeatable && { isRepeatable: true }),
    ...describeTool(named.tool),
  } as const;
  const context = { messages: prompt.messages, parts: reply.parts.all };
  if (!needsApproval(valid, tools, context)) return { ...body, state: "approved" };
  if (!storing) return { ...body, state: "declined", result: NOT_IN_TEMPORARY, reason: "temporary" };
  return { ...body, state: (await storing.isApproved(named)) ? "approved" : "proposed" };
}

/** Returns what people see of the tool of a server, as it was when the model has called it. */
function describeTool({ title, server }: Tool): Pick<ToolBody, "title" | "from" | "effect"> {
  return {
    ...(title !== undefined && { title }),
    ...(server && { from: { name: server.name, host: server.host }, effect: server.effect }),
  };
}

/**
 * Runs the approved calls of a reply, at most {@link CALLS_AT_ONCE} at a time. A call is stored as sent before it leaves,
 * and its result before this resolves.
 */
export async function runCalls(production: ToolProduction): Promise<CallsOutcome> {
  const { reply, storing } = production;
  const calls = callPartsOf(reply.parts.all);
  if (calls.some(needsDecision)) return "waiting";
  const approved = calls.filter(isPending);
  for (let at = 0; at < approved.length; at += CALLS_AT_ONCE) {
    const batch = approved.slice(at, at + CALLS_AT_ONCE);
    const sent = await admitCalls(production, batch);
    if (!sent) return "stopped";
    for (const { seq } of sent) reply.changeTool(seq, { state: "sent" });
    if ((storing && !(await storing.commit())) || reply.stopSignal.aborted) {
      for (const { seq } of sent) reply.changeTool(seq, { state: "approved" });
      return "stopped";
    }
    const results = await Promise.all(sent.map(({ seq, valid }) => runCall(production, seq, valid)));
    if (reply.stopSignal.aborted) return "stopped";
    for (const files of results) if (files) await storeFiles(production, files);
  }
  if (approved.length > 0 && storing && !(await storing.commit())) return "stopped";
  if (callPartsOf(reply.parts.all).some(needsDecision)) return "waiting";
  return hasFailedAgain(callPartsOf(reply.parts.all)) ? "failures" : "answered";
}

type AdmittedCall = { seq: number; valid: ValidCall };

/**
 * Counts calls in their order. A call over the limit of the account fails, and so does one whose tool is gone.
 * @returns the calls that may be sent; undefined if the reply was stopped
 */
async function admitCalls(
  { reply, tools }: ToolProduction,
  calls: readonly ToolCallPart[],
): Promise<AdmittedCall[] | undefined> {
  const admitted: AdmittedCall[] = [];
  for (const { seq, body } of calls) {
    const valid = tools.find(body);
    if (!valid) {
      reply.changeTool(seq, { state: "failed", result: GONE, reason: "gone" });
      continue;
    }
    // The request that has begun a task was counted.
    const admission = body.hasTask ? "admitted" : await tools.admit(valid, reply.stopSignal);
    if (admission === "stopped") return undefined;
    if (admission === "admitted") admitted.push({ seq, valid });
    else reply.changeTool(seq, { state: "failed", result: USED_UP[admission.full], reason: "limit" });
  }
  return admitted;
}

/** @returns what is stored as files of a result; undefined without a result */
async function runCall(production: ToolProduction, seq: number, valid: ValidCall): Promise<FilesOfResult | undefined> {
  const { reply, tools, storing } = production;
  const begunAt = performance.now();
  try {
    const outcome = await tools.run(valid, {
      room: roomOf(production),
      signal: reply.stopSignal,
      resumption: resumptionOf(production, seq),
      watch: watchOf(production, seq),
    });
    if (outcome.question) {
      await askPerson(production, seq, outcome.question);
      return undefined;
    }
    if (outcome.isLost && storing) {
      const attempt = callPartsOf(reply.parts.all).find((call) => call.seq === seq)?.body.attempt ?? 0;
      reply.changeTool(seq, { state: "unknown", attempt: attempt + 1, progress: undefined, question: undefined });
      return undefined;
    }
    return addResult(production, seq, outcome, Math.round(performance.now() - begunAt));
  } catch {
    // The call stays sent: the end of the reply decides what that means (`unansweredCalls`).
    return undefined;
  }
}

/** Share of a window that one result may take, beside the question, its files and earlier results. */
const RESULT_SHARE = 1 / 4;

/** Returns the bytes of a result that surely fit the window of the model that receives it, which is asked first. */
function roomOf({ candidates: [model] }: ToolProduction): number {
  return model ? Math.floor(model.contextTokens * RESULT_SHARE) * BYTES_PER_LIKELY_TOKEN : Number.MAX_SAFE_INTEGER;
}

function hasFailedAgain(calls: readonly ToolCallPart[]): boolean {
  const failures = Map.groupBy(
    calls.filter(({ body }) => body.state === "failed"),
    ({ body: { server, name, arguments: json } }) => JSON.stringify([server, name, json]),
  );
  return [...failures.values()].some(({ length }) => length >= EQUAL_FAILURES_MAX);
}
