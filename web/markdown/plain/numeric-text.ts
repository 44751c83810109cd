/** Currency: a sign, with letters as in US$, an ISO code or one of the usual abbreviations in words. */
const CURRENCY = String.raw`(?:\p{Lu}{0,3}\p{Sc}|(?<!\p{Nd})(?:[A-Z]{3}|[Kk]r|Kč|zł|Ft|lei|Fr|Rp|RM|лв|руб|د\.إ|ر\.س)\.?(?!\p{Nd}))`;
const SIGN = String.raw`[+\-−–±~≈<>≤≥]`;
/** Separators of groups and decimals: also apostrophes, the Arabic marks, the middle dot and any space. */
const SEPARATOR = String.raw`[.,'’·٫٬．，\p{Zs}]`;
const DIGITS = String.raw`${SEPARATOR}?\p{Nd}+(?:${SEPARATOR}\p{Nd}+)*`;
const EXPONENT = String.raw`(?:[eE][+\-−]?\p{Nd}+)?`;
const PERCENT = "[%‰٪؉％﹪]";
const NUMBER = new RegExp(
  String.raw`^(?:${SIGN}\s?)?(?:${CURRENCY}\s?)?(?:${SIGN}\s?)?(?:${PERCENT})?${DIGITS}${EXPONENT}(?:\s?(?:${PERCENT}|${CURRENCY}))?$`,
  "u",
);
const BIDI_MARKS = /[\u061C\u200E\u200F\u2066-\u2069]/g;
const IN_BRACKETS = /^\((.*)\)$/;
/** A longer text (UTF-16 units) is not a number. */
const LONGEST = 40;

/** Returns whether a text is one number, in any script, with a sign, a currency or a percent sign if it has one. */
export function isNumericText(text: string): boolean {
  const words = text.replaceAll(BIDI_MARKS, "").trim();
  if (words.length > LONGEST) return false;
  // Accounts write negative numbers in brackets.
  return NUMBER.test(IN_BRACKETS.exec(words)?.[1] ?? words);
}
