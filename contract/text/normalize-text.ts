/**
 * Maximum of combining marks (code points) after one base character, vowels and finals of decomposed Hangul included.
 * No script needs as many; Unicode's Stream-Safe Text Format (UAX #15, section 13) allows 30.
 */
const MAX_MARKS = 16;

/** The half-width voicing marks U+FF9E and U+FF9F are letters that decompose into marks. */
const MARK = "[\\p{M}\\uFF9E\\uFF9F\\u1160-\\u11FF\\uD7B0-\\uD7FB]";
const MARKS = new RegExp(`(${MARK}{1,${MAX_MARKS}})${MARK}*`, "gu");
const LATIN_1 = /^[\0-\xff]*$/;

/**
 * Unicode normalisation in linear time, for text that is shown or searched. Drops combining marks beyond the first 16
 * of a base character before it normalises: `String.prototype.normalize` sorts the marks of one base character by
 * insertion, in n² steps. Not for identifiers of an account (usernames, addresses, passwords), where two texts must not
 * become equal; their length is bounded instead.
 */
export function normalizeText(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  return (LATIN_1.test(text) ? text : text.replace(MARKS, "$1")).normalize(form);
}
