/** Words of a message as the beginning of an answer to them: each line as a quote in Markdown. */
export function asQuote(words: string): string {
  const lines = words.trim().split(/\r?\n/);
  return lines.map((line) => (line.trim() === "" ? ">" : `> ${line.trimEnd()}`)).join("\n");
}

/** What is in the box with a quote behind it, and room for what is to be said of it. */
export function withQuote(draft: string, words: string): string {
  const before = draft.trimEnd();
  return `${before === "" ? "" : `${before}\n\n`}${asQuote(words)}\n\n`;
}

export type Quotable = { words: string; rect: DOMRect };

/** What is selected inside one message of the list; null where nothing is, or more than one message. */
export function selectedIn(list: Element): Quotable | null {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const words = selection.toString();
  const range = selection.getRangeAt(0);
  const around = elementOf(range.commonAncestorContainer)?.closest("[data-words]");
  if (words.trim() === "" || !around || !list.contains(around)) return null;
  return { words, rect: range.getBoundingClientRect() };
}

const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement);
