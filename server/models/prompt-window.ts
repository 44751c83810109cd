import type { Prompt, PromptMessage } from "./model.ts";
import { ModelError } from "./model-error.ts";

const BYTES_PER_TOKEN = 3;
/** Overhead of each message: its role and separators. */
const TOKENS_PER_MESSAGE = 4;

/**
 * Estimates the tokens of a text, rather too many than too few: one per three bytes of UTF-8. English has four to five
 * bytes a token, and code three to four. Cyrillic and Greek letters are two bytes and about half a token. Chinese,
 * Japanese and Korean characters are three bytes and about one token. An emoji is four bytes and up to two tokens.
 */
export function approximateTokens(text: string): number {
  return tokensOfBytes(Buffer.byteLength(text));
}

/** Estimates the tokens of a text by its length in bytes of UTF-8, like {@link approximateTokens}. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Estimates the tokens of a whole prompt, like {@link approximateTokens}. */
export function promptTokens({ system, messages }: Prompt): number {
  return messages.reduce((sum, { content }) => sum + messageTokens(content), messageTokens(system));
}

/** Returns the bytes of messages that fit into the largest window at most. Older messages need not be read. */
export function windowBytes(windows: readonly { contextTokens: number }[]): number {
  return Math.max(0, ...windows.map(({ contextTokens }) => contextTokens)) * BYTES_PER_TOKEN;
}

/**
 * Removes the oldest turns of a prompt until it fits a model's window. A turn is a question with all messages up to the
 * next question, and is never split. The last turn is never removed.
 * @param reserveTokens reserved for the reply, but never more than half of the window
 * @throws ModelError `assistant-too-long` if the last turn alone does not fit
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
