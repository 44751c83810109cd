import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../scripts/child.mjs";
import type { Report } from "./report.ts";

/** Where `npm test` reads what a run came to. */
export const resultsFile = join(root, "test-results", "torture.json");

/** Counts guarantees, each once. */
export async function writeResults({ guarantees, violations, skipped }: Report): Promise<void> {
  await mkdir(join(root, "test-results"), { recursive: true });
  const counts = { passed: guarantees, failed: violations.length, skipped: skipped.length };
  await writeFile(resultsFile, `${JSON.stringify({ ...counts, violations, skippedParts: skipped }, null, 2)}\n`);
}
