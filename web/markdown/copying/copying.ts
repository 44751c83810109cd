/** Copies answers with their format: HTML with inline styles beside Markdown. Loaded behind the chat. */

import type { Root } from "hast";
import { log } from "../../log.ts";
import { answerTree, questionTree } from "./answer-tree.ts";
import { markdownOf } from "./markdown-of.ts";
import { selectedWords } from "./selected-tree.ts";
import { styledHtml } from "./styled-html.ts";

type Copied = { text: string; html: string };

/** A message to copy. `author`: its heading; null for a single answer. */
export type CopiedMessage = { author: string | null; text: string; isQuestion?: boolean };

document.addEventListener("copy", onCopy);

/** Writes messages to the clipboard. @returns whether it has them now */
export async function writeMessages(messages: readonly CopiedMessage[]): Promise<boolean> {
  const text = messages.map(({ author, text: words }) => withAuthor(author, words)).join("\n\n");
  const treeOf = ({ text: words, isQuestion }: CopiedMessage) => (isQuestion ? questionTree(words) : answerTree(words));
  const html = messages.map((message) => titled(message.author) + styledHtml(treeOf(message))).join("");
  try {
    return await write({ text, html });
  } catch (cause) {
    log.warn("The messages could not be copied", cause);
    return false;
  }
}

const withAuthor = (author: string | null, words: string) => (author === null ? words : `**${author}:**\n\n${words}`);

function titled(author: string | null): string {
  if (author === null) return "";
  const name: Root["children"][number] = { type: "text", value: `${author}:` };
  const bold = { type: "element" as const, tagName: "b", properties: {}, children: [name] };
  return styledHtml({ type: "root", children: [{ type: "element", tagName: "p", properties: {}, children: [bold] }] });
}

/**
 * By the copy event, which works over plain http too. `navigator.clipboard` parses the HTML under the policy of the page,
 * which forbids its inline styles.
 */
async function write(copied: Copied): Promise<boolean> {
  if (writeByEvent(copied)) return true;
  if (!navigator.clipboard || typeof ClipboardItem !== "function") return false;
  const item = new ClipboardItem({
    "text/plain": new Blob([copied.text], { type: "text/plain" }),
    "text/html": new Blob([copied.html], { type: "text/html" }),
  });
  await navigator.clipboard.write([item]);
  return true;
}

/** The event needs a selection. */
function writeByEvent({ text, html }: Copied): boolean {
  const box = document.createElement("textarea");
  const focused = document.activeElement;
  box.value = text;
  box.className = "sr-only";
  document.body.append(box);
  box.select();
  const onEvent = (event: ClipboardEvent) => {
    event.stopImmediatePropagation();
    setData(event, { text, html });
  };
  window.addEventListener("copy", onEvent, { capture: true, once: true });
  const isDone = document.execCommand("copy");
  window.removeEventListener("copy", onEvent, { capture: true });
  box.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isDone;
}

function setData(event: ClipboardEvent, { text, html }: Copied): void {
  if (!event.clipboardData) return;
  event.clipboardData.setData("text/plain", text);
  event.clipboardData.setData("text/html", html);
  event.preventDefault();
}

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
  setData(event, { text, html });
}
