import type { SourceFile } from "./source-files.ts";

/** Who imports whom. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** One import that crosses folders. */
export type Crossing = { from: string; to: string; importer: string; target: string };

export function graphOf(edges: Iterable<{ from: string; to: string }>): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

/** A shortest way from a node to another along the edges, both included; undefined where there is none. */
export function pathBetween(graph: Graph, from: string, to: string): string[] | undefined {
  const queue: string[][] = [[from]];
  const seen = new Set<string>();
  for (let way = queue.shift(); way !== undefined; way = queue.shift()) {
    for (const next of graph.get(way.at(-1) ?? "") ?? []) {
      if (next === to) return [...way, next];
      if (!seen.has(next)) queue.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}

/**
 * One cycle for each group of nodes that reach each other (strongly connected component), a shortest one, each beginning
 * and ending with the same node.
 */
export function cyclesOf(graph: Graph): string[][] {
  const found: string[][] = [];
  const seen = new Set<string>();
  for (const node of [...graph.keys()].sort()) {
    if (seen.has(node)) continue;
    const cycle = pathBetween(graph, node, node);
    if (cycle === undefined) continue;
    found.push(cycle);
    const reached = reachableFrom(graph, node);
    for (const other of reached) if (pathBetween(graph, other, node) !== undefined) seen.add(other);
  }
  return found;
}

function reachableFrom(graph: Graph, start: string): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (!reached.has(next)) open.push(next);
      reached.add(next);
    }
  }
  return reached;
}

/** Imports between files, tests left out. */
export const fileGraphOf = (files: readonly SourceFile[]): Graph =>
  graphOf(
    files
      .filter(({ isTest }) => !isTest)
      .flatMap(({ path, imports }) => imports.flatMap(({ target }) => (target ? [{ from: path, to: target }] : []))),
  );

/**
 * Imports from one folder to another beside it. An import from `server/chats/folders/a.ts` to `server/http/b.ts` is one
 * from `server/chats` to `server/http`: both files are assigned to the folders directly below the folder that they share.
 * An import to or from a file that lies directly in that shared folder crosses nothing, so a folder and its subfolders
 * may import each other: a folder contains its subfolders, and what these share lies above them. Tests are left out.
 */
export function folderCrossings(files: readonly SourceFile[]): Crossing[] {
  return files
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, imports }) => imports.flatMap(({ target }) => (target ? (crossing(path, target) ?? []) : [])));
}

function crossing(importer: string, target: string): Crossing | undefined {
  const [a, b] = [importer.split("/"), target.split("/")];
  const shared = a.findIndex((part, index) => part !== b[index]);
  // Files of different roots, and files that lie directly in the shared folder.
  if (shared < 1 || shared >= a.length - 1 || shared >= b.length - 1) return undefined;
  return { from: a.slice(0, shared + 1).join("/"), to: b.slice(0, shared + 1).join("/"), importer, target };
}
