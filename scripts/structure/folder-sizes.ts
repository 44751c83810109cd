import { dirname } from "node:path";

/** Largest number of source files directly in a folder, without tests. */
export const FOLDER_MAX_FILES = 20;

const checked = /^(?:contract|server|web|testing)\//;
/** One file for each change of the schema. */
const EXCEPT = "server/database/migrations";

/** Finds folders with more files than a reader can keep apart. */
export function folderSizeProblems(files: readonly { path: string; isTest: boolean }[]): string[] {
  const counts = new Map<string, number>();
  for (const { path, isTest } of files) {
    const folder = dirname(path);
    if (!isTest && checked.test(path) && folder !== EXCEPT) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > FOLDER_MAX_FILES)
    .map(([folder, count]) => `${folder} has ${count} source files, ${FOLDER_MAX_FILES} are allowed.`);
}
