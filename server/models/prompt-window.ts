import type { Prompt, PromptMessage } from "./model.ts";
import { ModelError } from "./model-error.ts";

const BYTES_PER_TOKEN = 3;
/** Role and separators around each message. */
const TOKENS_PER_MESSAGE = 4;

/**
 * About how many tokens a text has, rather too many than too few: one for every three bytes of UTF-8. English has four
 * to five bytes a token and code three to four; Cyrillic and Greek letters are two bytes and about half a token;
 * Chinese, Japanese and Korean characters are three bytes and about one token; an emoji is four and up to two.
 */
export function approximateTokens(text: string): number {
  return tokensOfBytes(Buffer.byteLength(text));
}

/** {@link approximateTokens} of a text of so many bytes of UTF-8. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** {@link approximateTokens} of all that a prompt says. */
export function promptTokens({ system, messages }: Prompt): number {
  return messages.reduce((sum, { content }) => sum + messageTokens(content), messageTokens(system));
}

/** The bytes of messages that a window holds at most: whoever has read more need not read on. */
export function windowBytes(windows: readonly { contextTokens: number }[]): number {
  return Math.max(0, ...windows.map(({ contextTokens }) => contextTokens)) * BYTES_PER_TOKEN;
}

/**
 * Cuts a prompt to a model's window from the oldest side, whole turns at a time: a turn is a question with all that
 * follows it until the next question. The last turn is always kept.
 * @param reserveTokens kept free for the reply, though never more than half of the window
 * @throws ModelError `assistant-too-long` where the last turn does not fit by itself
 */
export function fitPrompt(prompt: Prompt, contextTokens: number, reserveTokens: number): Prompt {
  const reserve = Math.min(reserveTokens, contextTokens / 2);
  let left = contextTokens - reserve - messageTokens(prompt.system);
  const fitting: PromptMessage[][] = [];
  for (const turn of turnsOf(prompt.messages).reverse()) {
    left -= turn.reduce((sum, { content }) => sum + messageTokens(content), 0);
    if (left < 0) break;
    fitting.unshift(turn);
  }
  if (fitting.length === 0 && prompt.messages.length > 0) throw new ModelError("assistant-too-long");
  return { ...prompt, messages: fitting.flat() };
}

function turnsOf(messages: readonly PromptMessage[]): PromptMessage[][] {
  const turns: PromptMessage[][] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (turn && message.role === "assistant") turn.push(message);
    else turns.push([message]);
  }
  return turns;
}

function messageTokens(content: string): number {
  return approximateTokens(content) + TOKENS_PER_MESSAGE;
}
