import { pdfTokens, pictureTokens } from "./attachments/file-tokens.ts";
import type { Model, Prompt, PromptFile, PromptMessage, PromptPart } from "./model.ts";
import { filesOf, textOf, textOfPart } from "./prompt-message.ts";
import type { OfferedTool } from "./tool-calls/tool-call.ts";

/**
 * Number of tokens that no tokeniser exceeds: for money. A type of its own, because the likely number of tokens
 * (`prompt-window.ts`) is three times too small for some scripts.
 */
export type MostTokens = { readonly most: number };

/** Most tokens of the marks of a message, and of those around a prompt. */
const AROUND_MESSAGE = 8;
const AROUND_PROMPT = 32;
/** Most tokens of the instructions that providers add for tools: Anthropic documents up to 700. */
const AROUND_TOOLS = 1024;
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
export function mostMessageTokens(message: Pick<PromptMessage, "content" | "turn">): MostTokens {
  return sumOfMost([
    mostTextTokens(textOf(message)),
    { most: AROUND_MESSAGE },
    ...filesOf(message).map(mostFileTokens),
    ...message.content.map(mostCallTokens),
    { most: message.turn ? Buffer.byteLength(JSON.stringify(message.turn.body)) : 0 },
  ]);
}

/** Counts the marks of a call or a result like those of a message. */
function mostCallTokens(part: PromptPart): MostTokens {
  if (part.type !== "call" && part.type !== "result") return noTokens;
  return { most: AROUND_MESSAGE + Buffer.byteLength(textOfPart(part)) };
}

/** Returns the most tokens of offered tools. Models read them as JSON, or in forms that are not longer than twice it. */
function mostToolTokens(tools: readonly OfferedTool[]): MostTokens {
  if (tools.length === 0) return noTokens;
  return { most: AROUND_TOOLS + 2 * Buffer.byteLength(JSON.stringify(tools)) };
}

/** Returns the most tokens of a prompt as it is passed to a model. */
export function mostPromptTokens({
  system,
  messages,
  tools = [],
}: Pick<Prompt, "system" | "messages" | "tools">): MostTokens {
  return sumOfMost([
    mostToolTokens(tools),
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
