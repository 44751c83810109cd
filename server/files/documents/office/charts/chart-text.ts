import { type CellFormat, cellFormatOf, plainNumber } from "../cell-format.ts";
import { attributeOf, localName, scanAddition } from "../scan-xml.ts";

/** Points of a series by their index, as they are shown. */
export type Points = Map<number, string>;
type Role = "name" | "labels" | "values" | "sizes";
export type Series = Record<Role, Points>;

const roles: Readonly<Record<string, Role>> = {
  ...{ tx: "name", cat: "labels", xVal: "labels", val: "values", yVal: "values", bubbleSize: "sizes" },
};

/** Returns a chart (ECMA-376 part 1, 21.2) as a table of its stored values. */
export function chartText(xml: string): string {
  const { title, series } = readChart(xml);
  return chartTable(title, series);
}

/** Returns the line above the values of a chart. */
export const chartHead = (title: string): string => (oneLine(title) === "" ? "[Chart]" : `[Chart: ${oneLine(title)}]`);

/**
 * Returns a chart as a table: its title, a row for each category, and a column for each series, with tabs between.
 * Series with categories of their own have rows of their own.
 */
export function chartTable(title: string, series: readonly Series[]): string {
  const head = chartHead(title);
  const first = series.at(0);
  if (!first) return head;
  const isShared = series.every(({ labels, sizes }) => sizes.size === 0 && isSame(labels, first.labels));
  const tables = isShared ? [table(series)] : series.map((one) => table([one]));
  return [head, ...tables].join("\n");
}

export const newSeries = (): Series => ({ name: new Map(), labels: new Map(), values: new Map(), sizes: new Map() });

const isSame = (one: Points, other: Points) =>
  one.size === other.size && [...one].every(([at, label]) => other.get(at) === label);

function table(series: readonly Series[]): string {
  const names = series.map(({ name }) => [...name.values()].join(" "));
  const indexes = new Set(series.flatMap(({ labels, values }) => [...labels.keys(), ...values.keys()]));
  const rows = [...indexes]
    .sort((one, other) => one - other)
    .map((at) => [series[0]?.labels.get(at) ?? "", ...series.flatMap((one) => valuesAt(one, at))].join("\t"));
  const isNamed = names.some((name) => name !== "");
  return [...(isNamed ? [`\t${names.join("\t")}`] : []), ...rows].join("\n");
}

const valuesAt = ({ values, sizes }: Series, at: number) =>
  sizes.size === 0 ? [values.get(at) ?? ""] : [values.get(at) ?? "", sizes.get(at) ?? ""];

/** Reads title and series. Elements whose texts are not stored values, such as labels of axes, are skipped. */
function readChart(xml: string): { title: string; series: Series[] } {
  const series: Series[] = [];
  let title = "";
  /** Open elements that decide about a text. */
  let [isTitle, isAxis, isText] = [false, false, false];
  let role: Role | undefined;
  let format: CellFormat = plainNumber;
  let [index, value, code] = [0, "", ""];
  const points = () => (role === undefined ? undefined : series.at(-1)?.[role]);
  scanAddition(xml, {
    open(name, attributes) {
      const element = localName(name);
      if (element === "ser") series.push(newSeries());
      else if (element.endsWith("Ax")) isAxis = true;
      else if (element === "title") isTitle = !isAxis;
      else if (element === "pt") [index, value] = [Number(attributeOf(attributes, "idx") ?? 0), ""];
      else if (element in roles && !isTitle) [role, format] = [roles[element], plainNumber];
      isText = element === "v" || element === "formatCode" || (element === "t" && isTitle);
      if (element === "formatCode") code = "";
      if (element === "v") value = "";
    },
    close(name) {
      const element = localName(name);
      isText = false;
      if (element.endsWith("Ax")) isAxis = false;
      else if (element === "title") isTitle = false;
      else if (element === "formatCode") format = cellFormatOf(0, code);
      else if (element === "v" && role !== undefined)
        addPoint(points(), { index, role, words: shownPoint(value, role, format) });
      else if (element === "p" && isTitle) title += " ";
      else if (element in roles && !isTitle) [role, index] = [undefined, 0];
    },
    text(characters) {
      if (!isText) return;
      if (isTitle) title += characters;
      else {
        value += characters;
        code += characters;
      }
    },
  });
  return { title, series };
}

/** Adds a point. Labels of several levels come from the innermost to the outermost. */
export function addPoint(
  points: Map<number, string> | undefined,
  { index, role, words }: { index: number; role: Role; words: string },
): void {
  const inner = role === "labels" ? points?.get(index) : undefined;
  points?.set(index, inner === undefined ? words : `${words} ${inner}`);
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** Returns a stored value as it is shown. */
export function shownPoint(value: string, role: Role, format: CellFormat): string {
  const number = Number(value);
  return role === "name" || value.trim() === "" || !Number.isFinite(number) ? oneLine(value) : format(number);
}
