import { type CellFormat, cellFormatOf, plainNumber } from "../cell-format.ts";
import { attributeOf, localName, scanAddition } from "../scan-xml.ts";
import { addPoint, chartTable, newSeries, type Series, shownPoint } from "./chart-text.ts";

type Role = "labels" | "values" | "sizes";
/** A series by its name and the id of its data. */
type NamedData = { name: string; data: string };

/** Texts that are colours, not labels. */
const COLOURS = "colorStr";

/**
 * Returns a chart of the kinds since 2016 (MS-ODRAWXML 2.24.3: waterfall, treemap, sunburst, histogram, box, funnel, map)
 * as a table of its stored values. Charts of workbooks often store none: their values are in the cells.
 */
export function extendedChartText(xml: string): string {
  const { title, named, data } = readChart(xml);
  const series = named.flatMap(({ name, data: id }): Series[] => {
    const found = data.get(id);
    return found ? [{ ...found, name: new Map(name === "" ? [] : [[0, name]]) }] : [];
  });
  return chartTable(title, series.length > 0 ? series : [...data.values()]);
}

type Chart = { title: string; named: NamedData[]; data: Map<string, Series> };

function readChart(xml: string): Chart {
  const chart: Chart = { title: "", named: [], data: new Map() };
  let current: Series | undefined;
  let role: Role | undefined;
  let format: CellFormat = plainNumber;
  let [index, value] = [0, ""];
  let target: "point" | "title" | "name" | undefined;
  let [isTitle, isAxis] = [false, false];
  const textOf = (element: string) => {
    if (element === "pt") return "point";
    if (element !== "v" && element !== "t") return undefined;
    return isTitle ? "title" : "name";
  };
  const startDimension = (element: string, type: string | undefined) => {
    if (element === "strDim") role = type === COLOURS ? undefined : "labels";
    else role = current?.values.size === 0 ? "values" : "sizes";
  };
  scanAddition(xml, {
    open(name, attributes) {
      const element = localName(name);
      if (element === "data") {
        current = newSeries();
        chart.data.set(attributeOf(attributes, "id") ?? "", current);
      } else if (element === "strDim" || element === "numDim") startDimension(element, attributeOf(attributes, "type"));
      else if (element === "lvl") format = cellFormatOf(0, attributeOf(attributes, "formatCode"));
      else if (element === "pt") [index, value] = [Number(attributeOf(attributes, "idx") ?? 0), ""];
      else if (element === "axis") isAxis = true;
      else if (element === "title") isTitle = true;
      else if (element === "series") chart.named.push({ name: "", data: "" });
      else if (element === "dataId") Object.assign(chart.named.at(-1) ?? {}, { data: attributeOf(attributes, "val") });
      target = textOf(element);
    },
    close(name) {
      const element = localName(name);
      target = undefined;
      if (element === "pt" && role) addPoint(current?.[role], { index, role, words: shownPoint(value, role, format) });
      else if (element === "axis") isAxis = false;
      else if (element === "title") isTitle = false;
    },
    text(characters) {
      const series = chart.named.at(-1);
      if (target === "point") value += characters;
      else if (target === "title" && !isAxis) chart.title += characters;
      else if (target === "name" && series && !isAxis) series.name += characters;
    },
  });
  return chart;
}
