import { MAX_TEXT_CHARS } from "../../document-text.ts";
import { TextBuilder } from "../../text-builder.ts";
import { attributeOf, scanXml, withoutElements, type XmlHandler } from "../scan-xml.ts";
import { csvCell, MAX_COLUMNS } from "../sheets/sheet-text.ts";
import type { ZipEntries } from "../zip-entries.ts";
import { blanksOf, openDocumentContent, skipped } from "./odt-text.ts";

/** Elements whose text is no text of a cell. */
const isSkipped = (name: string): boolean => skipped.has(name) || name === "table:shapes";

/**
 * Returns the cells of an OpenDocument spreadsheet as CSV (RFC 4180), each sheet below its name, as the spreadsheet
 * shows them. Empty cells at the end of a row, and more than one empty row, are left out.
 * @throws EncryptedDocument; BrokenDocument if there is no content in it
 */
export function odsText(entries: ZipEntries): string {
  const text = new TextBuilder();
  scanXml(openDocumentContent(entries), withoutElements(sheetHandler(text), isSkipped));
  return text.toString();
}

/** An open cell. `repeats`: number of equal cells; `otherwise`: shown if the cell has no text. */
type Cell = { shown: string; repeats: number; otherwise: string };

function sheetHandler(text: TextBuilder): XmlHandler {
  const hiddenStyles = new Set<string>();
  let style = "";
  let [row, column, rowRepeats]: [string[], number, number] = [[], 0, 1];
  let cell: Cell | undefined;
  let isAfterEmpty = true;
  let paragraphs = 0;
  const endRow = () => {
    const line = row.join(",");
    for (let at = 0; at < rowRepeats && !text.isFull && (line !== "" || !isAfterEmpty); at++) {
      text.add(`${line}\n`);
      isAfterEmpty = line === "";
    }
    row = [];
  };
  return {
    isDone: () => text.isFull,
    open(name, attributes) {
      const attribute = (key: string) => attributeOf(attributes, key);
      if (name === "style:style") style = attribute("style:name") ?? "";
      else if (name === "style:table-properties" && attribute("table:display") === "false") hiddenStyles.add(style);
      else if (name === "table:table") {
        const isHidden = hiddenStyles.has(attribute("table:style-name") ?? "");
        text.add(`\n# ${attribute("table:name") ?? ""}${isHidden ? " (hidden)" : ""}\n`);
        isAfterEmpty = true;
      } else if (name === "table:table-row") {
        [row, column, rowRepeats] = [[], 0, repeatsOf(attribute("table:number-rows-repeated"))];
      } else if (isCell(name)) [cell, paragraphs] = [cellOf(attribute), 0];
      else if (cell) cell.shown += blanksFor(name, attributes, cell.shown);
      if (name === "text:p") paragraphs += 1;
    },
    close(name) {
      if (name === "text:p") paragraphs -= 1;
      else if (name === "table:table-row") endRow();
      else if (isCell(name) && cell) {
        addCell(cell, row, column);
        column += cell.repeats;
        cell = undefined;
      }
    },
    text(characters) {
      // White space between elements is none of a cell.
      if (cell && paragraphs > 0) cell.shown += characters.replaceAll(/\s+/g, " ");
    },
  };
}

const isCell = (name: string) => name === "table:table-cell" || name === "table:covered-table-cell";

function repeatsOf(value: string | undefined): number {
  const count = Number(value ?? 1);
  return Number.isInteger(count) && count > 0 ? count : 1;
}

/** Attributes with the result of a cell, which has a text beside it as a rule. */
const values = ["string-value", "date-value", "time-value", "boolean-value", "value"].map((name) => `office:${name}`);

function cellOf(attribute: (key: string) => string | undefined): Cell {
  const hasResult = attribute("office:value-type") !== undefined;
  const formula = (attribute("table:formula") ?? "").replace(/^\w+:/, "");
  const otherwise = hasResult ? (values.map(attribute).find((value) => value !== undefined) ?? "") : formula;
  return { shown: "", repeats: repeatsOf(attribute("table:number-columns-repeated")), otherwise };
}

function blanksFor(name: string, attributes: string, before: string): string {
  if (name === "text:s") return " ".repeat(blanksOf(attributes));
  if (name === "text:tab") return "\t";
  return name === "text:line-break" || (name === "text:p" && before !== "") ? "\n" : "";
}

/** Adds a cell and its repetitions, as many as a row and a text may have. */
function addCell({ shown, repeats, otherwise }: Cell, row: string[], column: number): void {
  const text = csvCell(shown === "" ? otherwise : shown);
  if (text === "") return;
  const count = Math.min(repeats, MAX_COLUMNS - column, Math.ceil(MAX_TEXT_CHARS / text.length));
  for (let at = 0; at < count; at++) row[column + at] = text;
}
