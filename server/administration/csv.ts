/** Begins a CSV: a byte order mark, without which Excel does not read UTF-8. */
export const CSV_START = "\uFEFF";

/** Returns a line of a CSV (RFC 4180). An absent value is an empty cell. */
export function csvLine(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/** Texts that spreadsheets take for a formula, which could send cells to a server. */
const FORMULA = /^[=+\-@\t\r]/;

/** @see https://owasp.org/www-community/attacks/CSV_Injection */
function cellOf(value: string | number | undefined): string {
  if (typeof value !== "string") return value === undefined ? "" : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
