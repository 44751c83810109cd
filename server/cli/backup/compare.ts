import type { Database } from "../../database/schema.ts";
import { Digest, type TableCount } from "./digest.ts";
import { atOneMoment, findShapes, readRows } from "./row-store.ts";

/** Returns row count and digest of each table, all read in one snapshot. */
export async function countTables(database: Database): Promise<TableCount[]> {
  return atOneMoment(database, async (db) => {
    const counts: TableCount[] = [];
    for (const shape of await findShapes(db)) {
      const digest = new Digest();
      for await (const rows of readRows(db, shape)) for (const row of rows) digest.add(row);
      counts.push(digest.countOf(shape.name));
    }
    return counts;
  });
}

/** Returns the names of the tables that differ in row count or digest. */
export function differences(wanted: readonly TableCount[], found: readonly TableCount[]): string[] {
  const names = new Set([...wanted, ...found].map(({ table }) => table));
  return [...names].filter((name) => {
    const [one, other] = [wanted, found].map((counts) => counts.find(({ table }) => table === name));
    return one?.rows !== other?.rows || one?.digest !== other?.digest;
  });
}
