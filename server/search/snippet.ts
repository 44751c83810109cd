import { isHtmlAnswer } from "#contract/text/html/html-answer.ts";
import type { Run } from "../text/tokenise.ts";
import { markdownSyntax, type TextForm } from "./markdown-syntax.ts";
import { type Match, matchesIn } from "./matches.ts";
import { densestMatch } from "./pattern-search.ts";
import { type Mark, plainText } from "./plain-text.ts";
import type { TimeBudget } from "./time-budget.ts";

/** Source of a text, which decides about its syntax: a file has none. */
export type TextSource = "question" | "answer" | "file";

/** Plain text around the matches; `marks` are ranges in UTF-16 units. */
export type Snippet = { snippet: string; marks: Mark[] };

const LENGTH = 160;
/** Number of characters of a snippet before its first match. */
const BEFORE = 40;
/** Units around the match that are read to remove the syntax: more than are shown, because much of it may be syntax. */
const WINDOW_BEFORE = 400;
const WINDOW_AFTER = 800;
/** Number of matches that are compared to find the best position. */
const MAX_MATCHES = 300;
/** Length of the beginning of a file in which each word is compared if patterns find none; in UTF-16 units. */
export const COMPARED_CHARS = 50_000;
const WORD_BREAK = /\s/;

/**
 * Returns about 160 characters of a message or file, in whole words, around the densest matches, without the Markdown
 * syntax that the page renders. Syntax is kept if it contains the only match around, such as the address of a link.
 */
export async function snippetOf(
  text: string,
  { wanted, source, budget }: { wanted: readonly Run[]; source: TextSource; budget: TimeBudget },
): Promise<Snippet> {
  const best = await (source === "file" ? bestMatchInFile : bestMatch)(text, wanted, budget);
  const from = best ? windowStart(text, best.start) : 0;
  const to = windowEnd(text, (best?.end ?? 0) + WINDOW_AFTER);
  const matches = [...matchesIn(text.slice(from, to), wanted)].flatMap((match) =>
    match ? [{ ...match, start: match.start + from, end: match.end + from }] : [],
  );
  const syntax = source === "file" ? [] : markdownSyntax(text, { from, to, form: formOf(text, source) });
  const plain = plainText(text, { from, to, matches, syntax });
  const shown = merged(plain.marks);
  // The best match itself may be in syntax that is not shown.
  const first = shown.find(([, end]) => (plain.offsets[end - 1] ?? 0) >= (best?.start ?? 0)) ?? shown.at(-1);
  const start = first ? startBefore(plain.text, first[0]) : 0;
  const end = endAfter(plain.text, Math.max(start + LENGTH, first?.[1] ?? 0));
  const before = from > 0 || start > 0 ? "…" : "";
  const cut = plain.text.slice(start, end).trimEnd();
  const shift = before.length - start;
  return {
    snippet: `${before}${cut}${to < text.length || end < plain.text.length ? "…" : ""}`,
    marks: shown
      .map(([from, to]): [number, number] => [Math.max(from, start) + shift, Math.min(to, start + cut.length) + shift])
      .filter(([from, to]) => from < to),
  };
}

function formOf(text: string, source: "question" | "answer"): TextForm {
  if (source === "question") return "question";
  return isHtmlAnswer(text) ? "html" : "markdown";
}

/** Returns the start of the window around a match: of its line, or of a word in a long line. */
function windowStart(text: string, at: number): number {
  const least = Math.max(0, at - WINDOW_BEFORE);
  if (least === 0) return 0;
  const line = text.indexOf("\n", least - 1);
  if (line !== -1 && line < at - 3 * BEFORE) return line + 1;
  for (let start = least; start < at; start++) if (WORD_BREAK.test(text[start - 1] ?? "")) return start;
  return betweenLetters(text, least);
}

const windowEnd = (text: string, wish: number) => (wish >= text.length ? text.length : betweenLetters(text, wish));

/** Marks the matches in a whole text, such as a title. */
export function marked(snippet: string, wanted: readonly Run[]): Snippet {
  const matches = [...matchesIn(snippet, wanted)].filter((match) => match !== undefined);
  return { snippet, marks: merged(matches.map(({ start, end }) => [start, end])) };
}

/** Joins ranges that touch or overlap, given in their order. */
function merged(ranges: readonly Mark[]): Mark[] {
  const marks: Mark[] = [];
  for (const [start, end] of ranges) {
    const last = marks.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  return marks;
}

async function bestMatchInFile(text: string, wanted: readonly Run[], budget: TimeBudget): Promise<Match | undefined> {
  return (await densestMatch(text, wanted, budget)) ?? bestMatch(text.slice(0, COMPARED_CHARS), wanted, budget);
}

/** Returns the first match of the window with the most different matches. */
async function bestMatch(text: string, wanted: readonly Run[], budget: TimeBudget): Promise<Match | undefined> {
  const matches: Match[] = [];
  let seen = 0;
  let best: { match: Match; count: number } | undefined;
  for (const match of matchesIn(text, wanted)) {
    if (!match) {
      await budget.step();
      continue;
    }
    matches.push(match);
    const near = matches.filter(({ start }) => match.end - start <= LENGTH - BEFORE);
    const count = new Set(near.map(({ run }) => run)).size;
    if (!best || count > best.count) best = { match: near[0] ?? match, count };
    if (count === wanted.length || ++seen === MAX_MATCHES) break;
    while (matches.length > 50) matches.shift();
  }
  return best?.match;
}

function startBefore(text: string, at: number): number {
  const wish = Math.min(at - BEFORE, text.length - LENGTH);
  if (wish <= 0) return 0;
  for (let start = wish; start < at; start++) if (WORD_BREAK.test(text[start - 1] ?? "")) return start;
  return betweenLetters(text, wish);
}

function endAfter(text: string, wish: number): number {
  if (wish >= text.length) return text.length;
  for (let end = wish; end > wish - BEFORE; end--) if (WORD_BREAK.test(text[end] ?? "")) return end;
  return betweenLetters(text, wish);
}

/** Moves a position out of surrogate pairs and combining sequences. */
function betweenLetters(text: string, at: number): number {
  let index = at;
  while (index > 0 && /^[\p{M}\uDC00-\uDFFF]/u.test(text.slice(index, index + 2))) index--;
  return isLowSurrogate(text.charCodeAt(index)) ? index - 1 : index;
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
