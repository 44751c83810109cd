/** A mark of a citation: `[1]`, or `[1, 2]` for several sources. */
export const CITATION_MARK = /\[\d{1,3}(?:\s*,\s*\d{1,3}){0,9}\]/g;

/** Longest mark in UTF-16 units, with the character that follows. */
export const CITATION_MARK_MAX = 60;

const AT_END = new RegExp(`${CITATION_MARK.source}$`);

/** Returns the mark that ends at a position of a text (UTF-16 units); undefined if there is none. */
export const citationMarkBefore = (text: string, at: number): string | undefined =>
  at > text.length ? undefined : AT_END.exec(text.slice(Math.max(0, at - CITATION_MARK_MAX), at))?.[0];
