import type { ClientMessage } from "../chats/state/chats-state.ts";

/** Numbers of messages before and after the message at which a chat opens. */
const BEFORE = { least: 2, most: 6 };
const AFTER = { least: 2, most: 17 };
/** Number of messages of a chat that opens at its end. */
const AT_END = { least: 4, most: 12 };
/** Height (px) of a line, and characters in it: rather low and many, so that a view is filled at the first paint. */
const LINE_PX = 24;
const LINE_CHARS = 90;
/** Lines of a message beside its text: label, actions and space. */
const OTHER_LINES = 3;
/** Lines to which a long question is folded. */
const FOLDED_LINES = 12;

/** Messages to render: from `start` up to `end`; null includes the newest message. */
export type Range = { start: number; end: number | null };

type Sized = Pick<ClientMessage, "role" | "content">;

/**
 * Chooses the messages that a chat renders first: few if they are long, because they are rendered in one task, and
 * enough to fill the view, so that nothing moves when further messages follow.
 * @param at index of the message at which the chat opens; -1 for its end
 * @param view height of the view in px
 */
export function openingRange(messages: readonly Sized[], at: number, view: number): Range {
  const screen = view / LINE_PX;
  if (at < 0) return { start: messages.length - countUntil(messages.toReversed(), 1.5 * screen, AT_END), end: null };
  // The message itself is not counted: the reader may be at its beginning or at its end.
  const before = countUntil(messages.slice(0, at).toReversed(), screen, BEFORE);
  const end = at + 1 + countUntil(messages.slice(at + 1), 1.5 * screen, AFTER);
  return { start: at - before, end: end >= messages.length ? null : end };
}

/** Counts the first messages that have this many lines together. */
function countUntil(messages: readonly Sized[], lines: number, { least, most }: typeof AT_END): number {
  let count = 0;
  for (let sum = 0; count < Math.min(most, messages.length) && (count < least || sum < lines); count++) {
    sum += linesOf(messages[count], lines);
  }
  return count;
}

/** Estimates the lines of a message, not more than `most` of its text. */
function linesOf(message: Sized | undefined, most: number): number {
  if (!message) return 0;
  const { role, content } = message;
  // A line break counts half: an empty line is lower than a line of text.
  const breaks = content.split("\n", 2 * Math.ceil(most)).length / 2;
  const lines = content.length / LINE_CHARS + breaks;
  return OTHER_LINES + Math.min(lines, role === "user" ? FOLDED_LINES : most);
}
