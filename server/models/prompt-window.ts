import { pdfTokens, pictureTokens } from "./attachments/file-tokens.ts";
import type { Prompt, PromptFile, PromptMessage, PromptPart, PromptRole } from "./model.ts";
import { ModelError } from "./model-error.ts";
import { textOfPart } from "./prompt-message.ts";
import type { OfferedTool } from "./tool-calls/tool-call.ts";

export const BYTES_PER_LIKELY_TOKEN = 3;
/** Overhead of each message: its role and separators. */
const TOKENS_PER_MESSAGE = 4;

/**
 * Estimates the tokens of a text for windows: one per three bytes of UTF-8. Money is counted by {@link MostTokens}. English has four to five
 * bytes a token, and code three to four. Cyrillic and Greek letters are two bytes and about half a token. Chinese,
 * Japanese and Korean characters are three bytes and about one token. Rare scripts and emoji have up to a token a byte.
 */
export function likelyTokens(text: string): number {
  return likelyTokensOfBytes(Buffer.byteLength(text));
}

/** Estimates the tokens of a text by its length in bytes of UTF-8, like {@link likelyTokens}. */
export function likelyTokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_LIKELY_TOKEN);
}

/** Estimates the tokens of a file that a model receives as it is, like {@link likelyTokens}. */
export function fileTokens({ kind, width, height, pages = 0, textBytes }: PromptFile): number {
  if (kind === "picture") return pictureTokens(width, height);
  return kind === "pdf" ? pdfTokens(pages, likelyTokensOfBytes(textBytes)) : likelyTokensOfBytes(textBytes);
}

/** Estimates the tokens of a message, like {@link likelyTokens}. */
export function messageTokens({ content }: Pick<PromptMessage, "content">): number {
  return content.reduce((sum, part) => sum + partTokens(part), TOKENS_PER_MESSAGE);
}

function partTokens(part: PromptPart): number {
  return part.type === "file" ? fileTokens(part.file) : likelyTokens(textOfPart(part));
}

/** Estimates the tokens of offered tools, like {@link likelyTokens}. */
export function toolTokens(tools: readonly OfferedTool[]): number {
  return tools.reduce((sum, tool) => sum + likelyTokens(JSON.stringify(tool)), 0);
}

/** Estimates the tokens of a text that is a message of its own, like {@link likelyTokens}. */
export const textMessageTokens = (text: string): number => likelyTokens(text) + TOKENS_PER_MESSAGE;

/** Estimates the tokens of a whole prompt, like {@link likelyTokens}. */
export function likelyPromptTokens({ system, messages, tools = [] }: Prompt): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), textMessageTokens(system) + toolTokens(tools));
}

/** Returns the bytes of messages that fit into the largest window at most. Older messages need not be read. */
export function windowBytes(windows: readonly { contextTokens: number }[]): number {
  return Math.max(0, ...windows.map(({ contextTokens }) => contextTokens)) * BYTES_PER_LIKELY_TOKEN;
}

/**
 * Removes the oldest turns of a prompt until it fits a model's window. A turn is a question with all messages up to the
 * next question, and is never split. The last turn is never removed.
 * @param reserveTokens reserved for the reply, but never more than half of the window
 * @throws ModelError `assistant-too-long` if the last turn alone does not fit
 */
export function fitPrompt(prompt: Prompt, contextTokens: number, reserveTokens: number): Prompt {
  const room = messageRoom(prompt, contextTokens, reserveTokens);
  const messages = newestTurns(prompt.messages, room, messageTokens);
  if (messages.length === 0 && prompt.messages.length > 0) throw new ModelError("assistant-too-long");
  return { ...prompt, messages };
}

/** Returns the tokens that a window has for the messages of a prompt; the parameters are those of {@link fitPrompt}. */
export function messageRoom(
  { system, tools = [] }: Pick<Prompt, "system" | "tools">,
  contextTokens: number,
  reserveTokens: number,
): number {
  const fixed = textMessageTokens(system) + toolTokens(tools);
  return contextTokens - Math.min(reserveTokens, contextTokens / 2) - fixed;
}

/** Returns the newest whole turns that fit `room` tokens together; none if the last one does not fit. */
export function newestTurns<Message extends { role: PromptRole }>(
  messages: readonly Message[],
  room: number,
  tokensOf: (message: Message) => number,
): Message[] {
  let left = room;
  const fitting: Message[][] = [];
  for (const turn of turnsOf(messages).reverse()) {
    left -= turn.reduce((sum, message) => sum + tokensOf(message), 0);
    if (left < 0) break;
    fitting.unshift(turn);
  }
  return fitting.flat();
}

/** Splits messages into turns, each of which begins with a question. */
export function turnsOf<Message extends { role: PromptRole }>(messages: readonly Message[]): Message[][] {
  const turns: Message[][] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (turn && message.role !== "user") turn.push(message);
    else turns.push([message]);
  }
  return turns;
}
