import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { sqliteFile } from "../../server/database/sqlite/sqlite-file.ts";
import { liveIn } from "../accounts/seeded-account.ts";
import { newPerson } from "../accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestHarness } from "../app/start-test-app.ts";
import { createPostgresDatabase } from "./test-database.ts";

/**
 * Keeps what a release wrote, for the tests of upgrades: `node testing/database/make-release-fixture.ts`, once for each release
 * and before anything is added to its schema. Real servers fill a SQLite and a PostgreSQL database (TEST_DATABASE_URL;
 * pg_dump in the PATH), which are kept as SQL under the version of package.json. Never changed later.
 */
const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
const folder = join(import.meta.dirname, "..", "fixtures", "releases");
await mkdir(folder, { recursive: true });

{
  await using harness = await createTestHarness();
  await fill(harness);
  await writeFile(join(folder, `v${version}.sqlite.sql`), dumpSqlite(sqliteFile(harness.dataDir)));
}
{
  await using database = await createPostgresDatabase();
  await using own = await createTestHarness();
  await fill({ ...own, env: { DATABASE_URL: database.url } });
  await writeFile(join(folder, `v${version}.postgres.sql`), await dumpPostgres(database.url));
}

async function fill(harness: TestHarness): Promise<void> {
  await using app = await startTestApp({ harness, demoPause: async () => undefined });
  await liveIn(app, "ada");
  // One who never verified.
  await app.call("POST", "/auth/users/register", { body: newPerson({ username: "bob" }) });
}

function dumpSqlite(file: string): string {
  using database = new DatabaseSync(file);
  const made = database
    .prepare("select type, name, sql from sqlite_schema where sql is not null and name not like 'search_tokens_%'")
    .all();
  const of = (...types: string[]) => made.filter(({ type }) => types.includes(String(type)));
  const rows = of("table").flatMap(({ name }) => insertsOf(database, String(name)));
  const statements = [
    ...of("table").map(({ sql }) => String(sql)),
    "insert into search_tokens (search_tokens, rank) values ('secure-delete', 1)",
    "insert into search_tokens (search_tokens, rank) values ('pgsz', 1000)",
    ...rows,
    // The triggers last: they are about later changes.
    ...of("index", "trigger").map(({ sql }) => String(sql)),
  ];
  return `${statements.join(";\n")};\n`;
}

function insertsOf(database: DatabaseSync, table: string): string[] {
  const quoted = `"${table}"`;
  // The words of the search go by their entries' ids.
  const columns = table === "search_tokens" ? ["rowid", "tokens"] : columnsOf(database, table);
  const values = columns.map((name) => `quote("${name}") as "${name}"`).join(", ");
  return database
    .prepare(`select ${values} from ${quoted}`)
    .all()
    .map((row) => `insert into ${quoted} (${columns.join(", ")}) values (${Object.values(row).join(", ")})`);
}

function columnsOf(database: DatabaseSync, table: string): string[] {
  return database
    .prepare("select name from pragma_table_info(?)")
    .all(table)
    .map(({ name }) => String(name));
}

async function dumpPostgres(url: string): Promise<string> {
  const { stdout } = await promisify(execFile)("pg_dump", [
    ...["--inserts", "--no-owner", "--no-privileges", "--dbname", url],
  ]);
  // What psql alone understands, and comments with versions.
  return stdout.replaceAll(/^(\\.*|--.*|SET .*|)\n/gm, "");
}
