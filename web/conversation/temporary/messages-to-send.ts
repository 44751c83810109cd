import type { Role } from "#contract/conversation.ts";
import type { TemporaryMessage } from "#contract/temporary.ts";

/** The server accepts a megabyte in all; the rest of the body is short. */
const MAX_BYTES = 1_000_000;

const encoder = new TextEncoder();
const bytesOf = (turn: TemporaryMessage) => encoder.encode(JSON.stringify(turn)).length + 1;

/**
 * Returns the messages of a request, from a question to a question. Joins questions without an answer between them.
 * Drops the oldest messages that exceed one request, as the server does for a model's context window.
 */
export function messagesToSend(messages: readonly { role: Role; content: string }[]): TemporaryMessage[] {
  const turns: TemporaryMessage[] = [];
  for (const { role, content } of messages) {
    if (content.trim() === "") continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content += `\n\n${content}`;
    else turns.push({ role, content });
  }
  if (turns[0]?.role === "assistant") turns.shift();
  if (turns.at(-1)?.role === "assistant") turns.pop();
  let bytes = turns.reduce((sum, turn) => sum + bytesOf(turn), 0);
  while (bytes > MAX_BYTES && turns.length > 1) {
    for (const left of turns.splice(0, 2)) bytes -= bytesOf(left);
  }
  return turns;
}
