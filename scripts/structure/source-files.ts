import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { parseSync } from "vite";
import { root } from "../child.mjs";

/** A node of the syntax tree (ESTree with TypeScript), limited to the fields that the checks read. */
export type SyntaxNode = { type: string; [key: string]: unknown };

export type Import = {
  /** As written in the source, e.g. `../chats/chats.ts`. */
  specifier: string;
  /** Path in the repository, with `/`; undefined for packages and Node's modules. */
  target: string | undefined;
  /** Whether it is a dynamic `import()`; types and static imports are not lazy. */
  isLazy: boolean;
};

export type SourceFile = {
  /** Path in the repository, with `/`. */
  path: string;
  text: string;
  lineCount: number;
  isTest: boolean;
  /** Static, lazy and type imports, and `export … from`. */
  imports: Import[];
  /** Names that the module itself declares and exports, types included. Not `default`, not `export … from`. */
  exportedNames: string[];
};

/** Whether a field of a syntax tree is a node. */
export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** Calls `visit` for the node and all its descendants. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit);
  }
}

function parse(path: string, text: string) {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path} cannot be parsed: ${parsed.errors[0]?.message}`);
  return parsed;
}

/** Returns the syntax tree of a file. Ten times as expensive as {@link parseSourceFile}. */
export const syntaxTreeOf = ({ path, text }: { path: string; text: string }): SyntaxNode =>
  parse(path, text).program as unknown as SyntaxNode;

/** Resolves an import specifier of `path`; queries such as `?raw` are removed. */
export function targetOf(path: string, specifier: string): string | undefined {
  const [file = ""] = specifier.split("?");
  if (file.startsWith("#contract/")) return posix.normalize(file.slice(1));
  return file.startsWith(".") ? posix.join(dirname(path), file) : undefined;
}

/** Finds `import("…")` types, which the parser's list of imports lacks. */
function typeImportsOf(path: string, text: string, lazyCount: number): string[] {
  if ((text.match(/\bimport\s*\(/g)?.length ?? 0) === lazyCount) return [];
  const found: string[] = [];
  walk(syntaxTreeOf({ path, text }), (node) => {
    const source = node.type === "TSImportType" ? node.source : undefined;
    if (isNode(source) && typeof source.value === "string") found.push(source.value);
  });
  return found;
}

/** @throws Error if the text is not valid TypeScript */
export function parseSourceFile(path: string, text: string): SourceFile {
  const { module } = parse(path, text);
  const literal = ({ start, end }: { start: number; end: number }) =>
    text.slice(start, end).match(/^["'`](.*)["'`]$/)?.[1];
  const lazy = module.dynamicImports.flatMap(({ moduleRequest }) => literal(moduleRequest) ?? []);
  const exported = module.staticExports.flatMap(({ entries }) => entries);
  const fixed = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...exported.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ...typeImportsOf(path, text, module.dynamicImports.length),
  ];
  const importOf = (isLazy: boolean) => (specifier: string) => ({
    specifier,
    target: targetOf(path, specifier),
    isLazy,
  });
  const names = exported.flatMap(({ moduleRequest, exportName }) =>
    moduleRequest === null && exportName.kind === "Name" && exportName.name !== null ? [exportName.name] : [],
  );
  return {
    path,
    text,
    lineCount: text.trimEnd().split("\n").length,
    isTest: /\.(test|spec)\.tsx?$/.test(path),
    imports: [...[...new Set(fixed)].map(importOf(false)), ...[...new Set(lazy)].map(importOf(true))],
    exportedNames: [...new Set(names)],
  };
}

/** The folders of the repository that contain TypeScript. */
export const sourceRoots = ["contract", "server", "web", "testing", "e2e", "torture", "security", "bench", "scripts"];

/** Returns the sorted paths of the TypeScript files below the folders, with tests, without declaration files. */
function sourcePaths(folders: readonly string[], cwd = root): string[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd }))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.endsWith(".d.ts"))
    .sort();
}

/** Returns the folders that contain files directly. */
export const foldersOf = (paths: readonly string[]): string[] => [...new Set(paths.map((path) => posix.dirname(path)))];

/** Returns the folders at or below these with TypeScript files directly in them. */
export const sourceFolders = (folders: readonly string[], cwd = root): string[] => foldersOf(sourcePaths(folders, cwd));

/** Parses the TypeScript files below the folders in path order, with tests, without declaration files. */
export const readSourceFiles = (folders: readonly string[], cwd = root): SourceFile[] =>
  sourcePaths(folders, cwd).map((path) => parseSourceFile(path, readFileSync(join(cwd, path), "utf8")));
