/**
 * ThinkingMark around a thought in the text of a model. `opening`: `close` is the mark that ends it. `section`: the header of a
 * section in OpenAI's harmony format, of the answer (`final`) or of something else. `section-end`: the end of one.
 */
export type ThinkingMark = { length: number } & (
  | { kind: "opening"; close: string }
  | { kind: "closing"; text: string }
  | { kind: "section"; isAnswer: boolean }
  | { kind: "section-end" }
);

/** Which marks may stand at a position. `tags`: pairs of an opening and a closing mark. */
export type PossibleMarks = {
  tags: readonly (readonly [opening: string, closing: string])[];
  hasOpenings: boolean;
  hasClosings: boolean;
  hasSections: boolean;
  hasSectionEnds: boolean;
};

/** Of DeepSeek, Qwen and others; of Cohere, Seed-OSS and Magistral. */
export const THINKING_TAGS: PossibleMarks["tags"] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
];

/** https://developers.openai.com/cookbook/articles/openai-harmony: the header of a message, with the end of the last. */
const HEADER =
  /(?:<\|end\|>\s{0,20})?(?:<\|start\|>[a-z]{1,20}[^<\n]{0,80})?(?:<\|channel\|>([a-z]{1,20})[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,20})?)?<\|message\|>/y;
const HEADER_MAX = 300;
/** Beginnings of all marks, and what may become one at the end of a text: a cheap test before the exact one. */
const MARK_START = /<(?:\/?(?:thi|tho|see)|\|[a-z]|.{0,3}$)|\[(?:\/?THI|.{0,3}$)/g;
const HEADER_STARTS = ["<|end|>", "<|start|>", "<|channel|>"];
const SECTION_ENDS = ["<|end|>", "<|return|>", "<|call|>"];
const ANSWER = "final";

/** Returns the next index at which a mark may begin; the length of the text if there is none. */
export function nextMarkStart(text: string, from: number): number {
  MARK_START.lastIndex = from;
  return MARK_START.exec(text)?.index ?? text.length;
}

/**
 * Returns the mark at a position; `partial` if further text may complete one.
 * @param isLast there is no further text
 */
export function markAt(
  text: string,
  at: number,
  { tags, hasOpenings, hasClosings, hasSections, hasSectionEnds }: PossibleMarks,
  isLast: boolean,
): ThinkingMark | "partial" | undefined {
  const rest = text.slice(at, at + HEADER_MAX);
  let isPartial = false;
  const isHere = (mark: string) => {
    isPartial ||= mark.length > rest.length && mark.startsWith(rest);
    return rest.startsWith(mark);
  };
  for (const [opening, close] of tags) {
    if (hasOpenings && isHere(opening)) return { kind: "opening", close, length: opening.length };
    if (hasClosings && isHere(close)) return { kind: "closing", text: close, length: close.length };
  }
  if (hasSections) {
    const section = headerAt(rest, isLast);
    if (section) return section;
  }
  if (hasSectionEnds) {
    const end = SECTION_ENDS.find(isHere);
    if (end) return { kind: "section-end", length: end.length };
  }
  return isPartial && !isLast ? "partial" : undefined;
}

function headerAt(rest: string, isLast: boolean): ThinkingMark | "partial" | undefined {
  HEADER.lastIndex = 0;
  const header = HEADER.exec(rest);
  // A message without a channel is the answer.
  if (header && !rest.startsWith("<|message|>"))
    return { kind: "section", isAnswer: (header[1] ?? ANSWER) === ANSWER, length: header[0].length };
  const mayBeHeader = HEADER_STARTS.some((start) => start.startsWith(rest) || rest.startsWith(start));
  const isOpen = rest.length < HEADER_MAX && !/\n\s*\S/.test(rest) && !/^<\|end\|>\s*[^<\s]/.test(rest);
  return mayBeHeader && isOpen && !isLast ? "partial" : undefined;
}
