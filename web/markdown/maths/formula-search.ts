import { SINGLE_DOLLARS, singleFormula } from "#contract/text/single-dollars.ts";

/** Formulas as the lazy `dollar-formulas.ts` recognizes them. Group 1: the text between single dollars. */
const FORMULA = new RegExp(String.raw`\$\$|\\[[(]|^[ \t>]*\\begin\{|(?<![\w\\$])\$${SINGLE_DOLLARS}`, "gm");
/** Maximum distance between the single dollars of a formula, in UTF-16 units. */
const FARTHEST = 4002;

/** Incremental search for the first formula of a growing text: each call scans only the new text. */
export class FormulaSearch {
  #text = "";
  #found: number | null = null;

  /** @returns a position in the text, null if it has no formula */
  find(text: string): number | null {
    if (text === this.#text) return this.#found;
    const isGrown = text.startsWith(this.#text);
    if (!isGrown || this.#found === null) {
      const seen = isGrown ? this.#text.length : 0;
      // A formula in single dollars may have begun earlier in the unfinished line.
      this.#found = findFrom(text, Math.max(text.lastIndexOf("\n", seen - 1), seen - FARTHEST, 0));
    }
    this.#text = text;
    return this.#found;
  }
}

function findFrom(text: string, from: number): number | null {
  const formula = new RegExp(FORMULA);
  formula.lastIndex = from;
  for (let found = formula.exec(text); found; found = formula.exec(text)) {
    if (found[1] === undefined || singleFormula(found[1]) !== null) return found.index;
    formula.lastIndex = found.index + 1;
  }
  return null;
}
