/**
 * Words between single dollars that touch both of them, in one line, with nothing that touches the last one from behind:
 * perhaps a formula. Names of variables are none.
 */
export const SINGLE_DOLLARS = String.raw`([^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\w$])`;

/** Longer ones (UTF-16 units) stay as they were written. */
const LONGEST = 4000;
/** What only words between two prices begin, end or hold. */
const ODD_START = /^["”’»),;!?*]./;
const ODD_END = /.["“„«(/]$/s;
const ODD = /\*\*|(?<=\S)[*_](?=\s)|[€£¥₹₽]/;
/** Only formulas have these. */
const SIGN = /[\\^_=<>{}]/;
const SIGN_BEHIND_NUMBER = /[\\^_{}]/;
const NAMES =
  "sin|cos|tan|ln|lg|log|exp|lim|max|min|mod|gcd|lcm|det|dim|ker|arg|deg|sup|inf|div|rot|curl|grad|rank|var|cov|d\\p{L}";
/** A word of a sentence. */
const wordOf = (letters: number) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?!(?:${NAMES})(?!\\p{L}))\\p{Script=Latin}{${letters},}(?![\\p{L}\\p{N}])`, "u");
const PROSE = wordOf(3);
/** What begins with a number may be a price. */
const PROSE_BEHIND_NUMBER = wordOf(2);
/** Scripts in which nobody writes a formula. */
const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}\p{Script=Greek}]/u;

/** Whether what stands between single dollars is a formula, and not what is written between two prices. */
export function isSingleFormula(words: string): boolean {
  if (words.length > LONGEST || ODD_START.test(words) || ODD_END.test(words) || ODD.test(words)) return false;
  const isNumber = /^\d/.test(words);
  if ((isNumber ? SIGN_BEHIND_NUMBER : SIGN).test(words)) return true;
  return !OTHER_SCRIPT.test(words) && !(isNumber ? PROSE_BEHIND_NUMBER : PROSE).test(words);
}
