import { MAX_TEXT_CHARS } from "../../document-text.ts";
import { TextBuilder } from "../../text-builder.ts";
import { commentLine, targetMark } from "../marks.ts";
import { attributeOf, scanXml, withoutElements, type XmlHandler } from "../scan-xml.ts";
import { csvCell, MAX_COLUMNS } from "../sheets/sheet-text.ts";
import type { ZipEntries } from "../zip-entries.ts";
import { AnnotationReader } from "./open-annotation.ts";
import { blanksOf, countOf, isLeftOut, openDocumentContent } from "./open-document.ts";
import { type ObjectText, openObjects } from "./open-objects.ts";
import { OpenStyles } from "./open-styles.ts";

/**
 * Returns the cells of an OpenDocument spreadsheet as CSV (RFC 4180), each sheet below its name, as the spreadsheet
 * shows them. Comments and charts are below the cells of their sheet. Empty cells at the end of a row, and more than one
 * empty row, are left out.
 * @throws EncryptedDocument; BrokenDocument if there is no content in it
 */
export function odsText(entries: ZipEntries): string {
  const content = openDocumentContent(entries);
  const text = new TextBuilder();
  const sheets = new OpenSheets(text, openObjects(entries));
  const handler: XmlHandler = {
    isDone: () => text.isFull,
    open: (name, attributes) => sheets.open(name, attributes),
    close: (name) => sheets.close(name),
    text: (characters) => sheets.text(characters),
  };
  const isSkipped = (name: string, attributes: string) =>
    isLeftOut(name, attributes) || name === "svg:title" || name === "svg:desc";
  scanXml(content, withoutElements(handler, isSkipped));
  return text.toString();
}

/** An open cell. `repeats`: number of equal cells; `otherwise`: shown if the cell has no text. */
type Cell = { shown: string; repeats: number; otherwise: string };

class OpenSheets {
  readonly #text: TextBuilder;
  readonly #objectText: ObjectText;
  readonly #styles = new OpenStyles();
  readonly #annotations = new AnnotationReader();
  /** Comments and charts of the sheet. */
  #comments: string[] = [];
  #charts: string[] = [];
  #row: string[] = [];
  #rowRepeats = 1;
  /** Numbers of the row and column, from 0 on. */
  #at = { row: 0, column: 0 };
  #cell: Cell | undefined;
  #link: { target: string | undefined; from: number } | undefined;
  #paragraphs = 0;
  #isAfterEmpty = true;

  constructor(text: TextBuilder, objectText: ObjectText) {
    this.#text = text;
    this.#objectText = objectText;
  }

  open(name: string, attributes: string): void {
    const attribute = (key: string) => attributeOf(attributes, key);
    if (this.#annotations.open(name, attributes)) return;
    this.#styles.read(name, attributes);
    if (name === "table:table") this.#openSheet(attribute);
    else if (name === "table:table-row") {
      [this.#row, this.#rowRepeats, this.#at.column] = [[], countOf(attribute("table:number-rows-repeated")), 0];
    } else if (isCell(name)) [this.#cell, this.#paragraphs] = [cellOf(attribute), 0];
    else if (name === "draw:object") this.#charts.push(this.#objectText(attribute("xlink:href")));
    else if (name === "text:a" && this.#cell) {
      this.#link = { target: attribute("xlink:href"), from: this.#cell.shown.length };
    } else if (this.#cell) this.#cell.shown += blanksFor(name, attributes, this.#cell.shown);
    if (name === "text:p") this.#paragraphs += 1;
  }

  close(name: string): void {
    if (this.#annotations.isOpen) {
      const comment = this.#annotations.close(name);
      if (comment) this.#comments.push(`${cellName(this.#at)}: ${commentLine("", comment.words)}`);
      return;
    }
    const cell = this.#cell;
    if (name === "text:p") this.#paragraphs -= 1;
    else if (name === "text:a" && cell && this.#link) {
      cell.shown += targetMark(this.#link.target, cell.shown.slice(this.#link.from));
      this.#link = undefined;
    } else if (name === "table:table-row") this.#endRow();
    else if (name === "table:table") this.#endSheet();
    else if (isCell(name) && cell) {
      addCell(cell, this.#row, this.#at.column);
      this.#at.column += cell.repeats;
      this.#cell = undefined;
    }
  }

  text(characters: string): void {
    if (this.#annotations.isOpen) this.#annotations.text(characters);
    // White space between elements is none of a cell.
    else if (this.#cell && this.#paragraphs > 0) this.#cell.shown += characters.replaceAll(/\s+/g, " ");
  }

  #openSheet(attribute: (key: string) => string | undefined): void {
    const isHidden = this.#styles.hiddenTables.has(attribute("table:style-name") ?? "");
    this.#text.endLine();
    this.#text.add(`\n# ${attribute("table:name") ?? ""}${isHidden ? " (hidden)" : ""}\n`);
    this.#isAfterEmpty = true;
    [this.#comments, this.#charts, this.#at] = [[], [], { row: 0, column: 0 }];
  }

  #endRow(): void {
    const line = this.#row.join(",");
    for (
      let times = 0;
      times < this.#rowRepeats && !this.#text.isFull && !(line === "" && this.#isAfterEmpty);
      times++
    ) {
      this.#text.add(`${line}\n`);
      this.#isAfterEmpty = line === "";
    }
    this.#at.row += this.#rowRepeats;
    this.#row = [];
  }

  #endSheet(): void {
    if (this.#comments.length > 0) this.#text.add(`[Comments]\n${this.#comments.join("\n")}\n`);
    for (const chart of this.#charts) if (chart !== "" && !this.#text.isFull) this.#text.add(`\n${chart}\n`);
  }
}

/** Returns the name of a cell, such as `AB7`, from its numbers, which begin at 0. */
function cellName({ row, column }: { row: number; column: number }): string {
  let letters = "";
  for (let rest = Math.min(column, MAX_COLUMNS); rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  }
  return `${letters}${row + 1}`;
}

const isCell = (name: string) => name === "table:table-cell" || name === "table:covered-table-cell";

/** Attributes with the result of a cell, which has a text beside it as a rule. */
const values = ["string-value", "date-value", "time-value", "boolean-value", "value"].map((name) => `office:${name}`);

function cellOf(attribute: (key: string) => string | undefined): Cell {
  const hasResult = attribute("office:value-type") !== undefined;
  const formula = (attribute("table:formula") ?? "").replace(/^\w+:/, "");
  const otherwise = hasResult ? (values.map(attribute).find((value) => value !== undefined) ?? "") : formula;
  return { shown: "", repeats: countOf(attribute("table:number-columns-repeated")), otherwise };
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
