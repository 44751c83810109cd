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
  const merged: PromptMessage[] = [];
  for (const { role, content, files } of messages) {
    const words = content.trim() === "" ? "" : content;
    if (words === "" && !files) continue;
    const last = merged.at(-1);
    if (last?.role === role) join(last, words, files);
    else merged.push({ role, content: words, ...(files && { files }) });
  }
  return merged;
}

function join(message: PromptMessage, words: string, files: PromptMessage["files"]): void {
  message.content = [message.content, words].filter((text) => text !== "").join("\n\n");
  if (files) message.files = [...(message.files ?? []), ...files];
}
