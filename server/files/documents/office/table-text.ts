import type { TextBuilder } from "../text-builder.ts";

/** Tables in cells of tables beyond this depth have no brackets of their own. */
const MAX_DEPTH = 32;

/**
 * Writes tables: a line for a row, with tabs between its cells. A table in a cell is in brackets, as `[a | b; c | d]`, so
 * that its cells cannot be taken for those of the outer row.
 */
export class TableText {
  #openCells = 0;
  /** Whether nothing precedes in the innermost cell. */
  #isFresh = false;
  /** Numbers of begun rows and cells of the open tables in cells, the innermost last. */
  readonly #inner: { rows: number; cells: number }[] = [];
  /** Number of open tables beyond {@link MAX_DEPTH}. */
  #deeper = 0;

  get isInCell(): boolean {
    return this.#openCells > 0;
  }

  openTable(text: TextBuilder): void {
    if (!this.isInCell) return;
    if (this.#inner.length === MAX_DEPTH) {
      this.#deeper++;
      return;
    }
    this.openParagraph(text);
    text.add("[");
    this.#inner.push({ rows: 0, cells: 0 });
    this.#isFresh = true;
  }

  closeTable(text: TextBuilder): void {
    if (this.#deeper > 0) this.#deeper--;
    else if (this.isInCell && this.#inner.pop()) text.add("]");
  }

  openRow(text: TextBuilder): void {
    const table = this.#inner.at(-1);
    if (!table || this.#deeper > 0) return;
    if (table.rows > 0) text.add("; ");
    table.rows++;
    table.cells = 0;
  }

  closeRow(text: TextBuilder): void {
    if (!this.isInCell) text.endLine();
  }

  openCell(text: TextBuilder): void {
    const table = this.#inner.at(-1);
    if (table) {
      if (table.cells > 0) text.add(" | ");
      table.cells++;
    }
    this.#openCells++;
    this.#isFresh = true;
  }

  closeCell(text: TextBuilder): void {
    if (this.#openCells > 0) this.#openCells--;
    if (!this.isInCell) text.add("\t");
    this.#isFresh = false;
  }

  /** Separates a paragraph of a cell from what precedes in the cell. */
  openParagraph(text: TextBuilder): void {
    if (this.isInCell && !this.#isFresh) text.separate(" ");
    this.#isFresh = false;
  }

  /** Breaks a line. In a cell it is a blank, because a row is a line. */
  breakLine(text: TextBuilder): void {
    if (this.isInCell) text.separate(" ");
    else text.add("\n");
  }
}
