import type { PromptMessage } from "../model.ts";

/** Question that asks for a continuation, for APIs that do not continue an answer at the end of a prompt. */
const CONTINUE = "Continue exactly where your last message stopped. Do not repeat anything and do not comment on it.";

/** Adds the question for a continuation to messages that end with an answer. */
export function withContinueRequest(messages: readonly PromptMessage[]): PromptMessage[] {
  if (messages.at(-1)?.role !== "assistant") return [...messages];
  return [...messages, { role: "user", content: CONTINUE }];
}

/**
 * Normalises messages for strict servers: removes empty ones, and joins neighbours of one role by a blank line, so that
 * questions and answers alternate.
 */
export function alternating(messages: readonly PromptMessage[]): PromptMessage[] {
  const merged: MergedMessage[] = [];
  for (const { role, content, files } of messages) {
    const words = content.trim() === "" ? "" : content;
    if (words === "" && !files) continue;
    let last = merged.at(-1);
    if (last?.role !== role) {
      last = { role, words: [], files: undefined };
      merged.push(last);
    }
    if (words !== "") last.words.push(words);
    if (files) last.files = last.files ? pushAll(last.files, files) : [...files];
  }
  return merged.map(({ role, words, files }) => ({ role, content: words.join("\n\n"), ...(files && { files }) }));
}

type PromptFiles = NonNullable<PromptMessage["files"]>;

/** Messages of one role in a row. Their texts are joined once: a chat may have 50,000 of them. */
type MergedMessage = Pick<PromptMessage, "role"> & { words: string[]; files: PromptFiles[number][] | undefined };

function pushAll<T>(list: T[], added: readonly T[]): T[] {
  for (const one of added) list.push(one);
  return list;
}
