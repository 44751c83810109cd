import type { Message } from "#contract/conversation.ts";
import type { ClientMessage } from "./chats-state.ts";

/**
 * The server's messages in place of those on the screen. A message at the same place by the same role is the same one,
 * and keeps its key: what was painted while it was written is not painted again. Where nothing is new the same messages
 * are given back, and nothing follows from a chat that was read again.
 */
export function takeStored(shown: ClientMessage[], stored: readonly Message[]): ClientMessage[] {
  const taken = stored.map((message, place) => takeMessage(shown[place], message));
  return taken.length === shown.length && taken.every((message, place) => message === shown[place]) ? shown : taken;
}

function takeMessage(before: ClientMessage | undefined, message: Message): ClientMessage {
  const { id, role, content, state, code, seams, isTruncated, resumes, alternatives } = message;
  const now: ClientMessage = {
    key: before?.role === role ? before.key : id,
    ...{ id, role, content, state, loading: state === "writing" && content === "" },
    ...(code !== undefined && { code }),
    ...(seams && { seams }),
    ...(isTruncated && { isTruncated }),
    ...(resumes && { resumes }),
    ...(alternatives && { alternatives }),
  };
  return before && isSame(before, now) ? before : now;
}

function isSame(one: ClientMessage, other: ClientMessage): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof ClientMessage>;
  return [...names].every((name) => one[name] === other[name] || String(one[name]) === String(other[name]));
}
