import { join } from "node:path";
import { SECOND } from "#contract/limits.ts";
import { CommittingDatabase } from "./after-commit.ts";
import { migrate } from "./migrate.ts";
import type { Database } from "./schema.ts";

export type DatabaseSettings = { dataDir: string; postgresUrl?: string };

/** Longer than any query of a request takes; whoever waits is then told that the database is away. */
const POSTGRES_SILENCE_MS = 1.5 * SECOND;

/** Opens PostgreSQL where a URL is given, else the SQLite file of the data folder, and migrates it. */
export async function openDatabase({ dataDir, postgresUrl }: DatabaseSettings): Promise<Database> {
  if (!postgresUrl) {
    const { openSqliteDialect } = await import("./sqlite.ts");
    return migrated(new CommittingDatabase({ dialect: openSqliteDialect(sqliteFile(dataDir)) }));
  }
  const { openPostgresDialect } = await import("./postgres.ts");
  // A migration may take its time.
  const patient = openPostgresDialect({ connectionString: postgresUrl });
  await (await migrated(new CommittingDatabase({ dialect: patient }))).destroy();
  const dialect = openPostgresDialect({ connectionString: postgresUrl, silenceMs: POSTGRES_SILENCE_MS });
  return new CommittingDatabase({ dialect });
}

/** Where SQLite's file is in a data folder. */
export const sqliteFile = (dataDir: string) => join(dataDir, "parley.db");

/** Another connection to a SQLite file that is open and migrated; it can only read. */
export async function openReader(file: string): Promise<Database> {
  const { openSqliteDialect } = await import("./sqlite.ts");
  return new CommittingDatabase({ dialect: openSqliteDialect(file, { isReadOnly: true }) });
}

/** Two further connections to PostgreSQL, beside those for requests, so that those cannot use them up. */
export async function openReserved(postgresUrl: string): Promise<Database> {
  const { openPostgresDialect } = await import("./postgres.ts");
  const settings = { connectionString: postgresUrl, silenceMs: POSTGRES_SILENCE_MS, connections: 2 };
  return new CommittingDatabase({ dialect: openPostgresDialect(settings) });
}

async function migrated(database: Database): Promise<Database> {
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}
