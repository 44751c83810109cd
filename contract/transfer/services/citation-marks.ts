import type { Piece } from "./foreign-chat.ts";
import { listOf, textOf } from "./unknown-values.ts";

/**
 * A mark that ChatGPT and LibreChat put into the text of an answer, where their pages show a link, a name or a picture.
 * `kind`: such as `cite` or `entity`; `brackets` for `【12†source】`. `fields`: what follows the kind. `start`, `end`:
 * UTF-16 units of the text.
 */
export type CitationMark = { text: string; kind: string; fields: readonly string[]; start: number; end: number };
export type CitedPage = { url: string; title: string };

/** What a mark stands for: words that take its place, and pages that the text before it rests on. */
export type MarkMeaning = { words: string; pages: readonly CitedPage[] };

/** Each alternative ends at a character that it may not contain, so that the search takes linear time. */
const MARKS = new RegExp(
  [
    "\uE200[^\uE200\uE201]*\uE201",
    "【\\d[^†【】\\n]*†[^【】\\n]*】",
    ":chatgpt-content-reference\\{[^{}\\n]*\\}",
    // A mark in which the answer was cut, and one that stands alone.
    "\uE200[a-z_]*(?:\uE202[^\\s\uE200-\uE206]*)+",
    "\uE202turn\\d+[a-z]+\\d+",
    "[\uE200-\uE206]",
  ].join("|"),
  "g",
);
/** An id such as `turn0search1,turn0news2`, `L2-L4` or `call_1`; no name of anything. */
const ID = /^[\w:,.-]*[\d_][\w:,.-]*$/;
const NO_WORD = /^(?:[\s.,;:!?)\]【]|(?:\uE200(?:file)?(?:cite)?)?\uE202turn|$)/;
const LONGEST_NO_WORD = 14;

/** Whether an address can be opened as a page. */
export const isPageAddress = (url: string): boolean => /^https?:\/\//i.test(url);

/** Returns the marks of a text, ascending. */
export function citationMarks(text: string): CitationMark[] {
  return Array.from(text.matchAll(MARKS), ({ 0: found, index: start }) => {
    const [kind = "", ...fields] = found.startsWith("【")
      ? ["brackets"]
      : found.replace(/[\uE200\uE201]/g, "").split("\uE202");
    return { text: found, kind, fields, start, end: start + found.length };
  });
}

/** Returns the visible name that a mark carries itself; empty if it has none. */
export function wordsOfMark({ kind, fields }: CitationMark): string {
  if (kind === "url") {
    const [label = "", url = ""] = fields;
    return isPageAddress(url) ? `[${label || url}](${url})` : label;
  }
  for (const field of fields) {
    const words = wordsOfField(field.trim(), kind.endsWith("entity"));
    if (words) return words;
  }
  return "";
}

function wordsOfField(field: string, isName: boolean): string {
  if (field.startsWith("{")) return "";
  if (!field.startsWith("[")) return isName || !ID.test(field) ? field : "";
  // The first is its kind or its id, the second its name.
  const [first, second] = listOf(parsed(field)).map(textOf);
  return second || first || "";
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Returns a text with the visible names of its marks in their stead. */
export function withoutMarks(text: string): string {
  const pieces = piecesOfAnswer(text, (mark) => ({ words: wordsOfMark(mark), pages: [] }));
  return pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("");
}

/** Divides an answer at its marks: they leave the text, and what they stand for takes their place. */
export function piecesOfAnswer(text: string, meaningOf: (mark: CitationMark) => MarkMeaning): Piece[] {
  const pieces: Piece[] = [];
  let words = "";
  let end = 0;
  let isContinuation = false;
  const endText = () => {
    if (words === "") return;
    pieces.push({ kind: "text", text: words, ...(isContinuation && { isContinuation }) });
    isContinuation ||= words.trim() !== "";
    words = "";
  };
  for (const mark of citationMarks(text)) {
    const meaning = meaningOf(mark);
    words += text.slice(end, mark.start);
    end = mark.end;
    const leavesGap = meaning.words === "" && NO_WORD.test(text.slice(end, end + LONGEST_NO_WORD));
    words = leavesGap && words.endsWith(" ") ? words.slice(0, -1) : words + meaning.words;
    if (meaning.pages.length > 0) endText();
    for (const { url, title } of meaning.pages) pieces.push({ kind: "source", url, title });
  }
  words += text.slice(end);
  endText();
  return pieces;
}
