import { fenceEnd } from "#contract/text/fence-end.ts";
import { CODE_SPAN } from "./stable-prefix.ts";

/** Further footnotes stay as written. */
const MOST_NOTES = 500;
/** Maximum number of back-links of a note. */
const MOST_WAYS_BACK = 20;

const NOTE_OR_FENCE = /^ {0,3}(?:(`{3,})[^`\n]*$|(~{3,})|\[\^([^\]\s[]{1,200})\]:)/gm;
const FENCED = /^[ \t>]*(?:(`{3,})[^`\n]*|(~{3,})[^\n]*)(?:\n[\s\S]*?)?(?:\n[ \t>]*\1\2[`~]*[ \t]*$|(?![\s\S]))/gm;
export const REFERENCE = /(?<!\\)\[\^([^\]\s[]{1,200})\](?!\()/g;
/** Beginning of a line that ends a note although no empty line is between. */
const NEW_BLOCK = /^ {0,3}(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|>|`{3}|~{3}|\[\^|[-*_]{3,}[ \t]*$)/;
/** Label of a reference whose note may still arrive; excludes regular expressions such as `[^a-z]`. */
const AWAITED = /^(?:\d{1,3}|[a-z][a-z0-9]{0,20})$/i;

/** `number`: the number shown; `isThere`: whether the text of the note has arrived. */
export type Note = { number: number; isThere: boolean };
/** Notes by their labels in lower case. */
export type NoteNumbers = ReadonlyMap<string, Note>;
/** `body`: the text without the notes; `section`: Markdown of the notes alone, "" if there are none. */
export type Footnotes = {
  body: string;
  numbers: NoteNumbers;
  section: string;
  positionInBody: (position: number) => number;
};

type Definition = { label: string; words: string; start: number; end: number };

export const labelOf = (written: string): string => written.toLowerCase();

/**
 * Separates the footnotes of a reply from its body, so that the body can be split into blocks and rendered while it
 * streams. Linear in the text's length. `isGrowing`: references whose notes may still arrive count as notes.
 */
export function splitFootnotes(text: string, isGrowing: boolean): Footnotes {
  if (!text.includes("[^"))
    return { body: text, numbers: new Map(), section: "", positionInBody: (position) => position };
  const all = definitionsIn(text);
  const byLabel = new Map(all.toReversed().map((definition) => [definition.label, definition]));
  const references = referencesIn(without(text, all));
  const numbers = new Map<string, Note>();
  const take = (label: string) => {
    const definition = byLabel.get(label);
    if (numbers.has(label) || numbers.size >= MOST_NOTES || !(definition || (isGrowing && AWAITED.test(label)))) return;
    numbers.set(label, { number: numbers.size + 1, isThere: definition !== undefined });
  };
  references.forEach(take);
  // Notes may refer to other notes. Iteration of a Map includes entries that are added during it.
  for (const label of numbers.keys()) referencesIn(byLabel.get(label)?.words ?? "").forEach(take);
  const shown = all.filter(({ label }) => numbers.has(label));
  return {
    body: without(text, shown),
    numbers,
    section: sectionOf(numbers, byLabel, references),
    positionInBody: (position) =>
      position - shown.reduce((cut, { start, end }) => cut + lengthBefore(position, start, end), 0),
  };
}

const lengthBefore = (position: number, start: number, end: number) => Math.max(0, Math.min(position, end) - start);

/** Returns the label of each footnote reference in a text of Markdown, outside code. */
export function referencesIn(text: string): string[] {
  if (!text.includes("[^")) return [];
  const words = text.replaceAll(FENCED, "").replaceAll(CODE_SPAN, "");
  return [...words.matchAll(REFERENCE)].map(([, label = ""]) => labelOf(label));
}

function without(text: string, parts: readonly Definition[]): string {
  let at = 0;
  const rest: string[] = [];
  for (const { start, end } of parts) {
    rest.push(text.slice(at, start));
    at = end;
  }
  return rest.join("") + text.slice(at);
}

function definitionsIn(text: string): Definition[] {
  const found: Definition[] = [];
  const opener = new RegExp(NOTE_OR_FENCE);
  for (let mark = opener.exec(text); mark; mark = opener.exec(text)) {
    const [, ticks, tildes, label] = mark;
    const from = opener.lastIndex;
    opener.lastIndex = label === undefined ? fenceEnd(text, from, ticks ?? tildes ?? "") : noteEnd(text, from);
    if (label === undefined) continue;
    const words = text.slice(from, opener.lastIndex);
    found.push({ label: labelOf(label), words, start: mark.index, end: opener.lastIndex });
  }
  return found;
}

/** Returns the end of the note whose first line contains `from`: with its indented lines and those of its paragraph. */
function noteEnd(text: string, from: number): number {
  let end = lineEnd(text, from);
  let isAfterGap = false;
  for (let at = end; at < text.length; ) {
    const next = lineEnd(text, at);
    const line = text.slice(at, next);
    if (line.trim() === "") isAfterGap = true;
    else if (/^(?: {4}|\t)/.test(line) || !(isAfterGap || NEW_BLOCK.test(line))) {
      isAfterGap = false;
      end = next;
    } else break;
    at = next;
  }
  return end;
}

/** Returns the position after the line break. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end + 1;
}

/** Builds Markdown of the notes by number, after a paragraph of all references: first one each, then repeated ones. */
function sectionOf(numbers: NoteNumbers, byLabel: Map<string, Definition>, references: readonly string[]): string {
  const counts = new Map<string, number>();
  const again: string[] = [];
  const mark = (label: string) => `[^${numbers.get(label)?.number}]`;
  for (const label of references) {
    if (numbers.get(label)?.isThere !== true) continue;
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    if (count > 1 && count <= MOST_WAYS_BACK) again.push(mark(label));
  }
  if (counts.size === 0) return "";
  const numbered = (words: string) =>
    words.replaceAll(REFERENCE, (written, label: string) =>
      numbers.get(labelOf(label))?.isThere ? mark(labelOf(label)) : written,
    );
  const notes = [...numbers].flatMap(([label, { isThere }]) =>
    isThere ? `${mark(label)}:${numbered(byLabel.get(label)?.words ?? "").trimEnd()}` : [],
  );
  return `${[...[...counts.keys()].map(mark), ...again].join(" ")}\n\n${notes.join("\n\n")}\n`;
}
