import type { Message } from "#contract/conversation/conversation.ts";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import type { DecisionAnswer, DecisionRequest } from "#contract/conversation/tool-calls.ts";

/** Returns the calls of tools in a message. */
export const callsOf = ({ parts = [] }: Pick<Message, "parts">): ToolPart[] =>
  parts.filter((part): part is ToolPart => part.kind === "tool");

/** Returns the calls of a message that wait for a decision. */
export const waitingCallsOf = (message: Pick<Message, "parts">): ToolPart[] =>
  callsOf(message).filter(({ state }) => state === "proposed" || state === "unknown");

/** Returns the body of one decision on all calls of a reply that wait. */
export function decisionOn(reply: Message, answer: DecisionAnswer): DecisionRequest {
  const decisions = waitingCallsOf(reply).map(({ seq, digest, attempt }) => ({ seq, digest, attempt, answer }));
  return { reply: reply.id, decisions };
}
