import type { PromptMessage, PromptPart } from "../model.ts";
import { toolResultsOf } from "../prompt-message.ts";
import { BYTES_PER_LIKELY_TOKEN, likelyTokens, messageTokens } from "../prompt-window.ts";
import { cutText } from "./file-text.ts";

/** Tokens of the sentence behind a result that was cut. */
const SENTENCE_TOKENS = 60;
/** Tokens of a file of which only the name is left, and of the sentences around it. */
const FILE_TOKENS = 300;

/**
 * Cuts the results of tools in the last turn until the turn has room for them, the oldest first; a sentence says so to the
 * model, which can ask for the rest. Everything else of the turn stays: its files are fitted afterwards.
 * @param room tokens for all messages
 */
export function fitResults(messages: readonly PromptMessage[], room: number): PromptMessage[] {
  const from = messages.findLastIndex(({ role }) => role === "user");
  const last = messages.slice(Math.max(0, from));
  const results = last.flatMap(toolResultsOf);
  const least = last.reduce((sum, { content }) => sum + tokensWithoutResults(content), 0);
  const needed = results.reduce((sum, { text }) => sum + likelyTokens(text), 0);
  if (results.length === 0 || least + needed <= room) return [...messages];
  let left = Math.max(0, room - least - results.length * SENTENCE_TOKENS);
  const fit = (part: PromptPart): PromptPart => {
    if (part.type !== "result") return part;
    const text = cutResult(part.result.text, left);
    left = Math.max(0, left - Math.min(likelyTokens(text), likelyTokens(part.result.text)));
    return { ...part, result: { ...part.result, text } };
  };
  const fitted = last.toReversed().map((message) => ({
    ...message,
    content: message.content.toReversed().map(fit).reverse(),
  }));
  return [...messages.slice(0, Math.max(0, from)), ...fitted.reverse()];
}

function tokensWithoutResults(content: readonly PromptPart[]): number {
  const files = content.filter(({ type }) => type === "file").length;
  const others = content.filter(({ type }) => type !== "file" && type !== "result");
  return messageTokens({ content: others }) + files * FILE_TOKENS;
}

function cutResult(text: string, tokens: number): string {
  if (likelyTokens(text) <= tokens) return text;
  const cut = tokens === 0 ? "" : cutText(text, tokens * BYTES_PER_LIKELY_TOKEN);
  return `${cut}\n[Only ${cut.length} of ${text.length} characters of this result fit here. Ask for less at once.]`;
}
