import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/child.mjs";
import { isLine, type LineId } from "./lines.ts";

const files = ["{contract,server,web,testing,scripts}/**/*.test.{ts,tsx}", "e2e/**/*.spec.ts"];
/** Names of tests; a line's id stands in them as a word. */
const NAMES = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^)\n]*\))?\(\s*(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g;

/** The test files of this repository whose tests name a line. */
export function testsByLine(): Map<LineId, string[]> {
  const found = new Map<LineId, string[]>();
  for (const file of globSync(files, { cwd: root, exclude: (path) => path.includes("node_modules") }).sort()) {
    for (const [, , name = ""] of readFileSync(join(root, file), "utf8").matchAll(NAMES)) {
      for (const id of idsIn(name)) {
        const known = found.get(id) ?? [];
        if (!known.includes(file)) found.set(id, [...known, file]);
      }
    }
  }
  return found;
}

/** `E4`, and each of `C1–C3`. */
export function idsIn(name: string): LineId[] {
  const ids = [...name.matchAll(/\b([A-J])(\d{1,2})(?:[–-]\1?(\d{1,2}))?\b/g)].flatMap(([, letter, from, to]) => {
    const first = Number(from);
    const last = Math.max(first, Number(to ?? first));
    return Array.from({ length: last - first + 1 }, (_, index) => `${letter}${first + index}`);
  });
  return ids.filter(isLine);
}
