// `npm run figures` prints figures of the code base for each root, and the stages of recorded test runs beside each
// other. `--json` prints all details of the code base as JSON.
import { figuresOf, type RootFigures, type Uses } from "./structure/figures.ts";
import { readSourceFiles, sourceRoots } from "./structure/source-files.ts";
import { compareRecords, readRecords } from "./test/compare-records.ts";

const countOf = (uses: Uses) => uses.reduce((sum, { count }) => sum + count, 0);

const rows: readonly [name: string, numberOf: (figures: RootFigures) => number][] = [
  ["source files", ({ files }) => files],
  ["mean lines of a file", ({ meanLines }) => meanLines],
  ["lines of the longest file", ({ longestFile }) => longestFile.lines],
  ["files over 350 lines", ({ longFiles }) => longFiles.length],
  ["files in the largest folder", ({ largestFolders }) => largestFolders[0]?.files ?? 0],
  ["cycles of files", ({ fileCycles }) => fileCycles.length],
  ["cycles of folders", ({ folderCycles }) => folderCycles.length],
  ["dust (< 25 lines, one importer beside it)", ({ dust }) => dust.length],
  ["names exported by several files", ({ doubleExports }) => doubleExports.length],
  ["near names in one folder", ({ nearNames }) => nearNames.length],
  ["querySelector and closest", ({ domQueries }) => countOf(domQueries)],
  ["localStorage outside its wrapper", ({ storageUses }) => countOf(storageUses)],
  ["hand-written sets of listeners", ({ listenerSets }) => countOf(listenerSets)],
];

const usesIn = (uses: Uses) => uses.map(({ path, count }) => `${path} (${count})`);

const lists: readonly [name: string, linesOf: (figures: RootFigures) => string[]][] = [
  ["Largest folders", ({ largestFolders }) => largestFolders.map(({ path, files }) => `${path} (${files})`)],
  ["Longest files", ({ longestFile }) => [`${longestFile.path} (${longestFile.lines})`]],
  ["Files over 350 lines", ({ longFiles }) => longFiles],
  ["Cycles of files", ({ fileCycles }) => fileCycles.map((cycle) => cycle.join(" → "))],
  ["Cycles of folders", ({ folderCycles }) => folderCycles.map((cycle) => cycle.join(" → "))],
  ["Dust", ({ dust }) => dust],
  ["Names exported by several files", ({ root, doubleExports }) => doubleExports.map((name) => `${root}: ${name}`)],
  ["Near names", ({ nearNames }) => nearNames.map(([a, b]) => `${a}, ${b}`)],
  ["querySelector and closest", ({ domQueries }) => usesIn(domQueries)],
  ["localStorage outside its wrapper", ({ storageUses }) => usesIn(storageUses)],
  ["Hand-written sets of listeners", ({ listenerSets }) => usesIn(listenerSets)],
];

function tableOf(all: readonly RootFigures[]): string {
  return alignedRows([
    ["", ...all.map(({ root }) => root)],
    ...rows.map(([name, numberOf]) => [name, ...all.map((figures) => String(numberOf(figures)))]),
  ]);
}

/** Returns lines in which the cells of a column have the same width; all columns but the first are right-aligned. */
function alignedRows(lines: readonly string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(cell).join("  ").trimEnd()).join("\n");
}

function main(): void {
  const files = readSourceFiles(sourceRoots);
  const all = sourceRoots.map((root) => figuresOf(root, files));
  if (process.argv.includes("--json")) {
    process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
    return;
  }
  const details = lists.flatMap(([name, linesOf]) => {
    const found = all.flatMap(linesOf);
    return found.length === 0 ? [] : [`${name}:\n${found.map((line) => `  ${line}`).join("\n")}`];
  });
  const stages = ["test", "rest", "proof"].flatMap((length) => {
    const records = readRecords(length);
    return records.length === 0
      ? []
      : [`Stages of recorded runs (${length}):\n${alignedRows(compareRecords(records))}`];
  });
  process.stdout.write(`${[tableOf(all), ...details, ...stages].join("\n\n")}\n`);
}

main();
