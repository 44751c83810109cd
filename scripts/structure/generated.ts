// Generates from scripts/zones.ts: the import rules in biome.json and their picture in ARCHITECTURE.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { root } from "../child.mjs";
import { importOverrides, withImportOverrides } from "./biome-imports.ts";
import { pictureOf, withPicture } from "./picture.ts";
import type { ZoneTable } from "./zone-table.ts";

export const biomeFile = join(root, "biome.json");
export const architectureFile = join(root, "ARCHITECTURE.md");

/** Returns the expected content of the two files. @param folders folders of the repository with source files */
export function generatedFiles(table: ZoneTable, folders: readonly string[]): { biome: string; architecture: string } {
  return {
    biome: withImportOverrides(readFileSync(biomeFile, "utf8"), importOverrides(table, folders)),
    architecture: withPicture(readFileSync(architectureFile, "utf8"), pictureOf(table)),
  };
}

/** Returns a sentence for each file that differs from its generated content. */
export function generatedProblems(table: ZoneTable, folders: readonly string[]): string[] {
  const { biome, architecture } = generatedFiles(table, folders);
  const stale = (file: string) => `${file} differs from scripts/zones.ts: run \`npm run zones\`.`;
  const isSame = isDeepStrictEqual(JSON.parse(biome), JSON.parse(readFileSync(biomeFile, "utf8")));
  return [
    ...(isSame ? [] : [stale("biome.json")]),
    ...(architecture === readFileSync(architectureFile, "utf8") ? [] : [stale("ARCHITECTURE.md")]),
  ];
}
