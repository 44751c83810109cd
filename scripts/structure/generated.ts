// Generates the picture of the import rules in ARCHITECTURE.md from scripts/zones.ts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../child.mjs";
import { pictureOf, withPicture } from "./picture.ts";
import type { ZoneTable } from "./zone-table.ts";

export const architectureFile = join(root, "ARCHITECTURE.md");

/** Returns ARCHITECTURE.md with its generated picture. */
export const generatedArchitecture = (table: ZoneTable): string =>
  withPicture(readFileSync(architectureFile, "utf8"), pictureOf(table));

/** Returns a sentence if ARCHITECTURE.md differs from its generated content. */
export function generatedProblems(table: ZoneTable): string[] {
  const isSame = generatedArchitecture(table) === readFileSync(architectureFile, "utf8");
  return isSame ? [] : [`${architectureFile} differs from scripts/zones.ts: run \`npm run zones\`.`];
}
