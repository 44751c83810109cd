// The structure of the code base: import rules, cycles of folders, names, times, lengths of functions, sizes of folders, states of replies, sole importers, ways out of the server, titles of tests, tooltips, icons, the index of decisions, the picture of the import rules, and ARCHITECTURE.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../child.mjs";
import { zoneTable } from "../zones.ts";
import { architectureProblems, productFolders } from "./architecture.ts";
import { decisionProblems, readDecisions } from "./decisions.ts";
import { folderSizeProblems } from "./folder-sizes.ts";
import { functionLengthProblems } from "./function-lengths.ts";
import { architectureFile, generatedProblems } from "./generated.ts";
import { iconProblems } from "./icons.ts";
import { folderCycleProblems, importProblems, tableProblems } from "./import-rules.ts";
import { deniedTestingWords, deniedWebWords, deniedWordProblems, nameProblems } from "./names.ts";
import { outboundProblems } from "./outbound.ts";
import { replyStateProblems } from "./reply-states.ts";
import { soleImporterProblems } from "./sole-importers.ts";
import { readSourceFiles, sourceRoots } from "./source-files.ts";
import { testTitleProblems } from "./test-titles.ts";
import { timeFieldProblems } from "./time-fields.ts";
import { titleProblems } from "./title-attributes.ts";

/** Runs all checks; `problems` contains a sentence for each failure. */
export function checkStructure(): { passed: number; problems: string[] } {
  const files = readSourceFiles(sourceRoots);
  const paths = files.map(({ path }) => path);
  const checks = [
    tableProblems(zoneTable, paths),
    importProblems(zoneTable, files),
    folderCycleProblems(files),
    nameProblems(files, ["contract", "server", "web", "testing"]),
    deniedWordProblems(files, "web", deniedWebWords),
    deniedWordProblems(files, "testing", deniedTestingWords),
    titleProblems(files),
    timeFieldProblems(files),
    functionLengthProblems(files),
    folderSizeProblems(files),
    replyStateProblems(files),
    soleImporterProblems(files),
    outboundProblems(files),
    testTitleProblems(files),
    iconProblems(readFileSync(join(root, "web/ui/icons.md"), "utf8"), files),
    decisionProblems(readDecisions()),
    generatedProblems(zoneTable),
    architectureProblems(readFileSync(architectureFile, "utf8"), productFolders()),
  ];
  return { passed: checks.filter((problems) => problems.length === 0).length, problems: checks.flat() };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { passed, problems } = checkStructure();
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`${passed} checks of the structure hold, ${problems.length} problems\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
