/** Limits of a formula, the same on the page and in exported files. KaTeX's own defaults allow large and slow output. */

/** No links, resources, ids or classes from a formula; bounded size; no warnings for input that LaTeX would reject. */
export const FORMULA_OPTIONS = { trust: false, strict: "ignore", maxSize: 20 } as const;
const MOST_EXPANSIONS = 500;
const DEFINES = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![a-z])/i;
/** Longer formulas (UTF-16 units) stay as written: rendering one takes many times as long as parsing it. */
export const LONGEST_FORMULA = 4000;

/**
 * Returns the limit of macro expansions: a formula with own macros must not expand to more than
 * {@link LONGEST_FORMULA}.
 */
export const expansionsOf = (source: string): number =>
  DEFINES.test(source) ? Math.floor(LONGEST_FORMULA / source.length) : MOST_EXPANSIONS;
