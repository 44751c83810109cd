import { canContinue } from "#contract/conversation/reply-state.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";

export type AnswerMode = "continue" | "retry";

/** Returns the possible requests after an answer that has ended incomplete. */
export function modesOf(answer: ClientMessage): AnswerMode[] {
  const continuing: AnswerMode[] = answer.content !== "" && canContinue(answer) ? ["continue"] : [];
  return answer.state === "complete" ? continuing : [...continuing, "retry"];
}
