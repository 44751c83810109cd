import { matchesGlob } from "node:path";
import { cyclesOf, folderCrossings, graphOf } from "./cycles.ts";
import { foldersOf, type SourceFile } from "./source-files.ts";
import type { PackageRule, Root, Zone, ZoneTable } from "./zone-table.ts";

export const pathsOf = ({ path }: Zone): readonly string[] => (typeof path === "string" ? [path] : path);
export const isFile = (path: string) => /\.[a-z]+$/.test(path);
export const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));

/** Returns whether a path of a zone or rule (folder, `folder/*`, file or `*-name.ts`) covers the file. */
export function covers(pattern: string, file: string): boolean {
  if (pattern.startsWith("*")) return matchesGlob(file.slice(file.lastIndexOf("/") + 1), pattern);
  if (pattern.endsWith("/*")) return folderOf(file) === pattern.slice(0, -2);
  return file === pattern || file.startsWith(`${pattern}/`);
}

/** Returns the root and zone of a file: the zone with the longest path that covers it. */
export function zoneOf(table: ZoneTable, file: string): { root: Root; zone: Zone } | undefined {
  const covering = table.roots.flatMap((root) =>
    root.zones.flatMap((zone) =>
      pathsOf(zone).flatMap((path) => (covers(path, file) ? [{ root, zone, length: path.length }] : [])),
    ),
  );
  return covering.sort((a, b) => b.length - a.length)[0];
}

/** Returns the names of the zones that a zone may import, itself included. */
export function allowedZones({ zones }: Root, zone: Zone): Set<string> {
  const imports = zone.imports === "above" ? zones.slice(0, zones.indexOf(zone)).map(({ name }) => name) : zone.imports;
  return new Set([zone.name, ...imports]);
}

/** Returns whether the rule applies to the file. */
export function appliesTo(rule: PackageRule, file: { path: string; isTest: boolean }): boolean {
  if (file.isTest && !rule.inTests) return false;
  const isExcepted = rule.except?.some((pattern) => covers(pattern, file.path)) ?? false;
  return !isExcepted && rule.in.some((folder) => covers(folder, file.path));
}

/** Returns whether a package matches the patterns; the last match decides, as in .gitignore. */
function isAmong(patterns: readonly string[], specifier: string): boolean {
  const last = patterns.findLast((pattern) => matchesGlob(specifier, pattern.replace(/^!/, "")));
  return last !== undefined && !last.startsWith("!");
}

/** Returns the reason why a file may not import this, or undefined if it may. */
export function importProblem(
  table: ZoneTable,
  file: { path: string; isTest: boolean },
  { specifier, target }: { specifier: string; target: string | undefined },
): string | undefined {
  if (target === undefined) {
    return table.packages.find((rule) => appliesTo(rule, file) && isAmong(rule.packages, specifier))?.reason;
  }
  const to = target.split("/")[0] ?? "";
  const from = zoneOf(table, file.path);
  if (from === undefined) {
    const [folder = ""] = file.path.split("/");
    return table.otherRoots.find(({ folders, never }) => folders.includes(folder) && never.includes(to))?.reason;
  }
  const { root, zone } = from;
  if (to !== root.folder) {
    const isForTests = file.isTest || zone.isForTests;
    const isAllowed = isForTests ? mayTestImport(root, target) : root.roots.includes(to);
    return isAllowed ? undefined : root.reason;
  }
  const toZone = zoneOf(table, target)?.zone;
  // A folder without a zone is reported separately.
  if (toZone === undefined || (file.isTest && root.testsImport === "every zone")) return undefined;
  if (allowedZones(root, zone).has(toZone.name) || (file.isTest && toZone.isForTests)) return undefined;
  return `zone "${zone.name}" may not import "${toZone.name}". ${zone.reason}`;
}

/** Whether the tests of a root may import a file of another root. */
const mayTestImport = ({ neverInTests, testsMayImport = [] }: Root, target: string): boolean =>
  !neverInTests.includes(target.split("/")[0] ?? "") || testsMayImport.some((folder) => covers(folder, target));

/** Returns a sentence for each import that breaks a rule. */
export const importProblems = (table: ZoneTable, files: readonly SourceFile[]): string[] =>
  files.flatMap((file) =>
    file.imports.flatMap((found) => {
      const problem = importProblem(table, file, found);
      return problem === undefined ? [] : [`${file.path} imports ${found.specifier}: ${problem}`];
    }),
  );

/** Reports paths of the table without files, and folders without a zone. @param paths files of the repository */
export function tableProblems(table: ZoneTable, paths: readonly string[]): string[] {
  const exists = (pattern: string) => paths.some((path) => covers(pattern, path));
  const folders = foldersOf(paths.filter((path) => table.roots.some(({ folder }) => covers(folder, path))));
  const homeless = folders.filter((folder) => zoneOf(table, `${folder}/any.ts`) === undefined);
  const named = table.packages.flatMap((rule) => [...rule.in, ...(rule.except ?? [])]);
  return [
    ...homeless.map((folder) => `The folder ${folder} belongs to no zone of scripts/zones.ts.`),
    ...table.roots.flatMap((root) => root.zones.flatMap((zone) => zoneProblems(root, zone, exists))),
    ...named
      .filter((path) => !exists(path))
      .map((path) => `A package rule of scripts/zones.ts names ${path}, which matches no source file.`),
  ];
}

function zoneProblems(root: Root, zone: Zone, exists: (path: string) => boolean): string[] {
  const names = root.zones.map(({ name }) => name);
  const unknown = zone.imports === "above" ? [] : zone.imports.filter((name) => !names.includes(name));
  return [
    ...pathsOf(zone)
      .filter((path) => !exists(path))
      .map((path) => `The zone "${zone.name}" of scripts/zones.ts has the path ${path}, which matches no source file.`),
    ...unknown.map((name) => `The zone "${zone.name}" imports "${name}", which is not a zone of ${root.folder}/.`),
    ...(names.indexOf(zone.name) === names.lastIndexOf(zone.name)
      ? []
      : [`Two zones of ${root.folder}/ are named "${zone.name}".`]),
  ];
}

/** Returns a sentence for each cycle of folders beside each other, with an import for each of its steps. */
export function folderCycleProblems(files: readonly SourceFile[]): string[] {
  const crossings = folderCrossings(files);
  const example = (from: string | undefined, to: string | undefined) => {
    const found = crossings.find((edge) => edge.from === from && edge.to === to);
    return `${found?.importer} imports ${found?.target}`;
  };
  return cyclesOf(graphOf(crossings)).map((cycle) => {
    const examples = cycle.slice(1).map((folder, index) => example(cycle[index], folder));
    return `Folders import each other in a cycle: ${cycle.join(" → ")} (${examples.join("; ")}).`;
  });
}
