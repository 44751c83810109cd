/** Limits of a formula, the same on the page and in exported files. KaTeX's own defaults allow large and slow output. */

/** No links, resources, ids or classes from a formula; bounded size; no warnings for input that LaTeX would reject. */
export const FORMULA_OPTIONS = { trust: false, strict: "ignore", maxSize: 20 } as const;
const MOST_EXPANSIONS = 500;
const DEFINES = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![a-z])/i;
/** Commands that {@link FORMULA_OPTIONS} do not trust: KaTeX shows their names instead of the words in them. */
const UNTRUSTED = /\\(?:href|url|includegraphics|html(?:Class|Id|Style|Data))(?![a-z])/i;
/** Environments that KaTeX renders only as formulas of their own. */
const DISPLAYED = /\\begin\{(?:align|gather|equation|alignat|CD)\*?\}/;
/** Longer formulas (UTF-16 units) stay as written: rendering one takes many times as long as parsing it. */
export const LONGEST_FORMULA = 4000;

/**
 * Returns the limit of macro expansions: a formula with own macros must not expand to more than
 * {@link LONGEST_FORMULA}.
 */
export const expansionsOf = (source: string): number =>
  DEFINES.test(source) ? Math.floor(LONGEST_FORMULA / source.length) : MOST_EXPANSIONS;

/** Returns whether KaTeX may render a formula without loss of words. */
export const isRenderable = (source: string): boolean => source.length <= LONGEST_FORMULA && !UNTRUSTED.test(source);

export const needsDisplay = (source: string): boolean => DISPLAYED.test(source);

/** Returns a formula that cannot be rendered as it may be written. */
export const writtenFormula = (source: string, isDisplay: boolean): string =>
  isDisplay ? `$$\n${source}\n$$` : `$${source}$`;
