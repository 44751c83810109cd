/** One pattern repeated to a length in UTF-16 units, never half a surrogate pair. */
const filled = (pattern: string, length: number) =>
  pattern
    .repeat(Math.ceil(length / pattern.length))
    .slice(0, length)
    .toWellFormed();

/** One of 20,000 Chinese characters, in an order in which each pair of neighbours is different. */
const ideograph = (at: number) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000));

/**
 * Texts of `length` UTF-16 units whose processing can take superlinear time: in normalisation, backtracking regular
 * expressions, segmentation, indexes, and Markdown.
 */
export function costlyTexts(length: number): Record<string, string> {
  const half = length / 2;
  return {
    "marks on one letter": filled(`a${"\u0301".repeat(half)}${"\u0316".repeat(half)}`, length),
    "marks alone": filled("\u0316\u0301", length),
    "marks on tatweel": filled(`ـ${"\u094d\u093c".repeat(8)}`, length),
    "Tibetan vowels": `ཀ${filled("\u0f72\u0f71", length - 1)}`,
    "leading jamo": filled("\u1100", length),
    "jamo on one syllable": `가${filled("\u1161\u11a8", length - 1)}`,
    "voicing marks": `ｶ${filled("ﾞ", length - 1)}`,
    "one Latin word": filled("a", length),
    "one Cyrillic word": filled("ж", length),
    "one ideograph": filled("漢", length),
    "different ideographs": Array.from({ length }, (_, at) => ideograph(at)).join(""),
    "Thai without spaces": filled("ไม่", length),
    "Korean without spaces": filled("한국어", length),
    "different words": Array.from({ length: length / 6 }, (_, at) => at.toString(36).padStart(5, "0")).join(" "),
    "one letter again and again": filled("a ", length),
    quotes: filled('"', length),
    "quotes before a letter": `${filled('"', length - 1)}a`,
    "curly quotes and letters": filled("“a", length),
    brackets: filled("[(", length),
    "stars and letters": filled("*a", length),
    "backticks and letters": filled("`a ", length),
    "signs of titles": filled("# ", length),
    "comments without an end": `<p>${filled("<!--", length - 3)}`,
    spaces: `a${filled(" ", length - 2)}b`,
    "line breaks": `a${filled("\r\n", length - 1)}`,
    "control characters": filled("\u0001", length),
    "zero-width characters": filled("\u200b\u200d", length),
    "letters and joiners": filled("a\u200d", length),
    "ligatures that decompose": filled("\ufdfa", length),
    families: filled("👩‍👩‍👧", length),
    flags: filled("🇩🇪", length),
    "variation selectors": `a${filled("\ufe0f", length - 1)}`,
    "half surrogate pairs": filled("\ud800a", length),
  };
}
