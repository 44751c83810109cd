import { isSingleFormula, SINGLE_DOLLARS } from "../blocks/single-dollars.ts";

/** As `dollar-formulas.ts`, which comes later, will read them. 1: what stands between single dollars. */
const FORMULA = new RegExp(String.raw`\$\$|\\[[(]|(?<![\w\\$])\$${SINGLE_DOLLARS}`, "g");
/** No single dollars are further apart (UTF-16 units). */
const FARTHEST = 4002;

/** Finds where the first formula of a growing text begins; of each text only what is new is looked at. */
export class FormulaSearch {
  #text = "";
  #found: number | null = null;

  /** @returns a place in the text, null where there is none */
  find(text: string): number | null {
    if (text === this.#text) return this.#found;
    const isGrown = text.startsWith(this.#text);
    if (!isGrown || this.#found === null) {
      const seen = isGrown ? this.#text.length : 0;
      // One in single dollars may have begun in the line that goes on.
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
    if (found[1] === undefined || isSingleFormula(found[1])) return found.index;
    formula.lastIndex = found.index + 1;
  }
  return null;
}
