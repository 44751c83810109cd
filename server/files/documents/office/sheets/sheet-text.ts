import { TextBuilder } from "../../text-builder.ts";
import { plainNumber } from "../cell-format.ts";
import { drawingTexts } from "../charts/embedded-text.ts";
import { addressesOf } from "../relationships.ts";
import { attributeOf, localName, scanXml, withoutElements, type XmlHandler } from "../scan-xml.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";
import { addComments } from "./sheet-comments.ts";
import { type LinkOf, sheetLinks } from "./sheet-links.ts";
import { readWorkbook, unescaped, type Workbook } from "./workbook.ts";

/** Entries of a workbook that have its cells, in any folder: not pivot tables, or data of other workbooks. */
export const isSheetEntry = (name: string): boolean =>
  /\.(?:xml|rels)$/.test(name) && !/(?:^|\/)(?:pivot\w*|externalLinks|customXml|docProps|theme)\//.test(name);

/** Largest number of columns in Excel. */
export const MAX_COLUMNS = 16_384;
/** Shown for a formula that shares the text of another cell's, and has no result. */
const UNKNOWN_FORMULA = "=…";

/**
 * Returns the cells of a workbook as CSV (RFC 4180), each sheet below its name. Numbers and errors are as the
 * spreadsheet shows them, dates as in ISO 8601. A formula counts with its stored result, and is shown itself if there is
 * none. Targets of links are behind their text, comments and charts below the cells of their sheet. Empty cells at the end of a row, and more than one empty row, are
 * left out.
 * @throws BrokenDocument if there is no workbook in it
 */
export function sheetText(entries: ZipEntries): string {
  const workbook = readWorkbook(entries);
  const text = new TextBuilder();
  for (const { name, isHidden, path } of workbook.sheets) {
    text.endLine();
    text.add(`\n# ${name}${isHidden ? " (hidden)" : ""}\n`);
    const bytes = entries.get(path ?? "");
    if (path === undefined || !bytes) continue;
    const xml = decodeXml(bytes);
    addRows(xml, { workbook, linkOf: sheetLinks(xml, addressesOf(entries, path)) }, text);
    addComments(entries, path, text);
    for (const drawing of drawingTexts(entries, path)) {
      if (text.isFull) break;
      text.endLine();
      text.add(`\n${drawing}\n`);
    }
    if (text.isFull) break;
  }
  return text.toString();
}

/** An open cell: its texts by the elements `v` (value), `f` (formula) and `t` (text of its own). */
type Cell = { name: string | undefined; type: string; style: number; v?: string; f?: string; t?: string };
type CellPart = "v" | "f" | "t";

type SheetContext = { workbook: Workbook; linkOf: LinkOf };

function addRows(xml: string, { workbook, linkOf }: SheetContext, text: TextBuilder): void {
  let row: string[] = [];
  let lastRow = 0;
  let isAfterEmpty = true;
  let column = 0;
  let cell: Cell | undefined;
  let part: CellPart | undefined;
  const endRow = () => {
    // Empty cells are missing in the array.
    const line = row.join(",");
    if (line !== "" || !isAfterEmpty) text.add(`${line}\n`);
    isAfterEmpty = line === "";
    row = [];
  };
  const handler: XmlHandler = {
    isDone: () => text.isFull,
    open(name, attributes) {
      const element = localName(name);
      if (element === "row") {
        const at = Number(attributeOf(attributes, "r") ?? lastRow + 1);
        if (at > lastRow + 1) endRow();
        [lastRow, column] = [at, 0];
      } else if (element === "c") {
        const cellName = attributeOf(attributes, "r");
        column = columnOf(cellName) ?? column + 1;
        const type = attributeOf(attributes, "t") ?? "n";
        cell = { name: cellName, type, style: Number(attributeOf(attributes, "s") ?? 0) };
      } else if (cell && (element === "v" || element === "f" || element === "t")) {
        part = element;
        cell[part] ??= "";
      }
    },
    close(name) {
      const element = localName(name);
      part = undefined;
      if (element === "row") endRow();
      else if (element === "c" && cell) {
        const shown = shownOf(cell, workbook);
        if (shown !== "") row[column - 1] = csvCell(shown + linkOf(cell.name, cell.f, shown));
        cell = undefined;
      }
    },
    text(characters) {
      if (cell && part) cell[part] += characters;
    },
  };
  scanXml(
    xml,
    withoutElements(handler, (name) => localName(name) === "rPh"),
  );
}

/** Returns the number of a column by the name of a cell, such as 28 for `AB7`. */
function columnOf(name: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(name ?? "")?.[0].toUpperCase();
  if (letters === undefined) return undefined;
  const column = [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
  return column <= MAX_COLUMNS ? column : undefined;
}

function shownOf(cell: Cell, { strings, formats }: Workbook): string {
  const { type, v = "", t = "" } = cell;
  if (cell.f !== undefined && v === "" && (type !== "str" || cell.v === undefined)) {
    return cell.f === "" ? UNKNOWN_FORMULA : `=${cell.f}`;
  }
  if (type === "inlineStr") return unescaped(t);
  if (v === "") return "";
  if (type === "s") return strings[Number(v)] ?? "";
  if (type === "b") return v === "1" ? "true" : "false";
  if (type !== "n") return unescaped(v);
  const number = Number(v);
  return Number.isFinite(number) ? (formats[cell.style] ?? plainNumber)(number) : v;
}

/** Returns a cell of CSV, in quotes if it needs them. */
export const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
