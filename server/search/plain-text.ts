import type { Syntax } from "./markdown-syntax.ts";
import type { Match } from "./matches.ts";

/** Start and end of a range, in UTF-16 units. */
export type Mark = [number, number];

/** A text without syntax. `offsets`: for each unit its position in the original text. `marks`: matches, ascending. */
export type PlainText = { text: string; offsets: number[]; marks: Mark[] };

type Window = { from: number; to: number; matches: readonly Match[]; syntax: readonly Syntax[] };

const SPACE = /\s/;

/**
 * Returns a window of a text without its syntax, with each run of white space as one space. Matches keep their exact
 * range. If a word of the query is found only inside syntax, that syntax is shown. All other matches inside syntax are dropped.
 */
export function plainText(original: string, { from, to, matches, syntax }: Window): PlainText {
  const hiding = hidingSyntax({ from, to, matches, syntax });
  let text = "";
  const offsets: number[] = [];
  const add = (letters: string, at: number) => {
    const isSpace = SPACE.test(letters);
    if (isSpace && (text === "" || text.endsWith(" "))) return;
    text += isSpace ? " " : letters;
    offsets.push(at);
  };
  for (let at = from; at < to; at++) {
    const hidden = hiding[at - from];
    if (!hidden) add(original[at] ?? "", at);
    else if (hiding[at - from - 1] !== hidden && hidden.instead !== "") add(hidden.instead, at);
  }
  if (text.endsWith(" ")) {
    text = text.slice(0, -1);
    offsets.pop();
  }
  const index = new Map(offsets.map((offset, at) => [offset, at]));
  const marks = matches.flatMap(({ start, end }): Mark[] => {
    const [first, last] = [index.get(start), index.get(end - 1)];
    return hiding[start - from] || first === undefined || last === undefined ? [] : [[first, last + 1]];
  });
  return { text, offsets, marks };
}

/** Returns for each unit of the window the syntax that hides it. */
function hidingSyntax({ from, to, matches, syntax }: Window): (Syntax | undefined)[] {
  const hiding = new Array<Syntax | undefined>(to - from);
  for (const each of syntax) hiding.fill(each, each.start - from, each.end - from);
  const isHidden = ({ start }: Match) => hiding[start - from] !== undefined;
  const shown = new Set(matches.filter((match) => !isHidden(match)).map(({ run }) => run));
  for (const match of matches) {
    const hidden = hiding[match.start - from];
    if (!hidden || shown.has(match.run)) continue;
    const { start, end, inner } = hidden;
    // Around the words of the syntax a space takes the place of its signs.
    const spaced = { ...hidden, instead: " " };
    hiding.fill(spaced, start - from, end - from);
    hiding.fill(undefined, inner[0] - from, inner[1] - from);
    for (const { run, ...other } of matches) if (other.start >= start && other.end <= end) shown.add(run);
  }
  return hiding;
}
