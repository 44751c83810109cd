import { normalizeText } from "#contract/text/normalize-text.ts";

/** Diacritics that search ignores: of Latin, Greek, Cyrillic, Hebrew and Arabic, and tatweel. */
export const ACCENTS = new RegExp(
  [
    "\\u0640",
    "\\p{Variation_Selector}",
    "[\\u0300-\\u036F\\u0483-\\u0489]",
    "[\\u0591-\\u05C7]",
    "[\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u06D6-\\u06ED\\u08CA-\\u08FF]",
    "[\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]",
  ].join("|"),
  "gu",
);
const PLAIN = /^\p{ASCII}*$/u;

/**
 * Folds a letter with its marks, or a whole text, for search: equal for all Unicode compositions, cases and accents.
 * Vowel signs of Indic scripts and Japanese voicing marks are kept: without them it is another word.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  // Upper case first, because ß and ſ are lower case already.
  const lowered = normalizeText(text, "NFKD").toUpperCase().toLowerCase();
  // The final form ς depends on the letters around it.
  const plain = normalizeText(lowered, "NFKD").replace(ACCENTS, "").replaceAll("ς", "σ");
  return normalizeText(plain, "NFC");
}
