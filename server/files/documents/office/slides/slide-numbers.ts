import { listNumber } from "../list-number.ts";

/** `level`: from 0 on; `type`: of its number (ECMA-376 part 1, 20.1.10.61), undefined for none; `start`: first number. */
export type SlideParagraph = { level: number; type: string | undefined; start: number };

const MAX_LEVEL = 8;

/** Formats of list numbers by the beginnings of types. */
const formats: readonly (readonly [start: string, format: string])[] = [
  ["alphaLc", "lowerLetter"],
  ["alphaUc", "upperLetter"],
  ["romanLc", "lowerRoman"],
  ["romanUc", "upperRoman"],
  ["circleNum", "decimalEnclosedCircle"],
  ["ea1Ch", "chineseCounting"],
  ["ea1JpnKor", "japaneseCounting"],
];

/** Numbers the paragraphs of a shape in their order: a paragraph without a number, or of another type, ends a list. */
export class SlideNumbers {
  readonly #counters: { type: string; start: number; value: number }[] = [];

  /** Begins with another shape. */
  reset(): void {
    this.#counters.length = 0;
  }

  /** Counts a paragraph that has text. @returns its number with a blank, "" if it has none */
  next({ level, type, start }: SlideParagraph): string {
    if (!(level >= 0 && level <= MAX_LEVEL)) return "";
    const before = this.#counters[level];
    this.#counters.length = type === undefined ? Math.min(this.#counters.length, level) : level + 1;
    if (type === undefined) return "";
    const isNext = before?.type === type && before.start === start;
    const value = isNext ? before.value + 1 : start;
    this.#counters[level] = { type, start, value };
    const format = formats.find(([beginning]) => type.startsWith(beginning))?.[1] ?? "decimal";
    return `${enclosed(listNumber(value, format), type)} `;
  }
}

function enclosed(number: string, type: string): string {
  if (type.endsWith("ParenBoth")) return `(${number})`;
  if (type.endsWith("ParenR")) return `${number})`;
  return type.endsWith("Period") ? `${number}.` : number;
}
