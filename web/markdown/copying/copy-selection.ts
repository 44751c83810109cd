/** Copies selected words of messages with their format. Loaded behind the chat, and with the first formula. */

import type { Root } from "hast";
import { markdownOf } from "./markdown-of.ts";
import { selectedWords } from "./selected-tree.ts";
import { styledHtml } from "./styled-html.ts";

/** The forms of copied words. `text`: Markdown. */
export type Copied = { text: string; html: string };

document.addEventListener("copy", onCopy);

/** Gives a selection of words in messages the same form. */
function onCopy(event: ClipboardEvent): void {
  const selection = getSelection();
  const isInField = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
  if (event.defaultPrevented || isInField || !selection || selection.isCollapsed) return;
  const parts = selectedWords(selection.getRangeAt(0));
  if (parts.length === 0) return;
  const isOne = parts.length === 1;
  const text = parts.map(({ author, tree }) => withAuthor(isOne ? null : author, markdownOf(tree))).join("\n\n");
  const html = parts.map(({ author, tree }) => titled(isOne ? null : author) + styledHtml(tree)).join("");
  setCopied(event, { text, html });
}

export function setCopied(event: ClipboardEvent, { text, html }: Copied): void {
  if (!event.clipboardData) return;
  event.clipboardData.setData("text/plain", text);
  event.clipboardData.setData("text/html", html);
  event.preventDefault();
}

/** Returns Markdown with the name of its author, if there is one. */
export const withAuthor = (author: string | null, words: string) =>
  author === null ? words : `**${author}:**\n\n${words}`;

/** Returns the name of an author as HTML. */
export function titled(author: string | null): string {
  if (author === null) return "";
  const name: Root["children"][number] = { type: "text", value: `${author}:` };
  const bold = { type: "element" as const, tagName: "b", properties: {}, children: [name] };
  return styledHtml({ type: "root", children: [{ type: "element", tagName: "p", properties: {}, children: [bold] }] });
}
