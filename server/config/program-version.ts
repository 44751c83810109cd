import { readFile } from "node:fs/promises";

/** Returns the version of the running program if it is called at the start: an update replaces the file. */
export async function readProgramVersion(): Promise<string> {
  // The relative path is the same from the bundle.
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  return String(version);
}
