import Papa from "papaparse";
import { INVITATION_NOTE_MAX, newInvitationSchema } from "#contract/administration/invitations.ts";
import { oneLine } from "#contract/text/name-text.ts";
import { type FoundAddress, findAddresses } from "./find-addresses.ts";

/** `no-address`: a line without one. `duplicate`: an earlier line has the same address. */
export type ListProblem = "no-address" | "invalid-address" | "duplicate";

/**
 * An address of a list, or a line without one, whose `address` is its text. `line`: number of its line or row, from 1.
 * `note`: the rest of the line.
 */
export type ListLine = { line: number; address: string; note: string; problem: ListProblem | null };

/** Cells of a line, and its number. */
type Row = { line: number; cells: string[] };

/** Of a line without an address, in UTF-16 units. */
const SHOWN_MAX = 100;
const SEPARATORS = ["\t", ";", ","] as const;
/** Rows by which the separator is found. */
const SAMPLE = 100;
/** Cells of a pasted line. Quotes and angle brackets protect separators; unpaired ones are ordinary signs. */
const CELLS = /(?:"[^"]*"|<[^<>]*>|[^,;\t])+/g;

/**
 * Reads a list of addresses: one a line, or separated by commas, semicolons or tabs, with names and notes beside.
 * @param isFile the text is a CSV file, whose column of addresses is found by its content
 */
export function readList(text: string, isFile: boolean): ListLine[] {
  // Cells that were copied from a spreadsheet have tabs between them, and quotes like a CSV file.
  const found = isFile || text.includes("\t") ? readTable(text) : readLines(text);
  const first = found[0];
  const isHeader = first?.problem === "no-address" && found.some(({ problem }) => problem === null);
  return markDuplicates(isHeader ? found.slice(1) : found);
}

function readLines(text: string): ListLine[] {
  const rows = text.split(/\r\n|\r|\n/).map((line, index) => ({ line: index + 1, cells: line.match(CELLS) ?? [] }));
  return rows.filter(hasText).flatMap(({ line, cells }) => {
    const found: { address: FoundAddress; note: string[] }[] = [];
    let before: string[] = [];
    for (const cell of cells.map((each) => each.trim()).filter((each) => each !== "")) {
      const addresses = findAddresses(cell);
      if (addresses.length === 0) before.push(cell.replaceAll('"', ""));
      for (const address of addresses) {
        found.push({ address, note: [...before, address.name] });
        before = [];
      }
    }
    const [only] = found;
    if (only && found.length === 1) return [toListLine(line, only.address.address, [...only.note, ...before])];
    // Of several addresses only a name in front of angle brackets belongs to its address for sure.
    const all = found.map(({ address, note }) => toListLine(line, address.address, address.isInBrackets ? note : []));
    return all.length > 0 ? all : [withoutAddress(line, cells)];
  });
}

function readTable(text: string): ListLine[] {
  const rows = parseRows(text, separatorOf(text)).filter(hasText);
  const column = columnOfAddresses(rows);
  return rows.flatMap(({ line, cells }) => {
    const others = cells.filter((cell, index) => index !== column && !cell.includes("@"));
    const found = findAddresses(cells[column] ?? "");
    if (found.length === 0) return [withoutAddress(line, cells)];
    return found.map(({ address, name }) => toListLine(line, address, found.length === 1 ? [name, ...others] : [name]));
  });
}

const hasText = ({ cells }: Row) => cells.some((cell) => cell.trim() !== "");

function parseRows(text: string, delimiter: string, preview = 0): Row[] {
  const { data } = Papa.parse<string[]>(text, { delimiter, preview });
  return data.map((cells, index) => ({ line: index + 1, cells }));
}

/** Returns the separator by which most cells are an address: one inside a cell would make its address invalid. */
function separatorOf(text: string): string {
  const counts = SEPARATORS.map((separator) => {
    const rows = parseRows(text, separator, SAMPLE);
    return rows.flatMap(({ cells }) => cells).filter(isOneAddress).length;
  });
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** Returns the index of the column with most addresses; the first of several. */
function columnOfAddresses(rows: readonly Row[]): number {
  const counts: number[] = [];
  for (const { cells } of rows) {
    for (const [index, cell] of cells.entries()) counts[index] = (counts[index] ?? 0) + (isOneAddress(cell) ? 1 : 0);
  }
  return counts.reduce((most, count, index) => (count > (counts[most] ?? 0) ? index : most), 0);
}

function isOneAddress(cell: string): boolean {
  const [found, ...more] = findAddresses(cell);
  return found !== undefined && more.length === 0 && isValid(found.address);
}

const isValid = (address: string) => newInvitationSchema.shape.address.safeParse(address).success;

function toListLine(line: number, address: string, note: readonly string[]): ListLine {
  const rest = oneLine(
    note
      .map((each) => each.trim())
      .filter((each) => each !== "")
      .join(", "),
  );
  // Without the first half of a pair of surrogates.
  const short = rest.slice(0, INVITATION_NOTE_MAX).replace(/[\uD800-\uDBFF]$/, "");
  return { line, address, note: short, problem: isValid(address) ? null : "invalid-address" };
}

function withoutAddress(line: number, cells: readonly string[]): ListLine {
  const text = oneLine(cells.join(" ")).slice(0, SHOWN_MAX);
  return { line, address: text, note: "", problem: "no-address" };
}

/** Addresses are compared as the server compares them. */
function markDuplicates(lines: readonly ListLine[]): ListLine[] {
  const seen = new Set<string>();
  return lines.map((line) => {
    if (line.problem !== null) return line;
    const key = line.address.normalize("NFC").toLowerCase();
    if (seen.has(key)) return { ...line, problem: "duplicate" };
    seen.add(key);
    return line;
  });
}
