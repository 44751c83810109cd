import type { Database } from "../../database/schema.ts";
import { Digest, type TableCount } from "./digest.ts";
import { atOneMoment, findShapes, readRows } from "./row-store.ts";

/** What a database holds, as a count and a digest for each table, at one moment. */
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

/** The tables in which two differ; empty where both hold the same. */
export function differences(wanted: readonly TableCount[], found: readonly TableCount[]): string[] {
  const names = new Set([...wanted, ...found].map(({ table }) => table));
  return [...names].filter((name) => {
    const [one, other] = [wanted, found].map((counts) => counts.find(({ table }) => table === name));
    return one?.rows !== other?.rows || one?.digest !== other?.digest;
  });
}
