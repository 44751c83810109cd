import { format, getFormatDateInfo, isDateFormat } from "numfmt";

/** A number format, prepared for the numbers of many cells. */
export type CellFormat = (value: number) => string;

/** Days from 1899-12-30 to 1904-01-01, with which the calendar of older workbooks of the Macintosh begins. */
const DAYS_TO_1904 = 1462;
const MS_PER_DAY = 86_400_000;
/** Serial number of 1899-12-30 in days before 1970. */
const DAYS_TO_1970 = 25_569;
/** Before March 1900, serial numbers count a day too many: Excel has a 29 February 1900. */
const FIRST_SOUND_DAY = 61;
/** Longest format code that Excel accepts. */
const MAX_CODE = 255;
/** Significant digits of Excel, so that 0.1 + 0.2 is 0.3. */
const DIGITS = 15;

/** Codes of formats that files name by id only (ECMA-376 part 1, 18.8.30). */
const builtIn: Readonly<Record<number, string>> = {
  ...{ 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??" },
  ...{ 14: "m/d/yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy" },
  ...{ 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yyyy h:mm" },
  ...{ 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)" },
  ...{ 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@" },
  ...Object.fromEntries([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, "yyyy-mm-dd"])),
  ...Object.fromEntries([32, 33, 34, 35, 55, 56].map((id) => [id, "h:mm:ss"])),
};

/**
 * Returns a format by its code, or by its id if a workbook has no code for it. Numbers are shown as the spreadsheet
 * shows them, in English. Dates with day and month are in ISO 8601, because 1/2 is ambiguous. A code that cannot be read
 * shows the plain number.
 * @param is1904 whether serial numbers of dates count from 1904
 */
export function cellFormatOf(id: number, code = builtIn[id], is1904 = false): CellFormat {
  if (code === undefined || code.length > MAX_CODE || /^(?:general|@)?$/i.test(code)) return plainNumber;
  try {
    return isDateFormat(code) ? dateFormat(code, is1904 ? DAYS_TO_1904 : 0) : numberFormat(code);
  } catch {
    return plainNumber;
  }
}

export const plainNumber: CellFormat = (value) => String(Number(value.toPrecision(DIGITS)));

function dateFormat(code: string, epoch: number): CellFormat {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code);
  const hasTime = hours || minutes || seconds;
  const shown = numberFormat(code);
  if (month && day) return (value) => isoDate(value + epoch) ?? shown(value);
  return year || month || day || !hasTime ? (value) => shown(value + epoch) : shown;
}

function numberFormat(code: string): CellFormat {
  // Excel takes only the language of dates from the locale of a currency, no separators.
  const spoken = code.replaceAll(/\[\$([^\]-]+)-[^\]]*\]/g, '"$1"');
  const isFine = /\.[0#?]{7,}/.test(code);
  return (value) => {
    // The library rounds the text of a number, which has an exponent below this.
    if (isFine && value !== 0 && Math.abs(value) < 1e-6) return plainNumber(value);
    try {
      const shown = format(spoken, value, { nbsp: false }).trim();
      // A code without digits hides the number, but no information is to be lost.
      return shown === "" || /^#+$/.test(shown) ? plainNumber(value) : shown;
    } catch {
      return plainNumber(value);
    }
  };
}

/**
 * Returns a date in ISO 8601, rounded to seconds, without the time at midnight. Cells have no time zone. The result is
 * undefined for times without a date, and for dates beyond the calendar.
 */
function isoDate(serial: number): string | undefined {
  const days = serial < FIRST_SOUND_DAY ? serial + 1 : serial;
  const date = new Date(Math.round(((days - DAYS_TO_1970) * MS_PER_DAY) / 1000) * 1000);
  if (serial < 1 || Number.isNaN(date.getTime())) return undefined;
  return date.toISOString().replace(/(?:T00:00:00)?\.000Z$/, "");
}
