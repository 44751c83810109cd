import { pdfTokens, pictureTokens } from "./attachments/file-tokens.ts";
import type { Model, Prompt, PromptFile, PromptMessage } from "./model.ts";
import { filesOf, textOf } from "./prompt-message.ts";

/**
 * Number of tokens that no tokeniser exceeds: for money. A type of its own, because the likely number of tokens
 * (`prompt-window.ts`) is three times too small for some scripts.
 */
export type MostTokens = { readonly most: number };

/** Most tokens of the marks of a message, and of those around a prompt. */
const AROUND_MESSAGE = 8;
const AROUND_PROMPT = 32;
/** Most tokens that a provider generates before it notices that its connection was closed. */
const UNSEEN_TOKENS = 256;
/** The same for a model that reasons: providers charge reasoning that they do not send. */
const UNSEEN_REASONING_TOKENS = 8192;

/**
 * Returns the most tokens of a text. A byte-level BPE has at most one token for each byte of UTF-8, as has the byte
 * fallback of SentencePiece. Letters of rare scripts, digits between blanks and rare emoji come near it.
 */
export const mostTextTokens = (text: string): MostTokens => ({ most: Buffer.byteLength(text) });

export const noTokens: MostTokens = { most: 0 };

export function sumOfMost(counts: readonly MostTokens[]): MostTokens {
  return { most: counts.reduce((sum, { most }) => sum + most, 0) };
}

/** Returns the most tokens of a file that a model receives as it is. */
function mostFileTokens({ kind, width, height, pages = 0, textBytes }: PromptFile): MostTokens {
  if (kind === "picture") return { most: pictureTokens(width, height) };
  return { most: kind === "pdf" ? pdfTokens(pages, textBytes) : textBytes };
}

/** Returns the most tokens of a message as it is passed to a model. */
export function mostMessageTokens(message: Pick<PromptMessage, "content">): MostTokens {
  return sumOfMost([
    mostTextTokens(textOf(message)),
    { most: AROUND_MESSAGE },
    ...filesOf(message).map(mostFileTokens),
  ]);
}

/** Returns the most tokens of a prompt as it is passed to a model. */
export function mostPromptTokens({ system, messages }: Pick<Prompt, "system" | "messages">): MostTokens {
  return sumOfMost([
    { most: AROUND_PROMPT },
    { most: AROUND_MESSAGE + Buffer.byteLength(system) },
    ...messages.map(mostMessageTokens),
  ]);
}

/**
 * Returns the most output tokens of a call that was broken off, by Stop, a failure or a kill.
 * @param bytes of text and reasoning that have arrived, in UTF-8
 * @param limit of the answer's tokens
 */
export function mostBrokenOutput(
  { efforts }: { efforts?: Model["efforts"] },
  bytes: number,
  limit: number,
): MostTokens {
  const unseen = efforts === undefined ? UNSEEN_TOKENS : UNSEEN_REASONING_TOKENS;
  return { most: Math.min(limit, bytes + unseen) };
}
