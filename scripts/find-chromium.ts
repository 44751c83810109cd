import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Returns the Chromium for tests: CHROMIUM_PATH, else the first in the PATH; undefined if there is none. */
export function findChromium(): string | undefined {
  const told = process.env.CHROMIUM_PATH;
  if (told !== undefined && told !== "") return told;
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
}
