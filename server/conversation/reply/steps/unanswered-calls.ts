import type { MessageState } from "#contract/conversation/conversation.ts";
import { WAITING } from "#contract/conversation/reply-state.ts";
import { callPartsOf, needsDecision, type Part, type ToolBody } from "../../parts/message-part.ts";

/** A change of the call `seq`. */
export type CallChange = { seq: number; change: Partial<ToolBody> };

const NOT_SENT = { state: "declined", result: "The answer ended before this call was run.", reason: "ended" } as const;
const ENDED = { state: "failed", result: "The answer ended before the result came.", reason: "ended" } as const;
const UNANSWERED = {
  state: "failed",
  result: "The answer ended before the person answered.",
  reason: "ended",
} as const;
const MAYBE_SENT = { state: "unknown", result: "It is not known whether this call was run." } as const;

/**
 * Returns what becomes of the calls without a result of a reply that ends in a state. In an interrupted reply, which
 * goes on, a call that was sent is sent again only if that is harmless, and otherwise a person is asked. A call whose
 * server works on it as a task is approved: it is not sent again, but asked for its result.
 */
export function unansweredCalls(parts: readonly Part[], state: MessageState): CallChange[] {
  if (state === WAITING) return [];
  return callPartsOf(parts).flatMap(({ seq, body }) => {
    const change = state === "interrupted" ? whenInterrupted(body) : whenEnded(body);
    return change ? [{ seq, change: { ...change, question: undefined, progress: undefined } }] : [];
  });
}

function whenInterrupted({ state, isRepeatable, hasTask, attempt = 0 }: ToolBody): Partial<ToolBody> | undefined {
  if (state !== "sent") return undefined;
  return { state: isRepeatable || hasTask ? "approved" : "unknown", attempt: attempt + 1 };
}

function whenEnded({ state, isRepeatable, attempt, asked, result }: ToolBody): Partial<ToolBody> | undefined {
  if (state === "asking" || (state === "approved" && asked !== undefined)) return UNANSWERED;
  if (state === "sent" || (state === "approved" && attempt !== undefined)) return isRepeatable ? ENDED : MAYBE_SENT;
  if (state === "proposed" || state === "approved") return NOT_SENT;
  return state === "unknown" && result === undefined ? MAYBE_SENT : undefined;
}

/** Returns the state of an interrupted reply: it waits if a person must decide on its calls. */
export const interruptedState = (parts: readonly Part[]): "interrupted" | typeof WAITING =>
  callPartsOf(parts).some(needsDecision) ? WAITING : "interrupted";

/** Returns parts with changed calls, each change with the next revision after `rev`. */
export function withCallChanges(
  parts: readonly Part[],
  changes: readonly CallChange[],
  rev: number,
): { parts: Part[]; rev: number } {
  const bySeq = new Map(changes.map(({ seq, change }, index) => [seq, { change, rev: rev + index + 1 }]));
  const changed = parts.map((part) => {
    const found = bySeq.get(part.seq);
    return found ? { ...part, rev: found.rev, body: { ...part.body, ...found.change } } : part;
  });
  return { parts: changed, rev: rev + changes.length };
}
