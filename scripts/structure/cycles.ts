import type { SourceFile } from "./source-files.ts";

/** Directed graph of imports: each node with the nodes that it imports. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** One import that crosses folders. */
export type Crossing = { from: string; to: string; importer: string; target: string };

export function graphOf(edges: Iterable<{ from: string; to: string }>): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

/** Returns a shortest path between two nodes, both included, or undefined if there is none. */
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
 * Returns a shortest cycle for each strongly connected component (a group of nodes that reach each other). A cycle
 * begins and ends with the same node.
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

/** Import graph of the files, without tests. */
export const fileGraphOf = (files: readonly SourceFile[]): Graph =>
  graphOf(
    files
      .filter(({ isTest }) => !isTest)
      .flatMap(({ path, imports }) => imports.flatMap(({ target }) => (target ? [{ from: path, to: target }] : []))),
  );

/**
 * Returns imports between sibling folders. An import from `server/chats/folders/a.ts` to `server/http/b.ts` is one from
 * `server/chats` to `server/http`: both files are assigned to the folders directly below their common folder.
 * An import to or from a file directly in the common folder is not a crossing. A folder and its subfolders may so
 * import each other: files that subfolders share are in the folder above them. Tests are excluded.
 */
export function folderCrossings(files: readonly SourceFile[]): Crossing[] {
  return files
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, imports }) => imports.flatMap(({ target }) => (target ? (crossing(path, target) ?? []) : [])));
}

function crossing(importer: string, target: string): Crossing | undefined {
  const [a, b] = [importer.split("/"), target.split("/")];
  const shared = a.findIndex((part, index) => part !== b[index]);
  // Files of different roots, or a file directly in the common folder.
  if (shared < 1 || shared >= a.length - 1 || shared >= b.length - 1) return undefined;
  return { from: a.slice(0, shared + 1).join("/"), to: b.slice(0, shared + 1).join("/"), importer, target };
}
