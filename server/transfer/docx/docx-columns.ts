import type { Element, Root } from "hast";

/** Width of a character of the text, and of the margins of a cell, in pixels. */
const CHAR_PX = 8.6;
const CELL_PX = 16;
/** Longest word that is not divided, and longest text that widens its column, in characters. */
const MOST_OF = { word: 24, text: 60 };

/** Characters as wide as two of the Latin alphabet. */
const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/g;

/**
 * Returns the widths of a table's columns in pixels, by their words and texts; null for a table whose cells span others.
 * Word computes widths itself, LibreOffice does not.
 * @param width of the table, in pixels
 */
export function columnWidths(table: Element, width: number): number[] | null {
  const columns: { word: number; text: number }[] = [];
  for (const row of rowsOf(table)) {
    for (const [index, cell] of cellsOf(row).entries()) {
      if (cell.properties.colSpan !== undefined || cell.properties.rowSpan !== undefined) return null;
      const text = textOf(cell);
      const { word = 0, text: longest = 0 } = columns[index] ?? {};
      columns[index] = {
        word: Math.max(word, ...text.split(/\s+/).map(lengthOf)),
        text: Math.max(longest, lengthOf(text)),
      };
    }
  }
  const room = width - columns.length * CELL_PX;
  if (columns.length === 0 || room <= 0) return null;
  const least = columns.map(({ word }) => CHAR_PX * Math.min(Math.max(word, 1), MOST_OF.word));
  const most = columns.map(({ text }) => CHAR_PX * Math.min(Math.max(text, 1), MOST_OF.text));
  return share(room, least, most).map((px) => Math.floor(px + CELL_PX));
}

/** Distributes the room for columns between their least and their greatest width. */
function share(room: number, least: readonly number[], most: readonly number[]): number[] {
  const [sumLeast, sumMost] = [sumOf(least), sumOf(most)];
  if (sumMost <= room) return most.map((px) => (px * room) / sumMost);
  if (sumLeast >= room) return shrink(room, least);
  const part = (room - sumLeast) / (sumMost - sumLeast);
  return least.map((px, index) => px + ((most[index] ?? px) - px) * part);
}

/** Shrinks the columns that are wider than all would be if they were equal. */
function shrink(room: number, least: readonly number[]): number[] {
  const equal = room / least.length;
  const wide = sumOf(least.filter((px) => px > equal));
  const left = room - sumOf(least.filter((px) => px <= equal));
  return least.map((px) => (px > equal ? (px * left) / wide : px));
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

const lengthOf = (text: string): number => text.length + (text.match(WIDE)?.length ?? 0);

const elementsIn = ({ children }: Element): Element[] => children.filter((child) => child.type === "element");

const rowsOf = (table: Element): Element[] =>
  elementsIn(table).flatMap((group) => (group.tagName === "tr" ? [group] : elementsIn(group)));

const cellsOf = (row: Element): Element[] =>
  elementsIn(row).filter(({ tagName }) => tagName === "td" || tagName === "th");

const textOf = (node: Root["children"][number]): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(textOf).join("") : "";
