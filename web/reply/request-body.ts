/** What requests for replies say of the page that they come from. */

import type { Chat } from "#contract/conversation.ts";
import { AUTO_MODEL } from "#contract/models.ts";
import type { ClientMessage } from "../chats/state/chats-state.ts";

export const chosen = (model: string) => (model === AUTO_MODEL ? {} : { model });

/** Nothing where this page has not yet read the id of the last message. */
export function lastSeen(messages: readonly ClientMessage[]): { parent?: string | null } {
  const last = messages.at(-1);
  if (!last) return { parent: null };
  return last.id === null ? {} : { parent: last.id };
}

/** Whether the server has this message beside those that were there before it was sent. */
export function holdsNew({ messages }: Chat, before: readonly ClientMessage[], text: string): boolean {
  const known = new Set(before.map(({ id }) => id));
  return messages.some(({ id, role, content }) => role === "user" && content === text && !known.has(id));
}
