import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { sqliteFile } from "../../server/database/sqlite/sqlite-file.ts";

/** Releases with a database in `fixtures/releases`; `make-release-fixture.ts` adds one. */
export const releases = ["v0.1.0", "v0.2.0"] as const;

/** In each of them ada has this password and a chat about fjords and skerries; bob is unverified. */
export const releasedPerson = { username: "ada", password: "correct horse battery" };

/** Data folder and database of a server. */
type DataLocation = { dataDir: string; env: { DATABASE_URL?: string } };

/** Loads the state that a server of that release wrote into a database and a data folder. */
export async function loadRelease({ dataDir, env }: DataLocation, release: (typeof releases)[number]): Promise<void> {
  const url = env.DATABASE_URL;
  const kind = url === undefined ? "sqlite" : "postgres";
  const dump = await readFile(
    join(import.meta.dirname, "..", "fixtures", "releases", `${release}.${kind}.sql`),
    "utf8",
  );
  if (url === undefined) {
    await mkdir(dataDir, { recursive: true });
    using database = new DatabaseSync(sqliteFile(dataDir), { enableForeignKeyConstraints: false });
    database.exec(`begin; ${dump} commit; pragma journal_mode = wal`);
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(dump);
  } finally {
    await client.end();
  }
}
