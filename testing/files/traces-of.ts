import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { TestApp } from "../app/start-test-app.ts";

/** Returns the tables and the files of the data folder that contain a text, in ASCII, regardless of case. */
export async function tracesOf({ context: { database }, dataDir }: TestApp, text: string): Promise<string[]> {
  const marker = text.toLowerCase();
  const traces: string[] = [];
  const note = (name: string, content: string) => content.toLowerCase().includes(marker) && traces.push(name);
  for (const { name } of await database.introspection.getTables({ withInternalKyselyTables: true })) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(database);
    for (const value of rows.flatMap((row) => Object.values(row))) {
      note(`table ${name}`, value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value));
    }
  }
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
    note(`name ${name}`, name);
    note(`file ${name}`, await readFile(join(parentPath, name), "latin1"));
  }
  return [...new Set(traces)];
}
