import { answerElements } from "./elements.ts";

/** Elements that make an answer HTML. A disclosure contains Markdown. */
const OPENERS = new Set(answerElements.filter((name) => name !== "details" && name !== "summary"));
const OPENING = /^\s*<([a-z][a-z0-9]*)(?:\s(?:"[^"]*"|'[^']*'|[^"'<>])*|\/)?>/i;

/**
 * Returns whether an answer is HTML: its first characters open an element that the sanitiser allows. Elsewhere a tag is
 * HTML within Markdown. The result does not change while an answer grows, once the first tag is complete.
 */
export function isHtmlAnswer(text: string): boolean {
  const name = OPENING.exec(text)?.[1];
  return name !== undefined && OPENERS.has(name.toLowerCase());
}
