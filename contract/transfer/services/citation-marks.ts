import { CodePositions } from "./code-blocks.ts";
import type { Piece } from "./foreign-chat.ts";
import { listOf, textOf } from "./unknown-values.ts";

/**
 * A mark that ChatGPT and LibreChat put into the text of an answer, where their pages show a link, a name or a picture.
 * `kind`: such as `cite` or `entity`; `brackets` for `【12†source】`; `link` for a link to a file of the service's own
 * machine, with its label and its address; `line` for a line that begins or ends a block, with the words in its stead.
 * `fields`: what follows the kind. `start`, `end`: UTF-16 units of the text.
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
    "(?:&#8203;|\u200B)?(?:``)?【oaicite:[^【】\\n]*】(?:``)?(?:&#8203;|\u200B)?",
    ":(?:chatgpt-content-reference|contentReference\\[[^\\[\\]\\n]*\\])\\{[^{}\\n]*\\}",
    // Bounded, because a label may have brackets and an address parentheses.
    "!?\\[(?:[^\\][\\n]|\\[[^\\][\\n]{0,200}\\]){0,500}\\]\\(sandbox:[^()\\n]{0,500}(?:\\([^()\\n]{0,200}\\)[^()\\n]{0,500}){0,5}\\)",
    // Blocks such as a drafted mail, or an artifact of LibreChat. A mark alone in its line ends one.
    "^:::(?:(?:writing|artifact)(?:\\{[^\\n]*\\})?)?[^\\S\\n]*(?:\\n|$)",
    // A mark in which the answer was cut, and one that stands alone.
    "\uE200[a-z_]*(?:\uE202[^\\s\uE200-\uE206]*)+",
    "\uE202turn\\d+[a-z]+\\d+",
    "[\uE200-\uE2FF]",
  ].join("|"),
  "gm",
);
/** What an answer may say about marks stands in code. ChatGPT writes private-use marks, and oaicite, in no other sense. */
const MAY_BE_CODE = /^(?:[:![]|【\d)/;
const LINK = /^!?\[(.*)\]\(sandbox:(.*)\)$/s;
const BLOCK_TITLE = /\b(?:subject|title)="([^"]*)"/;
/** An id such as `turn0search1,turn0news2`, `L2-L4` or `call_1`; no name of anything. */
const ID = /^[\w:,.-]*[\d_][\w:,.-]*$/;
const NO_WORD = /^(?:[\s.,;:!?)\]【]|(?:\uE200(?:file)?(?:cite)?)?\uE202turn|$)/;
const LONGEST_NO_WORD = 14;

/** Whether an address can be opened as a page. */
export const isPageAddress = (url: string): boolean => /^https?:\/\//i.test(url);

/** Returns the marks of a text that are not in code, ascending. */
export function citationMarks(text: string): CitationMark[] {
  const code = new CodePositions(text);
  let openBlocks = 0;
  return Array.from(text.matchAll(MARKS)).flatMap(({ 0: found, index: start }) => {
    if (MAY_BE_CODE.test(found) && code.isCode(start)) return [];
    const end = start + found.length;
    if (!found.startsWith(":::")) return [{ text: found, ...fieldsOf(found), start, end }];
    const isEnd = /^:::\s*$/.test(found);
    if (isEnd && openBlocks === 0) return [];
    openBlocks += isEnd ? -1 : 1;
    const title = BLOCK_TITLE.exec(found)?.[1];
    // The block is a paragraph of its own.
    const gap = start === 0 || end === text.length ? "" : "\n";
    return [{ text: found, kind: "line", fields: [title ? `${gap}**${title}**\n\n` : gap], start, end }];
  });
}

function fieldsOf(found: string): Pick<CitationMark, "kind" | "fields"> {
  if (found.includes("【")) return { kind: "brackets", fields: [] };
  const link = LINK.exec(found);
  if (link) return { kind: "link", fields: link.slice(1) };
  const [kind = "", ...fields] = found.replace(/[\uE200\uE201]/g, "").split("\uE202");
  return { kind, fields };
}

/** Returns the names of the files to which answers link on the service's own machine, each once. */
export function linkedFiles(texts: readonly string[]): string[] {
  const linking = texts.filter((text) => text.includes("(sandbox:"));
  const links = linking.flatMap(citationMarks).filter(({ kind }) => kind === "link");
  const names = links.map(({ fields: [, address = ""] }) =>
    unescaped(address.slice(address.lastIndexOf("/") + 1)).trim(),
  );
  return [...new Set(names)].filter((name) => name !== "");
}

function unescaped(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Returns the visible name that a mark carries itself; empty if it has none. */
export function wordsOfMark({ kind, fields }: CitationMark): string {
  if (kind === "url") {
    const [label = "", url = ""] = fields;
    return isPageAddress(url) ? `[${label || url}](${url})` : label;
  }
  if (kind === "link" || kind === "line") return fields[0] ?? "";
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
    const leavesGap =
      mark.kind !== "line" && meaning.words === "" && NO_WORD.test(text.slice(end, end + LONGEST_NO_WORD));
    words = leavesGap && words.endsWith(" ") ? words.slice(0, -1) : words + meaning.words;
    if (meaning.pages.length > 0) endText();
    for (const { url, title } of meaning.pages) pieces.push({ kind: "source", url, title });
  }
  words += text.slice(end);
  endText();
  return pieces;
}
