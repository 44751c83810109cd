import { posix } from "node:path";
import { foldersOf, type SourceFile } from "./source-files.ts";

const isIn = (root: string) => (file: SourceFile) => !file.isTest && file.path.startsWith(`${root}/`);

/** Returns names that several files of a root declare and export, with these files; not tests or `export … from`. */
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

/** Returns whether inserting, deleting or replacing one letter turns one string into the other. */
function differsByOneLetter(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const at = [...long].findIndex((letter, index) => letter !== short[index]);
  return short.slice(a.length === b.length ? at + 1 : at) === long.slice(at + 1);
}

/** Returns whether two file names differ by one letter, by plurals of their words or by the extension only. */
export function areNearNames(a: string, b: string): boolean {
  const [first, second] = [posix.parse(a).name, posix.parse(b).name];
  const singulars = [first, second].map((name) => name.split("-").map(singular).join("-"));
  return a !== b && (first === second || differsByOneLetter(first, second) || singulars[0] === singulars[1]);
}

/** Returns the paths of pairs of source files in one folder with near names. */
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

/** Returns a sentence for each name that several files of a root export, and for each pair of near names. */
export function nameProblems(files: readonly SourceFile[], roots: readonly string[]): string[] {
  return roots.flatMap((root) => [
    ...[...doubleExports(files, root)].map(
      ([name, paths]) => `Several files of ${root}/ export ${name}: ${paths.join(", ")}.`,
    ),
    ...nearFiles(files, root).map(([a, b]) => `The names of ${a} and ${posix.basename(b)} are too similar.`),
  ]);
}
