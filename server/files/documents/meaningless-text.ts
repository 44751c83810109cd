/** Share of characters without a meaning above which a text is not readable. */
const MAX_MEANINGLESS = 0.2;
/** Control characters other than white space, private use, unassigned, and the replacement character. */
const MEANINGLESS = /[\p{Co}\p{Cn}\uFFFD]|(?!\s)\p{Cc}/gu;

/** Share of neighbouring letters of different scripts above which the letters of a text are numbers of glyphs. */
const MAX_CHANGES = 0.25;
/** Scripts of a text from which on their changes count: formulas and names mix two or three. */
const MIN_SCRIPTS = 5;
/** Letters from which on their scripts say something. */
const MIN_LETTERS = 30;
/** Letters that are compared. */
const SAMPLE = 5000;

/** Scripts that stand beside each other in words, and scripts with letters in several blocks of 256. */
const FAMILIES = [
  /[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]/u,
  /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}]/u,
  /\p{sc=Arab}/u,
  /\p{sc=Ethi}/u,
  /\p{sc=Cans}/u,
  /\p{sc=Yiii}/u,
  /\p{sc=Egyp}/u,
  /\p{sc=Xsux}/u,
  /\p{sc=Geor}/u,
  /\p{sc=Khmr}/u,
  /\p{sc=Mymr}/u,
];
const BLOCK_BITS = 8;

/**
 * Returns whether the characters of a text of a PDF say nothing to a reader: they have no meaning, or they are those
 * whose numbers the glyphs of a font without a map happen to have. Such letters come from many scripts without order,
 * while words of any language have one.
 */
export function isMeaningless(text: string): boolean {
  return (text.match(MEANINGLESS)?.length ?? 0) > text.length * MAX_MEANINGLESS || isMixed(text);
}

function isMixed(text: string): boolean {
  const families = new Set<number>();
  let [letters, pairs, changes] = [0, 0, 0];
  for (const word of text.matchAll(/\p{L}[\p{L}\p{M}]*/gu)) {
    let last: number | undefined;
    for (const [letter] of word[0].matchAll(/\p{L}/gu)) {
      const family = familyOf(letter);
      if (last !== undefined) pairs++;
      if (last !== undefined && last !== family) changes++;
      families.add(family);
      last = family;
      letters++;
    }
    if (letters > SAMPLE) break;
  }
  return letters >= MIN_LETTERS && families.size >= MIN_SCRIPTS && changes > pairs * MAX_CHANGES;
}

/** Returns a number that letters of one script share; negative for a block. */
function familyOf(letter: string): number {
  const known = FAMILIES.findIndex((family) => family.test(letter));
  return known === -1 ? -1 - ((letter.codePointAt(0) ?? 0) >> BLOCK_BITS) : known;
}
