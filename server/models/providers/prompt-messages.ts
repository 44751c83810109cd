import type { PromptMessage, PromptPart } from "../model.ts";
import { promptMessage } from "../prompt-message.ts";

/** Question that asks for a continuation, for APIs that do not continue an answer at the end of a prompt. */
const CONTINUE = "Continue exactly where your last message stopped. Do not repeat anything and do not comment on it.";

/** Adds the question for a continuation to messages that end with an answer. */
export function withContinueRequest(messages: readonly PromptMessage[]): PromptMessage[] {
  if (messages.at(-1)?.role !== "assistant") return [...messages];
  return [...messages, promptMessage("user", CONTINUE)];
}

/**
 * Normalises messages for strict servers: removes empty ones, and joins neighbours of one role, so that questions and
 * answers alternate. Their files and results precede their texts, which are joined by blank lines; their calls follow.
 */
export function alternating(messages: readonly PromptMessage[]): PromptMessage[] {
  const merged: MergedMessage[] = [];
  for (const { role, content, turn } of messages) {
    const parts = content.filter((part) => part.type !== "text" || part.text.trim() !== "");
    if (parts.length === 0) continue;
    let last = merged.at(-1);
    if (last?.role !== role || turn) {
      last = { role, texts: [], others: [], calls: [], ...(turn && { turn }) };
      merged.push(last);
    }
    for (const part of parts) {
      if (part.type === "text") last.texts.push(part.text);
      else if (part.type === "call") last.calls.push(part);
      else last.others.push(part);
    }
  }
  return merged.map(({ texts, others, calls, ...message }) => {
    const text: PromptPart[] = texts.length > 0 ? [{ type: "text", text: texts.join("\n\n") }] : [];
    return { ...message, content: [...others, ...text, ...calls] };
  });
}

/** Messages of one role in a row. Their texts are joined once: a chat may have 50,000 of them. */
type MergedMessage = Pick<PromptMessage, "role" | "turn"> & {
  texts: string[];
  others: PromptPart[];
  calls: PromptPart[];
};
