const LATIN = "abcdefghijklmnopqrstuvwxyz";
/** The letters of Russian lists: without ё, й, ъ, ы, ь. */
const RUSSIAN = "абвгдежзиклмнопрстуфхцчшщэюя";
/** Word repeats letters up to this often, as `ccc` for 55. */
const MAX_LETTERS = 30;

const roman: readonly (readonly [number, string])[] = [
  ...([
    [1000, "m"],
    [900, "cm"],
    [500, "d"],
    [400, "cd"],
  ] as const),
  ...([
    [100, "c"],
    [90, "xc"],
    [50, "l"],
    [40, "xl"],
  ] as const),
  ...([
    [10, "x"],
    [9, "ix"],
    [5, "v"],
    [4, "iv"],
    [1, "i"],
  ] as const),
];
const MAX_ROMAN = 3999;
const MAX_COUNTING = 9999;
const DIGITS = "零一二三四五六七八九";
const UNITS = ["", "十", "百", "千"];

type Format = (value: number) => string | undefined;

const upper =
  (format: Format): Format =>
  (value) =>
    format(value)?.toUpperCase();
const lowerRoman: Format = (value) => (value <= MAX_ROMAN ? romanOf(value) : undefined);
const lettersOf =
  (alphabet: string): Format =>
  (value) => {
    const times = Math.ceil(value / alphabet.length);
    return times <= MAX_LETTERS ? alphabet.charAt((value - 1) % alphabet.length).repeat(times) : undefined;
  };

/** Formats of positive numbers by their names in ECMA-376 part 1, 17.18.59, undefined beyond their range. */
const formats: Readonly<Record<string, Format>> = {
  decimalZero: (value) => String(value).padStart(2, "0"),
  lowerLetter: lettersOf(LATIN),
  upperLetter: upper(lettersOf(LATIN)),
  russianLower: lettersOf(RUSSIAN),
  russianUpper: upper(lettersOf(RUSSIAN)),
  lowerRoman,
  upperRoman: upper(lowerRoman),
  ordinal: (value) => `${value}${ordinalEnding(value)}`,
  numberInDash: (value) => `- ${value} -`,
  decimalEnclosedCircle: (value) => (value <= 20 ? String.fromCodePoint(0x2460 + value - 1) : undefined),
  chineseCounting: (value) => countingOf(value, "零"),
  chineseCountingThousand: (value) => countingOf(value, "零"),
  taiwaneseCounting: (value) => countingOf(value, "零"),
  taiwaneseCountingThousand: (value) => countingOf(value, "零"),
  japaneseCounting: (value) => countingOf(value, ""),
};

/**
 * Returns the number of a list's item in a format of ECMA-376 part 1, 17.18.59. Formats that are not known, and numbers
 * beyond the range of a format, are decimal.
 */
export function listNumber(value: number, format: string): string {
  return (value > 0 && Object.hasOwn(formats, format) ? formats[format]?.(value) : undefined) ?? String(value);
}

function romanOf(value: number): string {
  let [rest, digits] = [value, ""];
  for (const [worth, letters] of roman) {
    digits += letters.repeat(Math.floor(rest / worth));
    rest %= worth;
  }
  return digits;
}

function ordinalEnding(value: number): string {
  if (value % 100 >= 11 && value % 100 <= 13) return "th";
  return ["th", "st", "nd", "rd"][value % 10] ?? "th";
}

/** Returns a number in words of East Asia. @param zero stands for digits that are left out within */
function countingOf(value: number, zero: string): string | undefined {
  if (value > MAX_COUNTING) return undefined;
  const digits = [...String(value)].map(Number);
  const words = digits.map((digit, at) => {
    const unit = UNITS[digits.length - 1 - at] ?? "";
    if (digit === 0) return "0";
    return digit === 1 && unit !== "" && (zero === "" || (unit === "十" && at === 0))
      ? unit
      : `${DIGITS[digit]}${unit}`;
  });
  return words.join("").replace(/0+$/, "").replaceAll(/0+/g, zero);
}
