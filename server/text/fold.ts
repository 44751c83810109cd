import { normalizeText } from "#contract/text/normalize-text.ts";

/** Marks that make no other letter for who searches: of Latin, Greek, Cyrillic, Hebrew and Arabic, and tatweel. */
const ACCENTS = new RegExp(
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
 * A letter with all that hangs on it, or a whole text: however it is composed, whatever its case and its accents, it is
 * the same text for search. Vowel signs of Indic scripts and voicing marks of Japanese stay: without them it is another
 * word.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  // Both ways, as ß and ſ are lower case already.
  const lowered = normalizeText(text, "NFKD").toUpperCase().toLowerCase();
  // Which of the two stands where depends on the letters around it.
  const plain = normalizeText(lowered, "NFKD").replace(ACCENTS, "").replaceAll("ς", "σ");
  return normalizeText(plain, "NFC");
}
