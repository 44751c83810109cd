const HTML_TAG = /<\/?(?:p|div|h[1-6]|ul|ol|table)(?:\s[^<>]*)?\/?>/iy;
const HTML_TAG_ANYWHERE = new RegExp(HTML_TAG.source, "i");
const FENCE = /(`{3,}|~{3,})([^\n]*)/y;
const FENCE_INDENT = /[ ]{0,3}/y;

/**
 * Whether a reply is HTML: one of p, div, h1–h6, ul, ol, table occurs outside fenced and inline code. While the reply is
 * still growing, a code span that may yet be closed counts as one: what is decided can only go from Markdown to HTML.
 */
export function isHtmlReply(text: string, isGrowing: boolean): boolean {
  if (!HTML_TAG_ANYWHERE.test(text)) return false;
  let place = 0;
  const paragraphs = new ParagraphEnds(text);
  while (place < text.length) {
    const isLineStart = place === 0 || text[place - 1] === "\n";
    const fence = isLineStart ? fenceAt(text, place) : null;
    if (fence !== null) {
      place = fence;
      continue;
    }
    const character = text[place];
    if (character === "`") {
      const end = spanEnd(text, place, isGrowing, paragraphs);
      if (end === null) return false;
      place = end;
    } else if (character === "\\" && text[place + 1] === "`") {
      place += 2;
    } else if (character === "<") {
      HTML_TAG.lastIndex = place;
      if (HTML_TAG.test(text)) return true;
      place += 1;
    } else {
      place += 1;
    }
  }
  return false;
}

/** Where the fenced block that begins on this line ends; null where none begins. An open one goes on to the end. */
function fenceAt(text: string, lineStart: number): number | null {
  FENCE_INDENT.lastIndex = lineStart;
  FENCE_INDENT.test(text);
  FENCE.lastIndex = Math.max(lineStart, FENCE_INDENT.lastIndex);
  const fence = FENCE.exec(text);
  const marks = fence?.[1];
  if (!fence || marks === undefined) return null;
  // A line such as ```code``` is a code span, not the beginning of a block.
  if (marks.startsWith("`") && fence[2]?.includes("`")) return null;
  const close = new RegExp(`^ {0,3}${marks[0] === "`" ? "`" : "~"}{${marks.length},}[ \\t]*$`, "gm");
  close.lastIndex = FENCE.lastIndex;
  return close.test(text) ? close.lastIndex : text.length;
}

/** Where the code span that begins here ends, or the end of its marks if it is none; null where that is still open. */
function spanEnd(text: string, start: number, isGrowing: boolean, paragraphs: ParagraphEnds): number | null {
  let afterMarks = start;
  while (text[afterMarks] === "`") afterMarks += 1;
  const length = afterMarks - start;
  const end = paragraphs.after(afterMarks);
  const marks = /`+/g;
  marks.lastIndex = afterMarks;
  for (let run = marks.exec(text); run !== null && run.index < (end ?? text.length); run = marks.exec(text)) {
    // Marks at the very end may yet become more.
    if (run[0].length === length && !(isGrowing && marks.lastIndex === text.length)) return marks.lastIndex;
  }
  return end === undefined && isGrowing ? null : afterMarks;
}

/** Where paragraphs end, for places that are asked for in ascending order: each part of the text is looked through once. */
class ParagraphEnds {
  readonly #text: string;
  #known: number | undefined = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of the paragraph of a place; `undefined` where it is the text's. */
  after(place: number): number | undefined {
    if (this.#known === undefined || this.#known >= place) return this.#known;
    const blankLine = /\n[ \t]*\n/g;
    blankLine.lastIndex = place;
    this.#known = blankLine.exec(this.#text)?.index;
    return this.#known;
  }
}
