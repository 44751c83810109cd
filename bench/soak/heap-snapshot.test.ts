import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { growthOf, readHeapSnapshot } from "./heap-snapshot.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-snapshots-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Nodes in V8's format: type, name, id, self size, edge count. */
async function read(nodes: number[][]) {
  const meta = {
    node_fields: ["type", "name", "id", "self_size", "edge_count"],
    node_types: [["hidden", "string", "object", "closure"], "string", "number", "number", "number"],
  };
  const path = join(folder, "1.heapsnapshot");
  const strings = ["", "LiveReply", "Map"];
  await writeFile(path, JSON.stringify({ snapshot: { meta }, nodes: nodes.flat(), strings }));
  return readHeapSnapshot(path);
}

it("finds the kinds of objects that increased in number", async () => {
  const map = [2, 2, 5, 40, 0];
  const before = await read([map, [2, 1, 1, 100, 0]]);
  const after = await read([map, [2, 1, 1, 100, 0], [2, 1, 3, 100, 0], [2, 1, 7, 100, 0], [1, 1, 9, 60, 0]]);
  expect(growthOf(before, after)).toEqual([{ kind: "object LiveReply", count: 2 }]);
  expect(after.bytes - before.bytes).toBe(260);
});
