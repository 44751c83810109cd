import type { Run } from "../text/tokenise.ts";
import { type Match, matchesIn } from "./matches.ts";
import type { TimeBudget } from "./time-budget.ts";

/** Plain text around the matches; `marks` are ranges in UTF-16 units. */
export type Snippet = { snippet: string; marks: [number, number][] };

const LENGTH = 160;
/** Number of characters of a snippet before its first match. */
const BEFORE = 40;
/** Number of matches that are compared to find the best position. */
const MAX_MATCHES = 300;
const WORD_BREAK = /\s/;

/** Returns about 160 characters of a message, in whole words, around the densest matches. */
export async function snippetOf(text: string, wanted: readonly Run[], budget: TimeBudget): Promise<Snippet> {
  const best = await bestMatch(text, wanted, budget);
  const start = best ? startBefore(text, best.start) : 0;
  const end = endAfter(text, Math.max(start + LENGTH, best?.end ?? 0));
  const cut = text.slice(start, end).replace(/\s+/g, " ").trim();
  return marked(`${start > 0 ? "…" : ""}${cut}${end < text.length ? "…" : ""}`, wanted);
}

/** Marks the matches in a whole text, such as a title. */
export function marked(snippet: string, wanted: readonly Run[]): Snippet {
  const marks: [number, number][] = [];
  for (const match of matchesIn(snippet, wanted)) {
    if (!match) continue;
    const { start, end } = match;
    const last = marks.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  return { snippet, marks };
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
