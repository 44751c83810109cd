import { readFile } from "node:fs/promises";
import { ConfigError } from "../config/config.ts";
import type { Catalogue } from "./catalogue.ts";
import { parseCatalogue } from "./parse-catalogue.ts";

/** Reads a `MODELS_FILE`. @throws ConfigError with all problems of the file */
export async function readCatalogue(file: string): Promise<Catalogue> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new ConfigError([`MODELS_FILE ${file} cannot be read`], { cause });
  });
  const parsed = parseCatalogue(text);
  if (parsed.ok) return parsed.catalogue;
  throw new ConfigError(parsed.problems.map((problem) => `MODELS_FILE ${file}: ${problem}`));
}
