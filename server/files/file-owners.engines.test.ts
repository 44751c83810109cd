import { sql } from "kysely";
import { expect, test } from "vitest";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import { isOnSqlite } from "../database/is-on-sqlite.ts";
import { fileOwnerTables } from "./attached-file-store.ts";

/** Tables that name files of which they are no owners: the search's index, and the readable texts of the files. */
const others: readonly string[] = ["search_entries", "file_texts"];

test("each table that names files owns them, and its trigger spares files that another owner names", async () => {
  await using app = await startTestApp();
  const { database } = app.context;
  const tables = await database.introspection.getTables();
  const naming = tables.filter(({ columns }) =>
    ["user_id", "file_id"].every((column) => columns.some(({ name }) => name === column)),
  );
  expect(naming.map(({ name }) => name).filter((name) => !others.includes(name))).toEqual([...fileOwnerTables]);
  for (const table of fileOwnerTables) {
    const name = `${table}_removed`;
    const { rows } = isOnSqlite(database)
      ? await sql<{
          body: string;
        }>`select sql as body from sqlite_master where type = 'trigger' and name = ${name}`.execute(database)
      : await sql<{ body: string }>`select prosrc as body from pg_proc where proname = ${name}`.execute(database);
    const body = rows.map((row) => row.body).join("\n");
    expect(body).toContain("delete from files");
    for (const owner of fileOwnerTables) expect(body).toContain(`from ${owner}`);
  }
});
