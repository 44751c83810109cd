import { statSync } from "node:fs";
import { resolve } from "node:path";
import { SECOND } from "#contract/limits.ts";
import { CommittingDatabase } from "./after-commit.ts";
import { type MigrateOptions, migrate } from "./migrate.ts";
import type { Database } from "./schema.ts";
import { sqliteFile } from "./sqlite/sqlite-file.ts";
import type { DatabaseWatch } from "./watch.ts";

export type DatabaseSettings = {
  dataDir: string;
  postgresUrl?: string;
  watch?: DatabaseWatch;
  /** Reports a warning for the administrator, in a sentence. */
  warn?: (sentence: string) => void;
};

/**
 * Longer than any query of a request takes. After this time of silence the database counts as unavailable, and waiting
 * queries fail.
 */
const POSTGRES_SILENCE_MS = 1.5 * SECOND;

/** Opens PostgreSQL if a URL is given, else the SQLite file of the data folder, and migrates it. */
export async function openDatabase({ dataDir, postgresUrl, watch = {}, warn }: DatabaseSettings): Promise<Database> {
  if (!postgresUrl) {
    const { openSqliteDialect } = await import("./sqlite/sqlite.ts");
    const { takeSnapshotBefore } = await import("./snapshots.ts");
    const database = new CommittingDatabase(openSqliteDialect(sqliteFile(dataDir)), watch);
    return migrated(database, { beforeChange: (change) => takeSnapshotBefore(change, dataDir) });
  }
  const { openPostgresDialect } = await import("./postgres/postgres.ts");
  // A migration may take longer than the silence limit.
  const withLongTimeout = openPostgresDialect({ connectionString: postgresUrl });
  const beforeChange = async (change: string) =>
    warn?.(
      `The database is migrated for this version, from ${change} on, and PostgreSQL is not copied: to go back, restore a ` +
        "backup that was made before (npm run admin -- backup FILE).",
    );
  await (await migrated(new CommittingDatabase(withLongTimeout), { beforeChange })).destroy();
  return openWatched(postgresUrl, "requests", watch);
}

/**
 * Opens the database without migrating it, even while a server uses it; see `findSchemaState`. `isReadOnly`: on SQLite,
 * a connection that cannot write, reads one snapshot and blocks nobody.
 * @throws with a sentence for the console if there is no database
 */
export async function openAsItIs(
  { dataDir, postgresUrl }: DatabaseSettings,
  { isReadOnly = false } = {},
): Promise<Database> {
  if (postgresUrl) {
    const { openPostgresDialect } = await import("./postgres/postgres.ts");
    return new CommittingDatabase(openPostgresDialect({ connectionString: postgresUrl }));
  }
  const file = sqliteFile(dataDir);
  // Throws if the folder may not be read.
  if (!statSync(file, { throwIfNoEntry: false }))
    throw new Error(`There is no database in ${resolve(dataDir)}. Set DATA_DIR or DATABASE_URL.`);
  const { openSqliteDialect } = await import("./sqlite/sqlite.ts");
  return new CommittingDatabase(openSqliteDialect(file, { isReadOnly }));
}

/** Opens a second, read-only connection to a SQLite file that is open and migrated. */
export async function openReader(file: string): Promise<Database> {
  const { openSqliteDialect } = await import("./sqlite/sqlite.ts");
  return new CommittingDatabase(openSqliteDialect(file, { isReadOnly: true }));
}

/** Opens two further connections to PostgreSQL, which requests cannot exhaust. */
export async function openReserved(postgresUrl: string, watch: DatabaseWatch = {}): Promise<Database> {
  return openWatched(postgresUrl, "reserved", watch, 2);
}

async function openWatched(postgresUrl: string, name: string, watch: DatabaseWatch, connections?: number) {
  const { openPostgresDialect } = await import("./postgres/postgres.ts");
  const dialect = openPostgresDialect({
    connectionString: postgresUrl,
    silenceMs: POSTGRES_SILENCE_MS,
    ...(connections !== undefined && { connections }),
    onPool: (pool) => watch.onPool?.(name, pool),
  });
  return new CommittingDatabase(dialect, watch);
}

async function migrated(database: Database, options: MigrateOptions = {}): Promise<Database> {
  try {
    await migrate(database, options);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}
