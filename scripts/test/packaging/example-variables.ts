import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../child.mjs";

/** Names of the settings in .env.example, whether they are commented or not. */
export const exampleVariables: readonly string[] = [
  ...readFileSync(join(root, ".env.example"), "utf8").matchAll(/^#?([A-Z][A-Z_0-9]+)=/gm),
].map((match) => match[1] ?? "");
