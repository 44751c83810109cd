import { posix } from "node:path";
import { TextBuilder } from "../../text-builder.ts";
import { chartHead } from "../charts/chart-text.ts";
import { attributeOf, scanAddition } from "../scan-xml.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";
import { countOf } from "./open-document.ts";

/** Returns the text of an embedded object by its address in the archive, "" for others than charts. */
export type ObjectText = (address: string | undefined) => string;

/** A cell of a chart's table stands for up to this many. */
const MAX_REPEATS = 100;

/** Returns a function that returns the text of the charts of an OpenDocument file. Each is read once. */
export function openObjects(entries: ZipEntries): ObjectText {
  const texts = new Map<string, string>();
  return (address) => {
    if (address === undefined) return "";
    const path = posix.join("/", address, "content.xml").slice(1);
    const bytes = entries.get(path);
    const text = texts.get(path) ?? (bytes ? openChartText(decodeXml(bytes)) : "");
    texts.set(path, text);
    return text;
  };
}

/** Returns a chart (OpenDocument 1.3 part 3, 11) as the table of values that it has: its title and a line for a row. */
function openChartText(xml: string): string {
  let [title, isChart, isTitle, isAxis, isTable] = ["", false, false, false, false];
  const rows = new TextBuilder();
  let row: string[] = [];
  let cell: { shown: string; value: string | undefined; repeats: number } | undefined;
  const addCell = ({ shown, value, repeats }: NonNullable<typeof cell>) => {
    const words = (shown.trim() === "" ? (value ?? "") : shown).replaceAll(/\s+/g, " ").trim();
    // The mark of a missing value.
    const known = words === "NaN" ? "" : words;
    for (let times = 0; times < Math.min(repeats, MAX_REPEATS); times++) row.push(known);
  };
  scanAddition(xml, {
    isDone: () => rows.isFull,
    open(name, attributes) {
      if (name === "office:chart") isChart = true;
      else if (name === "chart:title") isTitle = !isAxis;
      else if (name === "chart:axis") isAxis = true;
      else if (name === "table:table") isTable = true;
      else if (name === "table:table-row") row = [];
      else if (name === "table:table-cell") {
        const repeats = countOf(attributeOf(attributes, "table:number-columns-repeated"));
        cell = { shown: "", value: attributeOf(attributes, "office:value"), repeats };
      }
    },
    close(name) {
      if (name === "chart:title") isTitle = false;
      else if (name === "chart:axis") isAxis = false;
      else if (name === "table:table") isTable = false;
      else if (name === "table:table-cell" && cell) {
        addCell(cell);
        cell = undefined;
      } else if (name === "table:table-row" && row.some((words) => words !== "")) rows.add(`${row.join("\t")}\n`);
      else if (name === "text:p" && isTitle) title += " ";
    },
    text(characters) {
      if (isTitle) title += characters;
      else if (cell && isTable) cell.shown += characters;
    },
  });
  return isChart ? [chartHead(title), rows.raw.trimEnd()].filter((lines) => lines !== "").join("\n") : "";
}
