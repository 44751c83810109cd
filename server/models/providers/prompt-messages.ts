import type { PromptMessage } from "../model.ts";

/**
 * The messages as strict servers take them: none empty, questions and answers in turn (neighbours of one role are
 * joined by a blank line).
 */
export function alternating(messages: readonly PromptMessage[]): PromptMessage[] {
  const merged: PromptMessage[] = [];
  for (const { role, content } of messages) {
    if (content.trim() === "") continue;
    const last = merged.at(-1);
    if (last?.role === role) last.content += `\n\n${content}`;
    else merged.push({ role, content });
  }
  return merged;
}
