import { setImmediate } from "node:timers/promises";
import { ELEMENTS_AT_ONCE, pauseIfLong } from "../../concurrency/pause-if-long.ts";
import type { Model, Prompt, PromptMessage, PromptPart } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { type MostTokens, mostPromptTokens, sumOfMost } from "../most-tokens.ts";
import { filesOf, joinParagraphs, partCount, promptMessage, textOf } from "../prompt-message.ts";
import { fitPrompt, likelyPromptTokens, messageRoom, newestTurns, textMessageTokens } from "../prompt-window.ts";
import {
  type FileObstacle,
  mostPlannedTokens,
  type PlannedFile,
  type PlannedMessage,
  planFiles,
  plannedTokens,
} from "./file-plan.ts";
import { absenceSentence, cutText, fencedText, type NamedFile } from "./file-text.ts";
import { fitResults } from "./fit-results.ts";
import { type FittedTurns, fitTurns } from "./fit-turns.ts";

/**
 * A file that a model does not receive whole: `none` of it; the readable `text` of a PDF only; or only a `part` of its
 * text. `obstacle`: why it was not sent as it is, if the model receives such files in general.
 */
export type PartialFile = Pick<NamedFile, "id" | "name"> & {
  received: "none" | "text" | "part";
  obstacle?: FileObstacle;
};

/** `partial`: files that the model does not receive whole, in the order of their messages. */
export type ModelPrompt = { prompt: Prompt; partial: PartialFile[] };

/** Facts of a model that decide on its prompts. */
export type PromptModel = Pick<Model, "contextTokens" | "maxOutputTokens"> &
  Partial<Pick<Model, "provider" | "accepts" | "efforts">>;

/**
 * Files that a model does not receive: `refused`, ids of those that its provider has refused; `unread`, those of
 * messages that are older than the prompt, oldest first.
 */
export type WithheldFiles = { refused?: ReadonlySet<string>; unread?: readonly NamedFile[] };

/** How a model receives each file, by the file's id. The last message with a file counts: the newest are sent first. */
type Receipts = Map<string, PartialFile | "whole">;

/**
 * Converts a prompt to what one model receives: the newest messages that fit its window (`fitTurns`). Files that it does
 * not receive as they are become text of their message: their readable text, or a sentence that names them.
 * @throws ModelError `assistant-too-long` if the last turn does not fit even without its files
 */
export async function promptForModel(
  prompt: Prompt,
  model: PromptModel,
  withheld: WithheldFiles = {},
): Promise<ModelPrompt> {
  const fitted = fittedPrompt(prompt, model, withheld);
  if ("prompt" in fitted) return { prompt: fitted.prompt, partial: [] };
  const { missing, sentence } = fitted;
  const receipts: Receipts = new Map(missing.map(({ id, name }) => [id, { id, name, received: "none" }]));
  const messages: PromptMessage[] = [];
  await pauseIfLong(partCount(prompt));
  let passed = 0;
  for (const message of fitted.messages) {
    messages.push(await written(message, receipts));
    passed += message.content.length;
    if (passed < ELEMENTS_AT_ONCE) continue;
    await setImmediate();
    passed = 0;
  }
  const first = messages.findIndex(({ role }) => role === "user");
  const question = messages[first];
  if (question) messages[first] = withParagraphs(question, [sentence]);
  return { prompt: { ...prompt, messages }, partial: [...receipts.values()].filter((receipt) => receipt !== "whole") };
}

/** Tokens of a prompt: a likely number for what is shown, and the most for money. */
export type PromptTokens = MostTokens & { readonly likely: number };

/**
 * Returns the tokens of what a model receives of a prompt, without reading its files.
 * @throws ModelError `assistant-too-long`
 */
export function tokensForModel(prompt: Prompt, model: PromptModel): PromptTokens {
  const fitted = fittedPrompt(prompt, model, {});
  if ("prompt" in fitted) return tokensOfPrompt(fitted.prompt);
  const { likely, most } = tokensOfPrompt({ ...prompt, messages: [] });
  return {
    likely: fitted.messages.reduce((sum, message) => sum + plannedTokens(message), likely),
    ...sumOfMost([{ most }, ...fitted.messages.map(mostPlannedTokens)]),
  };
}

/** Returns the tokens of a prompt as it is passed to a model. */
export const tokensOfPrompt = (prompt: Prompt): PromptTokens => ({
  likely: likelyPromptTokens(prompt),
  ...mostPromptTokens(prompt),
});

/** Fits a prompt to a model's window. @returns the prompt if it has no files that the model receives in any form */
function fittedPrompt(
  asked: Prompt,
  model: PromptModel,
  { refused = new Set(), unread = [] }: WithheldFiles,
): FittedTurns | { prompt: Prompt } {
  const { contextTokens, maxOutputTokens, provider } = model;
  const room = messageRoom(asked, contextTokens, maxOutputTokens);
  const prompt = { ...asked, messages: fitResults(asked.messages, room) };
  const hasFiles =
    unread.length > 0 || prompt.messages.some(({ content }) => content.some(({ type }) => type === "file"));
  if (!hasFiles) return { prompt: fitPrompt(prompt, contextTokens, maxOutputTokens) };
  if (provider !== "demo") return fitTurns(planFiles(prompt.messages, model, refused), room, unread);
  // The demo assistant reads no prompt, and names the files itself.
  const messages = newestTurns(prompt.messages, room, (message) => textMessageTokens(textOf(message)));
  if (messages.length === 0) throw new ModelError("assistant-too-long");
  return { prompt: { ...prompt, messages } };
}

/** Writes the files of a message in their forms: what is not sent as it is becomes a paragraph before the text. */
async function written({ content, ...message }: PlannedMessage, receipts: Receipts): Promise<PromptMessage> {
  const paragraphs: string[] = [];
  const parts: PromptPart[] = [];
  for (const part of content) {
    if (part.type !== "file") {
      parts.push(part);
      continue;
    }
    const { type, file, form, obstacle } = part;
    const { id, name } = file;
    const { text, received } = form === "native" ? asItIs : await receivedText(part);
    if (form === "native") parts.push({ type, file });
    else paragraphs.push(received === "none" ? absenceSentence(file) : fencedText(file, text, received !== "part"));
    receipts.set(id, received === "whole" ? received : { id, name, received, ...(obstacle && { obstacle }) });
  }
  return withParagraphs({ ...message, content: parts }, paragraphs);
}

/** Adds paragraphs before the text of a message. */
function withParagraphs(message: PromptMessage, paragraphs: readonly string[]): PromptMessage {
  if (paragraphs.length === 0) return message;
  const isOther = ({ type }: PromptPart) => type !== "text" && type !== "file";
  const { content } = promptMessage(message.role, joinParagraphs([...paragraphs, textOf(message)]), filesOf(message));
  return { ...message, content: [...content, ...message.content.filter(isOther)] };
}

type Received = { text: string; received: PartialFile["received"] | "whole" };
const asItIs: Received = { text: "", received: "whole" };

async function receivedText({ file, form, maxBytes }: PlannedFile): Promise<Received> {
  if (form !== "text" || maxBytes === 0) return { text: "", received: "none" };
  const text = cutText(await file.readText(), maxBytes);
  // Reading from SQLite does not yield to the event loop, and a prompt may have many texts.
  await setImmediate();
  if (text === "") return { text, received: "none" };
  if (maxBytes < file.textBytes || file.remark !== undefined) return { text, received: "part" };
  // The text of other files is all that any model receives of them.
  return { text, received: file.kind === "pdf" ? "text" : "whole" };
}
