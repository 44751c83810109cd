/** Copies answers with their format: HTML with inline styles beside Markdown. Loaded behind the chat. */

import { citedSources, sourcesMarkdown } from "#contract/conversation/citations/cited-sources.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import replies from "../../locales/en/replies.json";
import { i18n, registerTexts } from "../../locales/i18n.ts";
import { log } from "../../log.ts";
import { answerTree, questionTree } from "./answer-tree.ts";
import { type Copied, setCopied, titled, withAuthor } from "./copy-selection.ts";
import { styledHtml } from "./styled-html.ts";

registerTexts("replies", replies);

/** A message to copy. `author`: its heading; null for a single answer. `parts`: its sources follow the text. */
export type CopiedMessage = {
  author: string | null;
  text: string;
  parts?: readonly MessagePart[] | undefined;
  isQuestion?: boolean;
};

/** Writes messages to the clipboard. @returns whether it has them now */
export async function writeMessages(messages: readonly CopiedMessage[]): Promise<boolean> {
  const text = messages
    .map((message) => withAuthor(message.author, [message.text, ...sourcesOf(message)].join("\n\n")))
    .join("\n\n");
  const html = messages.map((message) => titled(message.author) + htmlOf(message)).join("");
  try {
    return await write({ text, html });
  } catch (cause) {
    log.warn("The messages could not be copied", cause);
    return false;
  }
}

function htmlOf(message: CopiedMessage): string {
  const { text, isQuestion } = message;
  if (isQuestion) return styledHtml(questionTree(text));
  return [text, ...sourcesOf(message)].map((words) => styledHtml(answerTree(words))).join("");
}

/** Returns the list of a message's sources as Markdown, if it has any. */
function sourcesOf({ parts = [] }: CopiedMessage): string[] {
  const sources = citedSources(parts);
  if (sources.length === 0) return [];
  return [
    sourcesMarkdown(sources, {
      heading: i18n.t("replies:sources.heading"),
      missing: i18n.t("replies:sources.missing"),
    }),
  ];
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

function writeByEvent(copied: Copied): boolean {
  // It is deprecated, so a browser may lack it.
  if (typeof document.execCommand !== "function") return false;
  let isWritten = false;
  const onEvent = (event: ClipboardEvent) => {
    event.stopImmediatePropagation();
    setCopied(event, copied);
    isWritten = true;
  };
  window.addEventListener("copy", onEvent, { capture: true });
  document.execCommand("copy");
  if (!isWritten) withSelection(copied.text, () => document.execCommand("copy"));
  window.removeEventListener("copy", onEvent, { capture: true });
  return isWritten;
}

/** Runs `work` with a selected text: browsers copy nothing without a selection. Restores focus and selection. */
function withSelection(text: string, work: () => void): void {
  const selection = getSelection();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  const focused = document.activeElement;
  const box = document.createElement("textarea");
  box.value = text;
  box.className = "sr-only";
  document.body.append(box);
  box.select();
  work();
  box.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!range) return;
  selection?.removeAllRanges();
  selection?.addRange(range);
}
