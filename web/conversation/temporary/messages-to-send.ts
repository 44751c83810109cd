import type { Role } from "#contract/conversation/conversation.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import type { TemporaryMessage } from "#contract/conversation/temporary.ts";
import type { AttachedFile } from "#contract/files/files.ts";
import { filesOf } from "../../chats/state/file-parts.ts";

/** A message with its parts, or with the files of a draft. */
type Said = {
  role: Role;
  content: string;
  parts?: readonly MessagePart[] | undefined;
  files?: readonly AttachedFile[] | undefined;
};

/** The server accepts a megabyte in all; the rest of the body is short. */
const MAX_BYTES = 1_000_000;
const encoder = new TextEncoder();

const bytesOf = (turn: TemporaryMessage) => encoder.encode(JSON.stringify(turn)).length + 1;

/** Returns the groups whose tools an answer has called with success. */
const groupsCalled = (parts: readonly MessagePart[] = []) =>
  parts.flatMap(({ kind, state, server }) =>
    kind === "tool" && state === "succeeded" && typeof server === "string" && server !== "" ? [server] : [],
  );

/**
 * Returns the messages of a request with their files, from a question to a question. Leaves out what has neither text
 * nor files. Drops the oldest messages that exceed one request, as the server does for a model's context window.
 */
export function messagesToSend(messages: readonly Said[]): TemporaryMessage[] {
  const turns: TemporaryMessage[] = [];
  for (const { role, content, parts, files = filesOf({ parts }) } of messages) {
    const isQuestion = role === "user";
    if (content.trim() === "" && !(isQuestion && files.length > 0)) continue;
    const named = isQuestion ? files.map(({ id, name, size }) => ({ id, name, size })) : [];
    const last = turns.at(-1);
    const called = isQuestion ? undefined : [...new Set([...(last?.called ?? []), ...groupsCalled(parts)])];
    // The question between two answers is empty.
    if (last && called && last.role === role) Object.assign(last, { content: `${last.content}\n\n${content}`, called });
    else turns.push({ role, content, ...(named.length > 0 && { files: named }), ...(called && { called }) });
  }
  if (turns.at(-1)?.role === "assistant") turns.pop();
  let bytes = turns.reduce((sum, turn) => sum + bytesOf(turn), 0);
  const isFirstLeftOut = () => turns[0]?.role === "assistant" || (bytes > MAX_BYTES && turns.length > 1);
  while (isFirstLeftOut()) {
    for (const left of turns.splice(0, 1)) bytes -= bytesOf(left);
  }
  return turns;
}
