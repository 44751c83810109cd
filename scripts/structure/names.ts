import { posix } from "node:path";
import { foldersOf, type SourceFile, syntaxTreeOf, walk } from "./source-files.ts";

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

const IDENTIFIERS = ["Identifier", "PrivateIdentifier", "JSXIdentifier"];

/** Returns the words of an identifier in lower case: `isKept` has `is` and `kept`. */
const wordsOf = (identifier: string) =>
  identifier
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[ _$]+/);

/** Returns the paths of the files of a root, with tests, with an identifier that has one of these words, by word. */
function filesWithWords(files: readonly SourceFile[], root: string, words: readonly string[]): Map<string, string[]> {
  const found = new Map(words.map((word): [string, string[]] => [word, []]));
  const isPossible = new RegExp(words.join("|"), "i");
  for (const file of files.filter(({ path, text }) => path.startsWith(`${root}/`) && isPossible.test(text))) {
    const used = new Set<string>();
    walk(syntaxTreeOf(file), ({ type, name }) => {
      if (IDENTIFIERS.includes(type) && typeof name === "string") used.add(joined(name));
    });
    const all = [...used].join("");
    for (const word of words) if (all.includes(joined(word))) found.get(word)?.push(file.path);
  }
  return found;
}

/** Returns the words of an identifier with `_` around each, so that two words are found in their order. */
const joined = (identifier: string) => `_${wordsOf(identifier).join("_")}_`;

/**
 * Words that identifiers of a root do not use, with the number of files, tests included, that still use them. A word may
 * have several words, as `goAhead`. The numbers only shrink: a file more is refused, and so is a number that is higher
 * than needed.
 */
export function deniedWordProblems(
  files: readonly SourceFile[],
  root: string,
  denied: Readonly<Record<string, number>>,
): string[] {
  return [...filesWithWords(files, root, Object.keys(denied))].flatMap(([word, paths]) => {
    const allowed = denied[word] ?? 0;
    if (paths.length > allowed)
      return `Identifiers of ${root}/ use "${word}" in ${paths.length} files, ${allowed} are allowed: ${paths.join(", ")}.`;
    return paths.length < allowed ? `Lower the allowed number of files with "${word}" to ${paths.length}.` : [];
  });
}

const DENIED = [
  ...["aside", "away", "behind", "crowded", "eventually", "steady"],
  ...["brought", "goAhead", "letIn", "robbed"],
  ...["hear", "hears", "heard", "hearing", "kept", "keeping", "look", "looks", "looked", "looking"],
  ...["nudge", "nudges", "nudged", "nudging", "place", "places", "placed", "placing"],
  ...["tell", "tells", "told", "telling", "wish", "wishes", "wished", "wishing"],
];

/** Denied words of identifiers of `testing/`; {@link deniedWordProblems}. */
export const deniedTestingWords: Readonly<Record<string, number>> = Object.fromEntries(DENIED.map((word) => [word, 0]));

/**
 * Denied words of identifiers of `web/`; {@link deniedWordProblems}. The remaining uses name fields of the API
 * (`isKept`, `ReplyWish`), a field of the messages to the frame of diagrams (`look`) and parameters of texts (`place`).
 */
export const deniedWebWords: Readonly<Record<string, number>> = {
  ...deniedTestingWords,
  kept: 2,
  look: 3,
  place: 2,
  wish: 2,
};

/** Returns a sentence for each name that several files of a root export, and for each pair of near names. */
export function nameProblems(files: readonly SourceFile[], roots: readonly string[]): string[] {
  return roots.flatMap((root) => [
    ...[...doubleExports(files, root)].map(
      ([name, paths]) => `Several files of ${root}/ export ${name}: ${paths.join(", ")}.`,
    ),
    ...nearFiles(files, root).map(([a, b]) => `The names of ${a} and ${posix.basename(b)} are too similar.`),
  ]);
}
