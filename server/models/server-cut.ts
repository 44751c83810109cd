import type { Model, ModelEnd, Prompt } from "./model.ts";
import { textOf } from "./prompt-message.ts";

/** Most characters that a token of running text stands for on average: English prose has 4 to 5, Chinese 1.5. */
const MOST_CHARS_PER_TOKEN = 6;
const MOST_IDEOGRAPHS_PER_TOKEN = 3;
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Shorter prompts fit in every window. */
const SHORTEST_TOKENS = 1024;

/** Tokens that were sent, at least, and those that the server has read. */
export type ServerCut = { sent: number; received: number };

/**
 * Returns how much of a prompt a server has read if that is less than the prompt can have had. Ollama and others cut a
 * prompt that is longer than the window they run with from its beginning, without an error; only the token count of the
 * answer shows it. OpenAI and Anthropic never cut.
 */
export function findServerCut(model: Pick<Model, "provider">, prompt: Prompt, end: ModelEnd): ServerCut | undefined {
  const received = end.usage?.inputTokens;
  if (model.provider !== "local" || received === undefined) return undefined;
  const texts = [prompt.system, ...prompt.messages.map(textOf)];
  const chars = texts.reduce((sum, { length }) => sum + length, 0);
  // Most prompts end here, without a scan of their texts.
  if (chars / MOST_IDEOGRAPHS_PER_TOKEN <= Math.max(received, SHORTEST_TOKENS)) return undefined;
  if (leastTokens(texts) <= Math.max(received, SHORTEST_TOKENS)) return undefined;
  // One token may stand for a long run of blanks or of one sign.
  const sent = leastTokens(texts.map((text) => text.replaceAll(/(\s|[^\p{L}\p{N}])\1+/gu, "$1")));
  return sent > Math.max(received, SHORTEST_TOKENS) ? { sent, received } : undefined;
}

function leastTokens(texts: readonly string[]): number {
  const counts = texts.map((text) => {
    const others = text.replaceAll(IDEOGRAPHS, "").length;
    return others / MOST_CHARS_PER_TOKEN + (text.length - others) / MOST_IDEOGRAPHS_PER_TOKEN;
  });
  return Math.floor(counts.reduce((sum, count) => sum + count, 0));
}
