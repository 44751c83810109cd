import { xlsxOf } from "../../testing/files/documents.ts";
import { linesOf, pdfFileOf, pdfObjects } from "../../testing/files/pdf-files.ts";

export const PAGES = 200;
/** Lines of a page; each has about 90 characters. */
const LINES = 45;
const ROWS = 10_000;
const COLUMNS = 10;
export const CELLS = ROWS * COLUMNS;

/** Returns a PDF of {@link PAGES} pages of text. */
export function longPdf(): Buffer {
  const line = (page: number, at: number) =>
    `Page ${page}, line ${at}: the quick brown fox jumps over the lazy dog, and reports it to the committee.`;
  const pages = Array.from({ length: PAGES }, (_, page) =>
    linesOf(...Array.from({ length: LINES }, (_line, at) => line(page, at))),
  );
  return pdfFileOf(pdfObjects(pages));
}

/** Returns a workbook of {@link CELLS} cells: texts, numbers and dates. */
export function longWorkbook(): Uint8Array {
  const cell = (row: number, column: number) => {
    if (column % 3 === 0) return `Item ${row} of group ${column}`;
    return column % 3 === 1 ? row * column + 0.25 : { days: 40_000 + (row % 5000) };
  };
  const rows = Array.from({ length: ROWS }, (_, row) => Array.from({ length: COLUMNS }, (_cell, at) => cell(row, at)));
  return xlsxOf({ Stock: rows });
}
