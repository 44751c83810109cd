/** Begins a CSV: a byte order mark, without which Excel does not read UTF-8. */
export const CSV_START = "\uFEFF";

/** Returns a line of a CSV (RFC 4180). Texts are quoted. An absent value is an empty cell. */
export function csvLine(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/**
 * Signs that begin a formula, which could send cells to a server, in Western and in East Asian spreadsheets. They do at
 * the beginning of a text, and behind every sign that some spreadsheet separates cells or lines by. Quotes do not
 * prevent that: they are only read around a whole cell.
 */
const FORMULA = /(^|[;,|\t\r\n])([\s"]*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
/** Signs that spreadsheets skip before a formula. */
const SKIPPED = /^[\t\r\n]/;

/** @see https://owasp.org/www-community/attacks/CSV_Injection */
function cellOf(value: string | number | undefined): string {
  if (typeof value !== "string") return value === undefined ? "" : String(value);
  const text = value.replace(FORMULA, "$1$2'$3").replace(SKIPPED, "'$&");
  return `"${text.replaceAll('"', '""')}"`;
}
