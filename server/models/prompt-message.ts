import type { Prompt, PromptFile, PromptMessage, PromptPart, PromptRole } from "./model.ts";
import type { ToolCall, ToolResult } from "./tool-calls/tool-call.ts";

/** Creates a message with a text after its files. An empty text has no part. */
export function promptMessage(role: PromptRole, text: string, files: readonly PromptFile[] = []): PromptMessage {
  const content: PromptPart[] = files.map((file) => ({ type: "file", file }));
  if (text !== "") content.push({ type: "text", text });
  return { role, content };
}

/** Returns the texts of a message, joined by blank lines. */
export function textOf({ content }: Pick<PromptMessage, "content">): string {
  const [only] = content;
  if (content.length === 1 && only?.type === "text") return only.text;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

/** Returns the files of a message in their order. */
export function filesOf({ content }: Pick<PromptMessage, "content">): PromptFile[] {
  return content.flatMap((part) => (part.type === "file" ? [part.file] : []));
}

/** Returns what a model reads of a part that is not a file. */
export function textOfPart(part: Exclude<PromptPart, { type: "file" }>): string {
  if (part.type === "text") return part.text;
  return part.type === "call" ? `${part.call.name}${part.call.arguments}` : part.result.text;
}

/** Returns the calls of a message in their order. */
export function toolCallsOf({ content }: Pick<PromptMessage, "content">): ToolCall[] {
  return content.flatMap((part) => (part.type === "call" ? [part.call] : []));
}

/** Returns the results of a message in their order. */
export function toolResultsOf({ content }: Pick<PromptMessage, "content">): ToolResult[] {
  return content.flatMap((part) => (part.type === "result" ? [part.result] : []));
}

/** Returns the number of the texts, files, calls and results of all messages, which is the work of a pass over them. */
export const partCount = ({ messages }: Pick<Prompt, "messages">): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0);

/** Whether a prompt offers tools. */
export const hasTools = ({ tools = [] }: Pick<Prompt, "tools">): boolean => tools.length > 0;

/** Joins paragraphs by blank lines, without empty ones. */
export function joinParagraphs(paragraphs: readonly string[]): string {
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}
