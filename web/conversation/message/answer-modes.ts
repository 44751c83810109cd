import type { ClientMessage } from "../../chats/state/chats-state.ts";

export type AnswerMode = "continue" | "retry";

/** Returns the possible requests after an answer that has ended incomplete. */
export function modesOf({ state, content, isTruncated }: ClientMessage): AnswerMode[] {
  if (state === "complete") return isTruncated ? ["continue"] : [];
  return content === "" ? ["retry"] : ["continue", "retry"];
}
