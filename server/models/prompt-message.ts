import type { Role } from "#contract/conversation/conversation.ts";
import type { PromptFile, PromptMessage, PromptPart } from "./model.ts";

/** Creates a message with a text after its files. An empty text has no part. */
export function promptMessage(role: Role, text: string, files: readonly PromptFile[] = []): PromptMessage {
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

/** Joins paragraphs by blank lines, without empty ones. */
export function joinParagraphs(paragraphs: readonly string[]): string {
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}
