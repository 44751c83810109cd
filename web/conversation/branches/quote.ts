import { markdownOf } from "../../markdown/copying/markdown-of.ts";
import { selectedWords } from "../../markdown/copying/selected-tree.ts";

/** Formats text of a message as a Markdown quote, line by line. */
export function asQuote(words: string): string {
  const lines = words.trim().split(/\r?\n/);
  return lines.map((line) => (line.trim() === "" ? ">" : `> ${line.trimEnd()}`)).join("\n");
}

/** Appends a quote to the draft, with an empty line for the comment on it. */
export function withQuote(draft: string, words: string): string {
  const before = draft.trimEnd();
  return `${before === "" ? "" : `${before}\n\n`}${asQuote(words)}\n\n`;
}

export type Quotable = { words: string; rect: DOMRect };

/** Returns the selection inside one message of the list; null if it is empty or spans messages. */
export function selectedIn(list: Element): Quotable | null {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const [selected] = selectedWords(range);
  const words = selected ? markdownOf(selected.tree) : selection.toString();
  const around = elementOf(range.commonAncestorContainer)?.closest("[data-words]");
  if (words.trim() === "" || !around || !list.contains(around)) return null;
  return { words, rect: range.getBoundingClientRect() };
}

const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement);
