/** Marks of a document that are no text of its own: targets of links, comments, descriptions of pictures. */

/** In UTF-16 units: addresses beyond this hold data. */
const MAX_TARGET = 2000;

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/**
 * Returns the target of a link, to be added behind its text: ` (https://…)`, "" for places in the document.
 * @param shown text of the link, which may be its address
 */
export function targetMark(target: string | undefined, shown: string): string {
  const address = oneLine(target ?? "");
  if (address === "" || address.startsWith("#") || address.length > MAX_TARGET) return "";
  const isShown = shown.trim() !== "" && [address, address.replace(/^mailto:/i, "")].includes(shown.trim());
  return isShown ? "" : ` (${address})`;
}

/** Returns a comment in one line. */
export function commentLine(author: string, words: string): string {
  return author === "" ? oneLine(words) : `${oneLine(author)}: ${oneLine(words)}`;
}

/** Returns a comment, to be added behind the text that it is about. "" if it has no words. */
export function commentMark(author: string, words: string): string {
  return oneLine(words) === "" ? "" : ` [Comment: ${commentLine(author, words)}]`;
}

/** Returns the description of a picture or drawing for those who do not see it, "" if it has none. */
export function pictureMark(description: string | undefined): string {
  const words = oneLine(description ?? "");
  return words === "" ? "" : `[Picture: ${words}]`;
}

/** Returns the mark of a heading by its level, from 1 on, as in Markdown. */
export const headingMark = (level: number): string => `${"#".repeat(Math.min(level, 6))} `;

/** A number of a page, also with that of all pages. */
const PAGE_NUMBER = /^[-–\s]*\d{0,3}(?:\s*\/\s*\d{1,3})?[-–\s]*$/;

/**
 * Returns headers or footers of pages in lines of their own, each once. Page numbers alone are no text of a document.
 * @param margins text of each
 */
export function marginLines(kind: "Header" | "Footer", margins: readonly string[]): string {
  const shown = [...new Set(margins)].filter((margin) => !PAGE_NUMBER.test(margin));
  return shown.map((margin) => `[${kind}]\n${margin}\n`).join("");
}
