import { BoundedStack } from "../bounded-stack.ts";
import { listNumber } from "../list-number.ts";
import { attributeOf } from "../scan-xml.ts";

/** `display`: number of levels whose numbers are shown; `pattern`: label of newer programs, as `%1%.%2%`. */
type Level = {
  isBullet: boolean;
  format: string;
  prefix: string;
  suffix: string;
  display: number;
  start: number;
  pattern: string | undefined;
};

const MAX_LEVELS = 10;
/** In UTF-16 units, of what surrounds a number. */
const MAX_LABEL = 100;
const BULLET = "-";
/** Name of the list of headings. */
const OUTLINE = "\0outline";

/** Names of formats in ECMA-376 by those of OpenDocument 1.3 part 3, 20.320. */
const formats: Readonly<Record<string, string>> = {
  ...{ "1": "decimal", a: "lowerLetter", A: "upperLetter", i: "lowerRoman", I: "upperRoman", "1st": "ordinal" },
  ...{
    "01, 02, 03, ...": "decimalZero",
    "①, ②, ③, ...": "decimalEnclosedCircle",
    "一, 二, 三, ...": "chineseCounting",
  },
};

const kinds: ReadonlySet<string> = new Set([
  ...["text:list-level-style-number", "text:list-level-style-bullet"],
  ...["text:list-level-style-image", "text:outline-level-style"],
]);

/** Styles of lists, read from the events of the elements of styles. */
export class ListStyles {
  readonly #styles = new Map<string, Map<number, Level>>();
  #current = new Map<number, Level>();

  /** Notes a style of a list, or a level of the one before. */
  read(name: string, attributes: string): void {
    if (name === "text:list-style" || name === "text:outline-style") {
      this.#current = new Map();
      // Lists may name the style of headings too.
      this.#styles.set(attributeOf(attributes, "style:name") ?? OUTLINE, this.#current);
      if (name === "text:outline-style") this.#styles.set(OUTLINE, this.#current);
    } else if (kinds.has(name)) {
      const at = Number(attributeOf(attributes, "text:level")) - 1;
      if (at >= 0 && at < MAX_LEVELS) this.#current.set(at, levelOf(name, attributes));
    }
  }

  /** Returns a list's number or bullet. @param counters numbers of its levels */
  labelOf(style: string, at: number, counters: readonly number[]): string {
    const levels = this.#styles.get(style);
    const level = levels?.get(at);
    // A list without a style of its own has a bullet, so that its items are separate.
    if (!level || level.isBullet) return style === OUTLINE ? "" : `${"  ".repeat(at)}${BULLET}`;
    const number = (index: number) => {
      const one = levels?.get(index);
      if (one?.format === "") return "";
      return listNumber(counters[index] ?? one?.start ?? 1, formats[one?.format ?? "1"] ?? "decimal");
    };
    if (level.pattern !== undefined) {
      return level.pattern.replaceAll(/%(\d{1,2})%/g, (_, digits: string) => number(Number(digits) - 1)).trim();
    }
    if (level.format === "") return `${level.prefix}${level.suffix}`.trim();
    const shown = Array.from({ length: Math.min(level.display, at + 1) }, (_, index) => at - index).reverse();
    const numbers = shown.map(number).filter((digits) => digits !== "");
    return `${level.prefix}${numbers.join(".")}${level.suffix}`.trim();
  }

  startOf(style: string, at: number): number {
    return this.#styles.get(style)?.get(at)?.start ?? 1;
  }
}

function levelOf(name: string, attributes: string): Level {
  const text = (key: string) => attributeOf(attributes, key)?.slice(0, MAX_LABEL);
  const number = (key: string) => Number(attributeOf(attributes, key) ?? 1);
  return {
    isBullet: name === "text:list-level-style-bullet" || name === "text:list-level-style-image",
    format: text("style:num-format") ?? "",
    prefix: text("style:num-prefix") ?? "",
    suffix: text("style:num-suffix") ?? "",
    display: number("text:display-levels"),
    start: number("text:start-value"),
    pattern: text("style:num-list-format") ?? text("loext:num-list-format"),
  };
}

/** An open list. `item`: whether its number is still to come; `start`: number that the item asks for. */
type List = { style: string; at: number; counters: number[]; item: "new" | "counted" | undefined; start: number };

/** Numbers the items of lists and headings in the order in which they come (OpenDocument 1.3 part 3, 5.3). */
export class OpenLists {
  readonly #styles: ListStyles;
  readonly #open = new BoundedStack<List>();
  /** Numbers of lists that others may continue, by id and by style. */
  readonly #byId = new Map<string, number[]>();
  readonly #byStyle = new Map<string, number[]>();
  readonly #headings: number[] = [];

  constructor(styles: ListStyles) {
    this.#styles = styles;
  }

  open(name: string, attributes: string): void {
    const top = this.#open.top;
    if (name === "text:list") this.#openList(attributes);
    else if (name === "text:list-item" && top) {
      top.item = "new";
      top.start = Number(attributeOf(attributes, "text:start-value") ?? Number.NaN);
    } else if (name === "text:list-header" && top) top.item = "counted";
  }

  close(name: string): void {
    if (name === "text:list") this.#open.pop();
    else if (name === "text:list-item" && this.#open.top) this.#open.top.item = undefined;
  }

  /** Counts the first paragraph of an item. @returns its number or bullet, "" for other paragraphs */
  nextItem(): string {
    const list = this.#open.top;
    if (list?.item !== "new") return "";
    list.item = "counted";
    this.#count(list.style, list.counters, { at: list.at, start: list.start });
    return this.#styles.labelOf(list.style, list.at, list.counters);
  }

  /** Counts a heading that is no item of a list. @param level from 1 on @returns its number, "" if it has none */
  nextHeading(level: number): string {
    const at = level - 1;
    if (this.#open.top || at < 0 || at >= MAX_LEVELS) return "";
    this.#count(OUTLINE, this.#headings, { at, start: Number.NaN });
    return this.#styles.labelOf(OUTLINE, at, this.#headings);
  }

  #count(style: string, counters: number[], { at, start }: { at: number; start: number }): void {
    const next = (counters[at] ?? this.#styles.startOf(style, at) - 1) + 1;
    counters[at] = Number.isNaN(start) ? next : start;
    counters.length = at + 1;
  }

  #openList(attributes: string): void {
    const parent = this.#open.top;
    const style = attributeOf(attributes, "text:style-name") ?? parent?.style ?? "";
    const continued = attributeOf(attributes, "text:continue-list");
    const isContinued = continued !== undefined || attributeOf(attributes, "text:continue-numbering") === "true";
    const at = parent ? Math.min(parent.at + 1, MAX_LEVELS - 1) : 0;
    const previous = continued === undefined ? this.#byStyle.get(style) : this.#byId.get(continued);
    const counters = parent?.counters ?? (isContinued ? previous : undefined) ?? [];
    // Items that only wrap a list continue the one before them.
    if (parent && !isContinued && parent.item === "counted") counters.length = Math.min(counters.length, at);
    this.#open.push({ style, at, counters, item: undefined, start: Number.NaN });
    if (parent) return;
    this.#byStyle.set(style, counters);
    const id = attributeOf(attributes, "xml:id");
    if (id !== undefined) this.#byId.set(id, counters);
  }
}
