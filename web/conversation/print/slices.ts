import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { toReasoning } from "./printed-parts.tsx";

/** Limits of the messages that are added in one task; `chars` in UTF-16 units. One message is always added. */
const MOST = { messages: 8, chars: 12_000 };

/** Length of what is printed of a message (UTF-16 units). */
function lengthOf({ content, parts = [] }: ClientMessage, withReasoning: boolean): number {
  if (!withReasoning) return content.length;
  return parts.reduce((sum, part) => sum + (toReasoning(part)?.text.length ?? 0), content.length);
}

/** Cuts the messages of a chat into runs that are rendered one after the other. */
export function slicesOf(messages: readonly ClientMessage[], withReasoning: boolean): ClientMessage[][] {
  const slices: ClientMessage[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const length = lengthOf(message, withReasoning);
    chars += length;
    const last = slices.at(-1);
    if (last && last.length < MOST.messages && chars <= MOST.chars) last.push(message);
    else {
      slices.push([message]);
      chars = length;
    }
  }
  return slices;
}
