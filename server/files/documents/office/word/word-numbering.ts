import { listNumber } from "../list-number.ts";
import { attributeOf, scanAddition, withoutElements } from "../scan-xml.ts";
import { symbolsOf } from "../symbol-fonts.ts";

/** A level of a list. `restart`: level, from 1 on, whose numbers restart it, 0 for none. `style`: of its paragraphs. */
type Level = {
  start: number;
  format: string;
  label: string;
  restart: number | undefined;
  isLegal: boolean;
  style: string | undefined;
  font: string | undefined;
};
type Levels = Map<number, Level>;

/** `link`: style whose list it is. */
type AbstractList = { levels: Levels; link: string | undefined };

/** `starts`: by the levels that begin anew with this list; `levels`: that differ from the abstract list. */
type List = { abstract: string; starts: Map<number, number>; levels: Levels };

const MAX_LEVEL = 8;
/** In UTF-16 units. */
const MAX_LABEL = 200;
const BULLET = "-";

const isLevel = (index: number) => Number.isInteger(index) && index >= 0 && index <= MAX_LEVEL;

const newLevel = (): Level => ({
  start: 1,
  format: "decimal",
  label: "",
  restart: undefined,
  isLegal: false,
  style: undefined,
  font: undefined,
});

/** Numbers the paragraphs of lists in the order in which they come (ECMA-376 part 1, 17.9). */
export class WordNumbering {
  readonly #abstracts = new Map<string, AbstractList>();
  readonly #lists = new Map<string, List>();
  /** Abstract lists by the style that names them. */
  readonly #linked = new Map<string, string>();
  /** Numbers of the levels by abstract list: all of its lists count on. */
  readonly #counters = new Map<string, number[]>();
  /** Whether no list is described: then all are decimal. */
  readonly #isMissing: boolean;
  /** Levels that have begun anew, by the list. */
  readonly #begun = new Set<string>();

  /** @param xml of `numbering.xml`, "" if there is none */
  constructor(xml: string) {
    this.#isMissing = xml === "";
    let abstract: AbstractList | undefined;
    let abstractId = "";
    let list: List | undefined;
    let [at, level]: [number, Level | undefined] = [0, undefined];
    const open = (name: string, attributes: string) => {
      const value = attributeOf(attributes, "w:val") ?? "";
      if (name === "w:abstractNum") {
        abstract = { levels: new Map(), link: undefined };
        abstractId = attributeOf(attributes, "w:abstractNumId") ?? "";
        this.#abstracts.set(abstractId, abstract);
      } else if (name === "w:num") {
        list = { abstract: "", starts: new Map(), levels: new Map() };
        this.#lists.set(attributeOf(attributes, "w:numId") ?? "", list);
      } else if (name === "w:abstractNumId" && list) list.abstract = value;
      else if (name === "w:numStyleLink" && abstract) abstract.link = value;
      else if (name === "w:styleLink" && abstract) this.#linked.set(value, abstractId);
      else if (name === "w:lvlOverride") at = Number(attributeOf(attributes, "w:ilvl"));
      else if (name === "w:startOverride") list?.starts.set(at, Number(value));
      else if (name === "w:lvl") {
        level = newLevel();
        const index = Number(attributeOf(attributes, "w:ilvl"));
        if (isLevel(index)) (list ?? abstract)?.levels.set(index, level);
      } else if (level) readLevel(level, name, attributes);
    };
    const close = (name: string) => {
      if (name === "w:lvl") level = undefined;
      else if (name === "w:num") list = undefined;
      else if (name === "w:abstractNum") abstract = undefined;
    };
    // Old programs read the second form, whose format is less exact.
    scanAddition(
      xml,
      withoutElements({ open, close, text: () => undefined }, (name) => name === "mc:Fallback"),
    );
  }

  /**
   * Counts a paragraph. @returns its number with what surrounds it, or the mark of a bullet with the indentation of its
   * level, "" if it has none
   * @param level from 0 on; undefined: that of the style of the paragraph
   */
  next(numId: string, level: number | undefined, style: string | undefined): string {
    const list = this.#lists.get(numId) ?? (this.#isMissing ? plainList(numId) : undefined);
    if (!list) return "";
    const [key, abstract] = this.#abstractOf(list);
    const at = level ?? levelOfStyle(abstract?.levels, style) ?? 0;
    const levelAt = (index: number) => list.levels.get(index) ?? abstract?.levels.get(index);
    const own = levelAt(at);
    if (!own || numId === "0") return "";
    this.#count(key, numId, { at, list, levelAt });
    if (own.format === "bullet") return `${"  ".repeat(at)}${BULLET}`;
    return this.#labelOf(key, own, levelAt);
  }

  #abstractOf({ abstract: id }: List): [string, AbstractList | undefined] {
    const abstract = this.#abstracts.get(id);
    const linked = abstract?.link === undefined ? undefined : this.#linked.get(abstract.link);
    return linked === undefined ? [id, abstract] : [linked, this.#abstracts.get(linked)];
  }

  #count(
    key: string,
    numId: string,
    { at, list, levelAt }: { at: number; list: List; levelAt: (index: number) => Level | undefined },
  ): void {
    const counters = this.#counters.get(key) ?? [];
    this.#counters.set(key, counters);
    const override = list.starts.get(at);
    if (override !== undefined && !this.#begun.has(`${numId} ${at}`)) {
      this.#begun.add(`${numId} ${at}`);
      counters[at] = override;
    } else counters[at] = (counters[at] ?? (levelAt(at)?.start ?? 1) - 1) + 1;
    for (let deeper = at + 1; deeper <= MAX_LEVEL; deeper++) {
      const restart = levelAt(deeper)?.restart;
      if (restart === undefined || at < restart) delete counters[deeper];
    }
  }

  #labelOf(key: string, own: Level, levelAt: (index: number) => Level | undefined): string {
    const counters = this.#counters.get(key) ?? [];
    const label = symbolsOf(own.label, own.font).replaceAll(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const level = levelAt(at);
      const value = counters[at] ?? level?.start ?? 1;
      const format = level?.format ?? "decimal";
      if (format === "bullet" || format === "none") return "";
      return listNumber(value, own.isLegal ? "decimal" : format);
    });
    return label.trim();
  }
}

/** Returns a list that no file describes: each of its levels has decimal numbers. */
function plainList(numId: string): List {
  const levels = Array.from(
    { length: MAX_LEVEL + 1 },
    (_, at) => [at, { ...newLevel(), label: `%${at + 1}.` }] as const,
  );
  return { abstract: numId, starts: new Map(), levels: new Map(levels) };
}

function levelOfStyle(levels: Levels | undefined, style: string | undefined): number | undefined {
  if (style === undefined) return undefined;
  return [...(levels ?? [])].find(([, level]) => level.style === style)?.[0];
}

function readLevel(level: Level, name: string, attributes: string): void {
  const value = attributeOf(attributes, "w:val");
  if (name === "w:start") level.start = Number(value);
  else if (name === "w:numFmt") level.format = formatOf(value ?? "decimal", attributes);
  else if (name === "w:lvlText") level.label = (value ?? "").slice(0, MAX_LABEL);
  else if (name === "w:lvlRestart") level.restart = Number(value);
  else if (name === "w:isLgl") level.isLegal = value !== "0" && value !== "false";
  else if (name === "w:pStyle") level.style = value;
  else if (name === "w:rFonts") level.font = attributeOf(attributes, "w:ascii");
}

/** A format of its own is an example of numbers, as `001, 002, 003, ...`: only two digits have a name here. */
function formatOf(value: string, attributes: string): string {
  if (value !== "custom") return value;
  return /^0+1/.test(attributeOf(attributes, "w:format") ?? "") ? "decimalZero" : "decimal";
}
