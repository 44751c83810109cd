import type { Message } from "#contract/conversation/conversation.ts";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import { callsOf } from "../../testing/tools/calls-of.ts";
import { type Execution, resultOf } from "../../testing/tools/shop-server.ts";
import { busyness } from "../busyness.ts";
import type { ProviderCall } from "../provider/provider-call.ts";
import type { Report } from "../report.ts";
import { type Decision, itemOf, type Outage, type UnknownSighting } from "./tool-records.ts";
import type { Turn } from "./turn.ts";

/** All that is known of the calls of tools of a run. */
export type ToolLedger = {
  executions: readonly Execution[];
  decisions: readonly Decision[];
  unknowns: readonly UnknownSighting[];
  outages: readonly Outage[];
  /** Longest time from an execution to its answer, in ms. */
  answeredWithinMs: number;
};

/** Time from the answer of a tool until its result is stored, on an idle machine. */
const STORED_WITHIN_MS = 500;
/** Time until an execution whose request a killed process has sent is read. */
const ARRIVES_WITHIN_MS = 300;

const finalStates = ["succeeded", "failed", "declined", "unknown"];

/** Checks the calls of one reply that has ended against the executions, decisions, kills and freezes. */
export function checkTools(
  report: Report,
  { turn, reply, calls }: { turn: Turn; reply: Message; calls: readonly ProviderCall[] },
  ledger: ToolLedger,
): void {
  const parts = callsOf(reply);
  report.check(
    "a reply with tools ends as complete or stopped",
    reply.state === "complete" || reply.state === "stopped",
    `reply ${reply.id} is ${reply.state}`,
  );
  for (const part of parts) checkCall(report, { turn, part }, ledger);
  report.check(
    "a model continues after calls with the stored text, unchanged",
    calls.every(({ from }) => from >= 0),
    `question ${turn.question.number}: the prompt contains text that the provider never sent`,
  );
  const last = calls.findLast(({ results }) => results.length > 0);
  const stored = parts.slice(0, last?.results.length).map(({ result }) => result);
  report.check(
    "a model receives the results of calls as they are stored",
    last === undefined || JSON.stringify(last.results) === JSON.stringify(stored),
    `reply ${reply.id}: ${JSON.stringify(last?.results)}, stored are ${JSON.stringify(stored)}`,
  );
}

function checkCall(report: Report, { turn, part }: { turn: Turn; part: ToolPart }, ledger: ToolLedger): void {
  const item = itemOf(part);
  const executions = ledger.executions.filter((each) => each.item === item);
  const decisions = ledger.decisions.filter((each) => each.item === item);
  const found = { part, turn, executions, decisions };
  const detail = `call ${part.name} of ${item} is ${JSON.stringify(found.part)}: ${JSON.stringify({ executions, decisions })}`;
  const isFinal = finalStates.includes(part.state) && part.result !== undefined;
  report.check("every call ends in a final state", isFinal, detail);
  if (part.state === "declined") report.check("no declined call is executed", executions.length === 0, detail);
  if (part.state === "succeeded") {
    const isTrue = executions.length > 0 && part.result === resultOf({ tool: part.name, item });
    report.check("a call that succeeded was executed, and has its result", isTrue, detail);
  }
  if (part.from !== undefined) {
    const [first] = executions;
    const isApproved = first === undefined || decisions.some(({ sentAt }) => sentAt < first.at);
    report.check("no tool of a server is executed before a decision", isApproved, detail);
  }
  if (part.isRepeatable) {
    const areExplained = executions.slice(1).every((each, at) => wasOut(ledger, executions[at], each.at));
    report.check("a harmless call is repeated only after its process was killed or frozen", areExplained, detail);
  } else {
    report.check("executions per approval are at most one", hasApprovalBeforeEach(found), detail);
  }
  for (const { at } of ledger.unknowns.filter((each) => each.item === item)) {
    report.check(
      "a call is unknown only after a kill, freeze or cut between sent and result",
      isLost(found, ledger, at),
      detail,
    );
  }
  if (part.state !== "unknown") return;
  const isStopped = turn.stopAskedAt !== undefined;
  const wasUnknown = ledger.unknowns.some((each) => each.item === item);
  report.check("a call ends as unknown only after a kill, a freeze, a cut or Stop", isStopped || wasUnknown, detail);
}

type Found = { part: ToolPart; executions: readonly Execution[]; decisions: readonly Decision[] };

/** Whether an approval of its own precedes each execution. Calls that only read need none for their first. */
function hasApprovalBeforeEach({ part, executions, decisions }: Found): boolean {
  const approvals = decisions.filter(({ answers }) => answers.includes("once"));
  return executions.every(({ at }, index) => {
    const before = executions[index - 1]?.at ?? Number.NEGATIVE_INFINITY;
    if (index === 0 && part.name !== "buy") return true;
    // The tabs that approve a call which may have acted show it as such.
    const state = index === 0 ? undefined : "unknown";
    return approvals.some(
      ({ sentAt, onState }) => sentAt > before && sentAt < at && (state === undefined || onState === state),
    );
  });
}

/** Whether the process that had a call executed could not go on before a time. */
function wasOut({ outages, answeredWithinMs }: ToolLedger, execution: Execution | undefined, before: number): boolean {
  if (!execution) return false;
  const { caller, at } = execution;
  const latest = at + answeredWithinMs + STORED_WITHIN_MS;
  const { lateMs } = busyness.between(at - ARRIVES_WITHIN_MS, latest);
  return outages.some(
    ({ server, from, to }) =>
      server === caller && from <= Math.min(before, latest + lateMs) && to >= at - ARRIVES_WITHIN_MS - lateMs,
  );
}

/** Whether a call that was seen as unknown had lost its process between sent and result. */
function isLost({ executions, decisions }: Found, ledger: ToolLedger, seenAt: number): boolean {
  const last = executions.findLast(({ at }) => at < seenAt);
  const approvedAt = decisions.findLast(({ sentAt }) => sentAt < seenAt)?.sentAt ?? Number.NEGATIVE_INFINITY;
  if (last && wasOut(ledger, last, seenAt)) return true;
  // The request may not have left, or may have been lost with its process: then any process may have sent it.
  return (
    (last === undefined || approvedAt > last.at) &&
    ledger.outages.some(({ from, to }) => from < seenAt && to > approvedAt)
  );
}
