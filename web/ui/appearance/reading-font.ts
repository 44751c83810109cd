/**
 * The typeface of answers, Source Serif. It loads with the first answer, so that a page without answers never loads it.
 * Answers are set in Inter until {@link applyReadingFont} is called: a typeface that arrives later than its text would
 * move the lines.
 */
import { currentAppearance } from "./appearance.ts";
import { READING_FONT } from "./preload-reading-font.ts";

/** UTF-16 units of an answer that decide which files of the typeface are awaited. */
const SAMPLE = 10_000;

/** Emphasis in Markdown or HTML; a false match loads a file too early. */
const EMPHASIS = /(?<![*\w\\])\*[^\s*]|(?<![_\w\\])_[^\s_]|<(?:em|i|cite|dfn|var)>/;

const COVERED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** Letters that decide on the script: few, so that a growing answer keeps its typeface from its first line on. */
const DECISIVE_LETTERS = 40;

/** Returns "sans" for a text that is mainly in a script that Source Serif lacks; undefined for all others. */
export function typefaceOf(text: string): "sans" | undefined {
  const letters = text.slice(0, 5 * DECISIVE_LETTERS).match(/\p{L}/gu) ?? [];
  const decisive = letters.slice(0, DECISIVE_LETTERS);
  return decisive.filter((letter) => !COVERED.test(letter)).length * 2 > decisive.length ? "sans" : undefined;
}

/** Whether the person reads this text in Source Serif. */
export function isSetInSerif(text: string): boolean {
  return currentAppearance().typeface === "serif" && typefaceOf(text) === undefined && "fonts" in document;
}

/** Fonts of a text. The italic is a file of its own, loaded when the first emphasis is met. */
const fontsOf = (text: string) => (EMPHASIS.test(text) ? [READING_FONT, `italic ${READING_FONT}`] : [READING_FONT]);

/** Loads the files that the characters of this text need. @throws DOMException if a file cannot be loaded */
export async function loadReadingFont(text: string): Promise<void> {
  const sample = text.slice(0, SAMPLE);
  if (isSetInSerif(sample)) await Promise.all(fontsOf(sample).map((font) => document.fonts.load(font, sample)));
}

/** Whether the files that the characters of this text need are loaded. */
export function isReadingFontLoaded(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  return fontsOf(sample).every((font) => document.fonts.check(font, sample));
}

/** Sets all answers in Source Serif from now on, unless the appearance settings or the script say otherwise. */
export function applyReadingFont(): void {
  document.documentElement.dataset.readingFont = "loaded";
}
