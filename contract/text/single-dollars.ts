import { LONGEST_FORMULA } from "./formula-limits.ts";

/**
 * Pattern source for a possible formula: text up to a single closing dollar on one line, without white space at its
 * ends. No word character follows the dollar, which excludes names of variables, as in `$a/$b`.
 */
export const SINGLE_DOLLARS = String.raw`([^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\w$])`;

/** Beginnings, ends and contents that occur only in text between two prices. */
const ODD_START = /^["”’»),;!?*]./;
const ODD_END = /.["“„«(/]$/s;
const ODD = /\*\*|(?<=\S)[*_](?=\s)|[€£¥₹₽]/;
/** Characters that only formulas have. */
const SIGN = /[\\^_=<>{}]/;
const SIGN_BEHIND_NUMBER = /[\\^_{}]/;
const NAMES =
  "sin|cos|tan|ln|lg|log|exp|lim|max|min|mod|gcd|lcm|det|dim|ker|arg|deg|sup|inf|div|rot|curl|grad|rank|var|cov|d\\p{L}";
/** A word of a sentence. */
const wordOf = (letters: number) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?!(?:${NAMES})(?!\\p{L}))\\p{Script=Latin}{${letters},}(?![\\p{L}\\p{N}])`, "u");
const PROSE = wordOf(3);
/** Text that begins with a number may be a price: a word of two letters suffices. */
const PROSE_BEHIND_NUMBER = wordOf(2);
/** Letters of scripts that formulas do not use: neither Latin nor Greek. */
const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}\p{Script=Greek}]/u;

/** The form of GitHub, whose backticks are no part of the formula. */
const IN_BACKTICKS = /^`([^`]+)`$/;

/** Returns the formula between single dollars; null if it is text between two prices. */
export function singleFormula(words: string): string | null {
  const inner = IN_BACKTICKS.exec(words)?.[1];
  return inner ?? (isFormula(words) ? words : null);
}

function isFormula(words: string): boolean {
  if (words.length > LONGEST_FORMULA || ODD_START.test(words) || ODD_END.test(words) || ODD.test(words)) return false;
  const isNumber = /^\d/.test(words);
  if ((isNumber ? SIGN_BEHIND_NUMBER : SIGN).test(words)) return true;
  return !OTHER_SCRIPT.test(words) && !(isNumber ? PROSE_BEHIND_NUMBER : PROSE).test(words);
}
