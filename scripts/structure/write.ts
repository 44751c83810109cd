// `npm run zones`: writes the files that are generated from scripts/zones.ts.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../child.mjs";
import { zoneTable } from "../zones.ts";
import { architectureFile, biomeFile, generatedFiles } from "./generated.ts";
import { sourceFolders } from "./source-files.ts";

const { biome, architecture } = generatedFiles(zoneTable, sourceFolders(zoneTable.roots.map(({ folder }) => folder)));
writeFileSync(biomeFile, biome);
writeFileSync(architectureFile, architecture);
const program = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
const { status } = spawnSync(process.execPath, [program, "format", "--write", biomeFile], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
