import { readFile, rm } from "node:fs/promises";

type Snapshot = {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
  strings: string[];
};

/** Number of objects of each kind (`type name`) in a heap snapshot, and the bytes of all. */
export type HeapCounts = { byKind: Map<string, number>; bytes: number };

/** Counted node types. Strings and numbers are not counted: their names are their values. */
const COUNTED_TYPES = new Set(["object", "closure", "native", "array", "regexp"]);

/** Reads a snapshot written by V8, and removes its file. */
export async function readHeapSnapshot(path: string): Promise<HeapCounts> {
  const { snapshot, nodes, strings } = JSON.parse(await readFile(path, "utf8")) as Snapshot;
  await rm(path);
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const at = { type: fields.indexOf("type"), name: fields.indexOf("name"), size: fields.indexOf("self_size") };
  const byKind = new Map<string, number>();
  let bytes = 0;
  for (let node = 0; node < nodes.length; node += fields.length) {
    bytes += nodes[node + at.size] ?? 0;
    const type = types[0][nodes[node + at.type] ?? 0] ?? "";
    if (!COUNTED_TYPES.has(type)) continue;
    const kind = `${type} ${strings[nodes[node + at.name] ?? 0]}`;
    byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  }
  return { byKind, bytes };
}

/** @returns the kinds that increased in number, by growth descending */
export function growthOf(before: HeapCounts, after: HeapCounts): { kind: string; count: number }[] {
  return [...after.byKind]
    .map(([kind, count]) => ({ kind, count: count - (before.byKind.get(kind) ?? 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}
