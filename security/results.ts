import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../scripts/child.mjs";
import type { Row } from "./report.ts";

/** Where `npm test` reads what a run came to. */
export const resultsFile = join(root, "test-results", "security.json");

/** Counts rows. */
export async function writeResults(rows: readonly Row[], skipped: readonly string[]): Promise<void> {
  await mkdir(join(root, "test-results"), { recursive: true });
  const failed = rows.filter(({ held }) => !held).length;
  const counts = { passed: rows.length - failed, failed, skipped: skipped.length };
  await writeFile(resultsFile, `${JSON.stringify({ ...counts, rows, skippedParts: skipped }, null, 2)}\n`);
}
