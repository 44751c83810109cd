import { cutChars } from "../../text/cut-chars.ts";

/** A page or slide of a file's text, or a section of a text without them. `label`: with its number. */
export type FilePage = { label: string; text: string };

/** Longest page, in UTF-16 units. The text of a file with a longer one is split into sections. */
const PAGE_MAX = 20_000;
/** Length of a section, in UTF-16 units. */
const SECTION = 10_000;
/** More pages are sections: a text of a megabyte can have a hundred thousand marks. */
const PAGES_MAX = 2000;

/** Lines that the server writes above a page or a slide, at the start or below an empty line. */
const MARK = /(?:^|\n\n)\[(?<kind>Page|Slide) (?<number>\d+)(?:: damaged)?\](?=\n|$)/g;

/** Splits the readable text of a file at the marks of its pages or slides, else into sections at the ends of lines. */
export function pagesOf(text: string): FilePage[] {
  const marked = markedPages(text);
  return marked.length > 0 && marked.length <= PAGES_MAX && marked.every((page) => page.text.length <= PAGE_MAX)
    ? marked
    : sectionsOf(text);
}

function markedPages(text: string): FilePage[] {
  const starts: { label: string; index: number; from: number }[] = [];
  let first: string | undefined;
  for (const { 0: mark, index, groups = {} } of text.matchAll(MARK)) {
    const { kind = "", number = "" } = groups;
    first ??= kind;
    // A mark whose number does not follow is text of the document.
    if (kind !== first || Number(number) !== starts.length + 1 || (starts.length === 0 && index > 0)) continue;
    starts.push({ label: `${kind.toLowerCase()} ${number}`, index, from: index + mark.length });
  }
  return starts.map(({ label, from }, at) => ({ label, text: text.slice(from, starts[at + 1]?.index).trim() }));
}

function sectionsOf(text: string): FilePage[] {
  const sections: FilePage[] = [];
  for (let from = 0; from < text.length; ) {
    const whole = cutChars(text.slice(from), SECTION);
    const line = whole.lastIndexOf("\n") + 1;
    const isLast = from + whole.length === text.length;
    const section = !isLast && line > SECTION / 2 ? whole.slice(0, line) : whole;
    sections.push({ label: `section ${sections.length + 1}`, text: section.trim() });
    from += section.length;
  }
  return sections;
}
