import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/child.mjs";
import { isLine, type LineId } from "./lines.ts";

const files = ["{contract,server,web,testing,scripts}/**/*.test.{ts,tsx}", "e2e/**/*.spec.ts"];
/** Titles of tests and groups in a source file; the title of `it.each(...)` follows its closing bracket. */
const TITLES = /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g;
/** Ids at the beginning of a title, possibly mixed with ids of other lists (`R17`, `V4`). */
const LEADING_IDS = /^(?:[A-Z]\d{1,2}(?:[–-][A-Z]?\d{1,2})?(?=\s|$)\s*)+/;

/** Maps each line to the test files with a title that names it. Reads the sources and runs nothing. */
export function testsByLine(): Map<LineId, string[]> {
  const found = new Map<LineId, string[]>();
  for (const file of globSync(files, { cwd: root, exclude: (path) => path.includes("node_modules") }).sort()) {
    for (const [, , title = ""] of readFileSync(join(root, file), "utf8").matchAll(TITLES)) {
      for (const id of idsIn(title)) {
        const known = found.get(id) ?? [];
        if (!known.includes(file)) found.set(id, [...known, file]);
      }
    }
  }
  return found;
}

/** Returns the lines that a title names at its beginning: `E4`, and each line of `C1–C3`. */
export function idsIn(title: string): LineId[] {
  const [leading = ""] = LEADING_IDS.exec(title) ?? [];
  const ids = [...leading.matchAll(/\b([A-P])(\d{1,2})(?:[–-]\1?(\d{1,2}))?\b/g)].flatMap(([, letter, from, to]) => {
    const first = Number(from);
    const last = Math.max(first, Number(to ?? first));
    return Array.from({ length: last - first + 1 }, (_, index) => `${letter}${first + index}`);
  });
  return ids.filter(isLine);
}
