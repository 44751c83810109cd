import type { Message } from "#contract/conversation.ts";
import type { ClientMessage } from "./chats-state.ts";

/**
 * The server's messages in place of those on the screen. A message at the same place by the same role is the same one,
 * and keeps its key: what was painted while it was written is not painted again.
 */
export function takeStored(shown: readonly ClientMessage[], stored: readonly Message[]): ClientMessage[] {
  return stored.map((message, place) => {
    const before = shown[place];
    const { id, role, content, state, code, seams, isTruncated, resumes, alternatives } = message;
    const loading = state === "writing" && content === "";
    return {
      key: before?.role === role ? before.key : id,
      ...{ id, role, content, state, loading },
      ...(code !== undefined && { code }),
      ...(seams && { seams }),
      ...(isTruncated && { isTruncated }),
      ...(resumes && { resumes }),
      ...(alternatives && { alternatives }),
    };
  });
}
