import { sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import { initial } from "./migrations/0001-initial.ts";
import { liveReplies } from "./migrations/0002-live-replies.ts";
import { trustedAccounts } from "./migrations/0003-trusted-accounts.ts";
import { organisedChats } from "./migrations/0004-organised-chats.ts";
import { search } from "./migrations/0005-search.ts";
import { presets } from "./migrations/0006-presets.ts";
import { usageAndImports } from "./migrations/0007-usage-and-imports.ts";
import type { Database } from "./schema.ts";

/** In the order in which they were written; names are never changed once released. */
const migrations: Record<string, Migration> = {
  "0001-initial": initial,
  "0002-live-replies": liveReplies,
  "0003-trusted-accounts": trustedAccounts,
  "0004-organised-chats": organisedChats,
  "0005-search": search,
  "0006-presets": presets,
  "0007-usage-and-imports": usageAndImports,
};

/**
 * Brings the schema up to date, all or nothing; several processes may call it at once.
 * @throws when a migration fails or the database is newer than this program
 */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  const sentence = (await hasUnknownMigrations(database))
    ? "The database was written by a newer version of this program."
    : `The database could not be brought up to date: ${error instanceof Error ? error.message : error}`;
  throw new Error(sentence, { cause: error });
}

async function hasUnknownMigrations(database: Database): Promise<boolean> {
  const rows = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`
    .execute(database)
    .then((result) => result.rows)
    .catch(() => []);
  return rows.some(({ name }) => !Object.hasOwn(migrations, name));
}
