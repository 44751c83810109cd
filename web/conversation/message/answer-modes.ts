import type { ClientMessage } from "../../chats/state/chats-state.ts";

export type AnswerMode = "continue" | "retry";

/** Ways to get more of an answer that has ended without being whole. */
export function modesOf({ state, content, isTruncated }: ClientMessage): AnswerMode[] {
  if (state === "complete") return isTruncated ? ["continue"] : [];
  return content === "" ? ["retry"] : ["continue", "retry"];
}
