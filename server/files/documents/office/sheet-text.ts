import { zipSync } from "fflate";
import readSheets from "read-excel-file/universal";
import { TextBuilder } from "../text-builder.ts";
import type { ZipEntries } from "./zip-entries.ts";

/** Entries of a workbook that have its cells: not drawings, charts, pivot tables, or data of other workbooks. */
export const isSheetEntry = (name: string): boolean =>
  /^xl\/(?:[^/]+\.xml|_rels\/[^/]+\.rels|worksheets\/[^/]+\.xml)$/.test(name);

/**
 * Returns the cells of a workbook as CSV (RFC 4180), each sheet below its name. Formulas count with their results,
 * dates as in ISO 8601. Empty cells at the end of a row, and more than one empty row, are left out.
 * @throws Error if there is no workbook in it
 */
export async function sheetText(entries: ZipEntries): Promise<string> {
  // Stored without compression: the library inflates large entries in threads of its own, which have no limits.
  const archive = zipSync(Object.fromEntries(entries), { level: 0 });
  const text = new TextBuilder();
  for (const { sheet, data } of await readSheets(archive.buffer)) {
    text.endLine();
    text.add(`\n# ${sheet}\n`);
    addRows(data, text);
    if (text.isFull) break;
  }
  return text.toString();
}

function addRows(rows: readonly (readonly unknown[])[], text: TextBuilder): void {
  let isAfterEmpty = true;
  for (const row of rows) {
    if (text.isFull) return;
    const length = row.findLastIndex((cell) => csvCell(cell) !== "") + 1;
    const line = row.slice(0, length).map(csvCell).join(",");
    if (line !== "" || !isAfterEmpty) text.add(`${line}\n`);
    isAfterEmpty = line === "";
  }
}

function csvCell(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  const text = cell instanceof Date ? isoDate(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** In ISO 8601, rounded to seconds; without the time at midnight. Cells have no time zone. */
function isoDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  const rounded = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString();
  return rounded.replace(/(?:T00:00:00)?\.000Z$/, "");
}
