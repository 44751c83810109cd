// Generates imports that biome.json must forbid or allow from the table of zones, for the lint canary.
import { dirname, posix } from "node:path";
import { covers, importProblem, isFile, pathsOf } from "./import-rules.ts";
import { targetOf } from "./source-files.ts";
import type { PackageRule, Root, Zone, ZoneTable } from "./zone-table.ts";

/** A file, its text, and whether an import in it is forbidden. The imported modules need not exist. */
export type ImportCase = { path: string; text: string; isForbidden: boolean };

const forms: readonly ((specifier: string) => string)[] = [
  (specifier) => `import "${specifier}";`,
  (specifier) => `import type { A } from "${specifier}";\nexport type B = A;`,
  (specifier) => `export * from "${specifier}";`,
  (specifier) => `export const a = import("${specifier}");`,
];

/** Returns the folder of a zone for its cases, or undefined for a zone of single files. */
const placeOf = (zone: Zone) =>
  pathsOf(zone)
    .find((path) => !isFile(path))
    ?.replace(/\/\*$/, "");

function specifierOf(from: string, to: string): string {
  const way = posix.relative(dirname(from), isFile(to) ? to : `${to}/any.ts`);
  return way.startsWith(".") ? way : `./${way}`;
}

/** Returns a package that the rule forbids: the first entry without wildcards. */
const packageOf = ({ packages }: PackageRule) => packages.find((name) => !/[*!]/.test(name)) ?? "node:fs";

const isForbidden = (table: ZoneTable, path: string, specifier: string) =>
  importProblem(
    table,
    { path, isTest: /\.test\.tsx?$/.test(path) },
    { specifier, target: targetOf(path, specifier) },
  ) !== undefined;

/** Paths of the root's other zones, except names that Biome cannot distinguish from the zone's own folders. */
function otherPaths(root: Root, zone: Zone, folders: readonly string[]): string[] {
  const own = folders.filter((folder) => pathsOf(zone).some((path) => path !== folder && covers(path, folder)));
  return root.zones
    .filter((other) => other !== zone)
    .flatMap(pathsOf)
    .filter((path) => !path.endsWith("/*") && !own.some((folder) => posix.basename(folder) === posix.basename(path)));
}

/** Each import of a forbidden zone has its own file, the forms alternating; all allowed imports are in one file. */
function zoneCases(table: ZoneTable, root: Root, zone: Zone, folders: readonly string[]): ImportCase[] {
  const others = otherPaths(root, zone, folders);
  const place = placeOf(zone);
  const forbiddenFrom = (path: string) =>
    others
      .map((to) => specifierOf(path, to))
      .filter((specifier) => specifier.startsWith("../") && isForbidden(table, path, specifier));
  if (place === undefined) {
    return pathsOf(zone).flatMap((path) =>
      forbiddenFrom(path)
        .slice(0, 1)
        .map((specifier) => ({ path, text: `import "${specifier}";`, isForbidden: true })),
    );
  }
  const allowedPath = `${place}/canary-allowed.ts`;
  const contract = folders.filter((folder) => root.roots.some((other) => covers(other, folder)));
  const allowed = [
    ...others.map((to) => specifierOf(allowedPath, to)),
    ...contract.map((folder) => `#${folder}/any.ts`),
  ].filter((specifier) => !isForbidden(table, allowedPath, specifier));
  return [
    ...forbiddenFrom(`${place}/canary.ts`).map((specifier, index) => ({
      path: `${place}/canary-zone-${index}.ts`,
      text: forms[index % forms.length]?.(specifier) ?? "",
      isForbidden: true,
    })),
    { path: allowedPath, text: allowed.map((specifier) => `import "${specifier}";`).join("\n"), isForbidden: false },
  ];
}

/** Cases of each zone: the packages of all rules, also in a store or test if the result differs; forbidden roots. */
function outerCases(table: ZoneTable, place: string, never: readonly string[]): ImportCase[] {
  const inFiles = (name: string, specifiers: readonly string[]) =>
    specifiers.map((specifier, index) => {
      const path = `${place}/${name.replace("#", String(index))}`;
      return { path, text: `import "${specifier}";`, isForbidden: isForbidden(table, path, specifier) };
    });
  const packages = [...new Set(table.packages.map(packageOf))];
  const plain = inFiles("canary-#.ts", packages);
  const special = ["canary-#-store.ts", "canary-#.test.ts"].flatMap((name) =>
    inFiles(name, packages).filter((one, index) => one.isForbidden !== plain[index]?.isForbidden),
  );
  const roots = never.map((folder) => specifierOf(`${place}/canary.ts`, folder));
  return [...plain, ...special, ...inFiles("canary-root-#.ts", roots)];
}

/** @param folders folders of the repository with source files */
export function importCases(table: ZoneTable, folders: readonly string[]): ImportCase[] {
  return [
    ...table.roots.flatMap((root) =>
      root.zones.flatMap((zone) => {
        const place = placeOf(zone);
        const outer = place === undefined ? [] : outerCases(table, place, zone.isForTests ? [] : root.never);
        return [...zoneCases(table, root, zone, folders), ...outer];
      }),
    ),
    ...table.otherRoots.flatMap((other) => other.folders.flatMap((folder) => outerCases(table, folder, other.never))),
  ];
}
