import { posix } from "node:path";
import { cyclesOf, fileGraphOf, folderCrossings, graphOf } from "./cycles.ts";
import { doubleExports, nearFiles } from "./names.ts";
import { foldersOf, type SourceFile, type SyntaxNode, syntaxTreeOf, walk } from "./source-files.ts";

/** Figures of one root. Source files are .ts and .tsx without tests and declaration files; sizes are lines. */
export type RootFigures = {
  root: string;
  files: number;
  meanLines: number;
  longestFile: { path: string; lines: number };
  longFiles: string[];
  /** The folders with the most source files directly in them, the largest first. */
  largestFolders: { path: string; files: number }[];
  fileCycles: string[][];
  folderCycles: string[][];
  /** Short files with a single importer, in the same folder; not lazily loaded modules or modules with a test. */
  dust: string[];
  doubleExports: string[];
  nearNames: [string, string][];
  /** Number of uses of the DOM, of localStorage and of sets of listeners, by source file. */
  domQueries: Uses;
  storageUses: Uses;
  listenerSets: Uses;
};

export type Uses = { path: string; count: number }[];

const LONG_FILE = 350;
const DUST = 25;
const FOLDERS_SHOWN = 5;

/** Names of the only file that may use localStorage, and of the only one that may have a set of listeners. */
const STORAGE_WRAPPER = "browser-storage.ts";
const EMITTER = "emitter.ts";

const queries = new Set(["querySelector", "querySelectorAll", "closest"]);

const nodeAt = (node: SyntaxNode, key: string): SyntaxNode | undefined => {
  const value = node[key];
  return typeof value === "object" && value !== null ? (value as SyntaxNode) : undefined;
};

const isDomQuery = (node: SyntaxNode) =>
  node.type === "MemberExpression" && queries.has(String(nodeAt(node, "property")?.name));

const isLocalStorage = (node: SyntaxNode) => node.type === "Identifier" && node.name === "localStorage";

/** Matches `new Set<() => void>()`, `Set<Listener>` and similar sets of callbacks. */
function isListenerSet(node: SyntaxNode): boolean {
  const named = nodeAt(node, node.type === "NewExpression" ? "callee" : "typeName");
  if ((node.type !== "NewExpression" && node.type !== "TSTypeReference") || named?.name !== "Set") return false;
  const [item] = (nodeAt(node, "typeArguments")?.params as SyntaxNode[] | undefined) ?? [];
  if (item === undefined) return false;
  const name = item.type === "TSTypeReference" ? String(nodeAt(item, "typeName")?.name) : "";
  const result = nodeAt(item, "returnType");
  const isNotified =
    item.type === "TSFunctionType" && result && nodeAt(result, "typeAnnotation")?.type === "TSVoidKeyword";
  return isNotified || /(Listener|Subscriber|Callback|Observer|Handler)$/.test(name);
}

/** Counts matching nodes by file. Only files whose text matches `word` are parsed into a syntax tree. */
function usesOf(files: readonly SourceFile[], word: RegExp, matches: (node: SyntaxNode) => boolean): Uses {
  return files
    .filter(({ text }) => word.test(text))
    .flatMap((file) => {
      let count = 0;
      walk(syntaxTreeOf(file), (node) => {
        if (matches(node)) count += 1;
      });
      return count === 0 ? [] : [{ path: file.path, count }];
    })
    .sort((a, b) => b.count - a.count);
}

function dustOf(sources: readonly SourceFile[], all: readonly SourceFile[]): string[] {
  const importers = new Map<string, { path: string; isTest: boolean; isLazy: boolean }[]>();
  for (const { path, isTest, imports } of all) {
    for (const { target, isLazy } of imports) {
      if (target) importers.set(target, [...(importers.get(target) ?? []), { path, isTest, isLazy }]);
    }
  }
  return sources
    .filter(({ path, lineCount }) => {
      const [only, ...others] = importers.get(path) ?? [];
      if (lineCount >= DUST || only === undefined || others.length > 0) return false;
      return !only.isTest && !only.isLazy && posix.dirname(only.path) === posix.dirname(path);
    })
    .map(({ path }) => path);
}

/** @param all files of all roots, as files import across roots */
export function figuresOf(root: string, all: readonly SourceFile[]): RootFigures {
  const sources = all.filter(({ path, isTest }) => !isTest && path.startsWith(`${root}/`));
  const lines = sources.reduce((sum, { lineCount }) => sum + lineCount, 0);
  const longest = sources.toSorted((a, b) => b.lineCount - a.lineCount)[0];
  const folders = foldersOf(sources.map(({ path }) => path)).map((folder) => ({
    path: folder,
    files: sources.filter(({ path }) => posix.dirname(path) === folder).length,
  }));
  return {
    root,
    files: sources.length,
    meanLines: Math.round(lines / Math.max(sources.length, 1)),
    longestFile: { path: longest?.path ?? "", lines: longest?.lineCount ?? 0 },
    longFiles: sources.filter(({ lineCount }) => lineCount > LONG_FILE).map(({ path }) => path),
    largestFolders: folders.toSorted((a, b) => b.files - a.files).slice(0, FOLDERS_SHOWN),
    fileCycles: cyclesOf(fileGraphOf(sources)),
    folderCycles: cyclesOf(graphOf(folderCrossings(sources))),
    dust: dustOf(sources, all),
    doubleExports: [...doubleExports(all, root).keys()],
    nearNames: nearFiles(all, root),
    domQueries: usesOf(sources, /\b(querySelector|querySelectorAll|closest)\b/, isDomQuery),
    storageUses: usesOf(
      sources.filter(({ path }) => posix.basename(path) !== STORAGE_WRAPPER),
      /\blocalStorage\b/,
      isLocalStorage,
    ),
    listenerSets: usesOf(
      sources.filter(({ path }) => posix.basename(path) !== EMITTER),
      /\bSet</,
      isListenerSet,
    ),
  };
}
