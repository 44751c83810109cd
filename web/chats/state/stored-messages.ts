import type { Message } from "#contract/conversation/conversation.ts";
import { isRunning } from "#contract/conversation/reply-state.ts";
import type { ClientMessage } from "./chats-state.ts";

/**
 * Replaces the messages on the screen by the server's. A message at the same index with the same role keeps its key, so
 * that its component is not mounted again. Equal messages keep their objects; if nothing changed, returns `shown`, so
 * that reading a chat again causes no rendering.
 */
export function takeStored(shown: ClientMessage[], stored: readonly Message[]): ClientMessage[] {
  const taken = stored.map((message, index) => takeMessage(shown[index], message));
  if (taken.length === shown.length && taken.every((message, index) => message === shown[index])) return shown;
  // Immer freezes new state deeply, except for what is frozen: it need not visit each value of each message.
  Object.freeze(taken);
  return taken;
}

function takeMessage(before: ClientMessage | undefined, message: Message): ClientMessage {
  // No component shows the parent.
  const { parent: _parent, ...shown } = message;
  const now: ClientMessage = {
    ...shown,
    key: before?.role === message.role ? before.key : message.id,
    loading: isRunning(message.state) && message.content === "",
  };
  return before && isSame(before, now) ? before : now;
}

function isSame(one: ClientMessage, other: ClientMessage): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof ClientMessage>;
  return [...names].every((name) => isSameValue(one[name], other[name]));
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const areObjects = typeof one === "object" && typeof other === "object";
  return areObjects && JSON.stringify(one) === JSON.stringify(other);
}
