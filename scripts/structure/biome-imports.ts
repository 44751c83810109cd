// Generates the import rules of biome.json from the table of zones. Biome compares the text of an import, not the file
// that it resolves to: its rules show most mistakes in the editor, and import-rules.ts finds the rest.

import { allowedZones, appliesTo, covers, isFile, pathsOf, zoneOf } from "./import-rules.ts";
import type { Root, Zone, ZoneTable } from "./zone-table.ts";

type Pattern = { group: string[]; message: string };

export type Override = {
  includes?: string[];
  linter?: { rules?: { style?: { noRestrictedImports?: unknown } } };
};

type BiomeSettings = { overrides: Override[] };

const withoutRoot = (path: string) => path.slice(path.indexOf("/") + 1);
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const isWithin = (folder: string, path: string) => path !== folder && covers(folder, path);

/** Glob for imports of the path: `../chats/chats.ts` and `../../chats/chats.ts` are in `server/chats`. */
const importOf = (path: string) => `**/${withoutRoot(path)}${isFile(path) ? "" : "/**"}`;

/** Glob of the files of a path. */
const filesOf = (path: string) => (isFile(path) || path.endsWith("/*") ? path : `${path}/**`);

/** Returns an example of a file to which the rules of the path apply. */
const memberOf = (path: string) => (isFile(path) ? path : `${path.replace(/\/\*$/, "")}/any.ts`);

const override = (includes: string[], patterns: Pattern[]): Override => ({
  includes,
  linter: { rules: { style: { noRestrictedImports: { level: "error", options: { patterns } } } } as never },
});

/** Patterns of the root's zones that this one may not import, except files and folders of allowed zones inside them. */
function zonePatterns(root: Root, zone: Zone, folders: readonly string[]): Pattern[] {
  const allowed = allowedZones(root, zone);
  const paths = root.zones.flatMap((other) =>
    pathsOf(other).map((path) => ({ path, isAllowed: allowed.has(other.name) })),
  );
  const forbidden = paths.flatMap(({ path, isAllowed }) => (isAllowed || path.endsWith("/*") ? [] : [path]));
  const forbiddenFolders = forbidden.filter((path) => !isFile(path));
  const isInForbidden = (path: string) => forbiddenFolders.some((folder) => isWithin(folder, path));
  const named = forbidden.filter((path) => !isInForbidden(path));
  if (named.length === 0) return [];
  const excepted = paths.flatMap(({ path, isAllowed }) => (isAllowed && isInForbidden(path) ? [path] : []));
  // Subfolders of the zone with the same name as a forbidden zone.
  const twins = folders.filter(
    (folder) =>
      pathsOf(zone).some((path) => isWithin(path, folder)) && named.some((path) => nameOf(path) === nameOf(folder)),
  );
  // Subfolders of other, allowed zones with the same name, such as `accounts/administration`.
  const allowedTwins = folders.filter(
    (folder) =>
      paths.some(({ path, isAllowed }) => isAllowed && !isFile(path) && isWithin(path, folder)) &&
      !pathsOf(zone).some((path) => isWithin(path, folder)) &&
      named.some((path) => nameOf(path) === nameOf(folder)),
  );
  const group = [
    ...named.map(importOf),
    ...excepted.map((path) => `!${importOf(path)}`),
    ...allowedTwins.map((folder) => `!${importOf(folder)}`),
    ...twins.flatMap((folder) => [`!./${nameOf(folder)}/**`, `!../${nameOf(folder)}/**`]),
    // A folder of the contract may have the same name as a zone.
    ...root.roots.map((folder) => `!#${folder}/**`),
    // Packages have folders of the same names.
    "!@*/**",
  ];
  return [{ group, message: `${zone.reason} (Zone "${zone.name}" of scripts/zones.ts.)` }];
}

const packagePatterns = (table: ZoneTable, path: string, isTest = false): Pattern[] =>
  table.packages
    .filter((rule) => appliesTo(rule, { path, isTest }))
    .map(({ packages, reason }) => ({ group: [...packages], message: reason }));

/** Patterns of the forbidden roots. A root with the name of an allowed folder is checked by import-rules.ts only. */
function rootPatterns(root: Root, isTest: boolean, folders: readonly string[]): Pattern[] {
  const forTests = root.zones.filter((zone) => zone.isForTests).flatMap(pathsOf);
  const own = folders
    .filter((folder) => isWithin(root.folder, folder) && (isTest || !forTests.includes(folder)))
    .map(nameOf);
  const never = (isTest ? root.neverInTests : root.never).filter((folder) => !own.includes(folder));
  const excepted = isTest ? (root.testsMayImport ?? []).map((folder) => `!**/${folder}/**`) : [];
  return never.length === 0
    ? []
    : [{ group: [...never.map((folder) => `**/${folder}/**`), ...excepted], message: root.reason }];
}

/** Groups the files of a zone by package rules: all files, then those that a rule excepts. */
function kindsOf(table: ZoneTable, zone: Zone): { includes: string; member: string }[] {
  const exceptions = [...new Set(table.packages.flatMap(({ except = [] }) => except))];
  const files = exceptions.filter((path) => isFile(path) && zoneOf(table, path)?.zone === zone);
  const names = exceptions.filter((path) => path.startsWith("*"));
  const folders = pathsOf(zone).filter((path) => !isFile(path));
  return [
    ...pathsOf(zone).map((path) => ({ includes: filesOf(path), member: memberOf(path) })),
    ...names.flatMap((name) =>
      folders.map((path) => ({
        includes: `${path.replace(/\/\*$/, "")}/${path.endsWith("/*") ? "" : "**/"}${name}`,
        member: memberOf(path).replace("any.ts", name.replace("*", "any")),
      })),
    ),
    ...files.filter((path) => !pathsOf(zone).includes(path)).map((path) => ({ includes: path, member: path })),
  ];
}

/** Returns one override for all files of a zone that have the same rules. */
function zoneOverrides(table: ZoneTable, root: Root, zone: Zone, folders: readonly string[]): Override[] {
  const shared = [...rootPatterns(root, zone.isForTests ?? false, folders), ...zonePatterns(root, zone, folders)];
  const byPatterns = new Map<string, string[]>();
  for (const { includes, member } of kindsOf(table, zone)) {
    const patterns = JSON.stringify([...shared, ...packagePatterns(table, member)]);
    const same = byPatterns.get(patterns) ?? [];
    if (!same.some((path) => path.endsWith("/**") && includes.startsWith(path.slice(0, -2)))) same.push(includes);
    byPatterns.set(patterns, same);
  }
  return [...byPatterns].map(([patterns, includes]) => override(includes, JSON.parse(patterns)));
}

function rootOverrides(table: ZoneTable, root: Root, folders: readonly string[]): Override[] {
  const patternsOf = (isTest: boolean) => [
    ...rootPatterns(root, isTest, folders),
    ...packagePatterns(table, `${root.folder}/any.ts`, isTest),
  ];
  const depth = (zone: Zone) => Math.max(...pathsOf(zone).map((path) => path.split("/").length));
  const tests = [".test.ts", ".test.tsx"].map((ending) => `${root.folder}/**/*${ending}`);
  return [
    override([`${root.folder}/**`], patternsOf(false)),
    ...root.zones.toSorted((a, b) => depth(a) - depth(b)).flatMap((zone) => zoneOverrides(table, root, zone, folders)),
    override(tests, patternsOf(true)),
  ];
}

/**
 * Generates the overrides of biome.json. A later override replaces the patterns of an earlier one.
 * @param folders folders of the repository with source files
 */
export function importOverrides(table: ZoneTable, folders: readonly string[]): Override[] {
  return [
    ...table.roots.flatMap((root) => rootOverrides(table, root, folders)),
    ...table.otherRoots.map(({ folders: roots, never, reason }) =>
      override(
        roots.map((folder) => `${folder}/**`),
        [
          { group: never.map((folder) => `**/${folder}/**`), message: reason },
          ...packagePatterns(table, `${roots[0]}/any.ts`),
        ],
      ),
    ),
  ];
}

/** Appends the generated overrides to the handwritten ones. @param text current biome.json @returns unformatted JSON */
export function withImportOverrides(text: string, overrides: readonly Override[]): string {
  const settings: BiomeSettings = JSON.parse(text);
  const byHand = settings.overrides.filter((one) => one.linter?.rules?.style?.noRestrictedImports === undefined);
  return JSON.stringify({ ...settings, overrides: [...byHand, ...overrides] });
}
