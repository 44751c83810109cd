import type { ClientMessage } from "../../chats/state/chats-state.ts";

/** Limits of the messages that are added in one task; `chars` in UTF-16 units. One message is always added. */
const MOST = { messages: 8, chars: 12_000 };

/** Cuts the messages of a chat into runs that are rendered one after the other. */
export function slicesOf(messages: readonly ClientMessage[]): ClientMessage[][] {
  const slices: ClientMessage[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    chars += message.content.length;
    const last = slices.at(-1);
    if (last && last.length < MOST.messages && chars <= MOST.chars) last.push(message);
    else {
      slices.push([message]);
      chars = message.content.length;
    }
  }
  return slices;
}
