import { posix } from "node:path";
import { foldersOf, type SourceFile } from "./source-files.ts";

/** Names that break the rules so far: without folders, so that moving a file changes nothing here. */
export type KnownNames = {
  /** By root: names that several files export. */
  exports: Readonly<Record<string, readonly string[]>>;
  /** By root: pairs of files in one folder, each pair sorted. */
  files: Readonly<Record<string, readonly (readonly [string, string])[]>>;
};

const isIn = (root: string) => (file: SourceFile) => !file.isTest && file.path.startsWith(`${root}/`);

/** Names that several files of a root declare and export, each with the files. Tests and `export … from` do not count. */
export function doubleExports(files: readonly SourceFile[], root: string): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const { path, exportedNames } of files.filter(isIn(root))) {
    for (const name of exportedNames) byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  return new Map([...byName].filter(([, paths]) => paths.length > 1).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const singular = (word: string) =>
  word
    .replace(/ies$/, "y")
    .replace(/(ch|sh|ss|x|z)es$/, "$1")
    .replace(/([^s])s$/, "$1");

/** Whether one letter more, less or another makes the second of the first. */
function differsByOneLetter(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const at = [...long].findIndex((letter, index) => letter !== short[index]);
  return short.slice(a.length === b.length ? at + 1 : at) === long.slice(at + 1);
}

/** Whether two names of files, endings included, differ by one letter, by plurals of their words or by the ending only. */
export function areNearNames(a: string, b: string): boolean {
  const [first, second] = [posix.parse(a).name, posix.parse(b).name];
  const singulars = [first, second].map((name) => name.split("-").map(singular).join("-"));
  return a !== b && (first === second || differsByOneLetter(first, second) || singulars[0] === singulars[1]);
}

/** Pairs of source files in one folder with near names, as paths. */
export function nearFiles(files: readonly SourceFile[], root: string): [string, string][] {
  const paths = files.filter(isIn(root)).map(({ path }) => path);
  return foldersOf(paths).flatMap((folder) => {
    const names = paths.filter((path) => posix.dirname(path) === folder).map((path) => posix.basename(path));
    return names.flatMap((a, index) =>
      names
        .slice(index + 1)
        .filter((b) => areNearNames(a, b))
        .map((b): [string, string] => [posix.join(folder, a), posix.join(folder, b)]),
    );
  });
}

const keyOf = ([a, b]: readonly [string, string]) => [posix.basename(a), posix.basename(b)].sort().join(" and ");

/** Double exports and near names that are not known, and known ones that have gone, for each root. */
export function nameProblems(known: KnownNames, files: readonly SourceFile[], roots: readonly string[]): string[] {
  return roots.flatMap((root) => {
    const exports = doubleExports(files, root);
    const pairs = nearFiles(files, root);
    const knownExports = known.exports[root] ?? [];
    const knownPairs = (known.files[root] ?? []).map(keyOf);
    const gone = (what: string) => `${what} in ${root}/ any more: remove it from scripts/structure/known-names.ts.`;
    return [
      ...[...exports]
        .filter(([name]) => !knownExports.includes(name))
        .map(([name, paths]) => `Several files of ${root}/ export ${name}: ${paths.join(", ")}.`),
      ...pairs
        .filter((pair) => !knownPairs.includes(keyOf(pair)))
        .map(([a, b]) => `The names of ${a} and ${posix.basename(b)} are too near to each other.`),
      ...knownExports.filter((name) => !exports.has(name)).map((name) => gone(`No two files export ${name}`)),
      ...knownPairs
        .filter((key) => !pairs.some((pair) => keyOf(pair) === key))
        .map((key) => gone(`${key} are not near names`)),
    ];
  });
}
