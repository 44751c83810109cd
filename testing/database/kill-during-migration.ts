import process from "node:process";
import { Kysely } from "kysely";
import { migrate } from "../../server/database/migrate.ts";
import { openPostgresDialect } from "../../server/database/postgres/postgres.ts";
import type { Schema } from "../../server/database/schema.ts";
import { openSqliteDialect } from "../../server/database/sqlite/sqlite.ts";
import { sqliteFile } from "../../server/database/sqlite/sqlite-file.ts";

/**
 * Migrates the database of a data folder or URL, and kills this process after the first statement that begins with the
 * given words.
 */
const [, , where = "", words = ""] = process.argv;
const isUrl = where.startsWith("postgres");
const database = new Kysely<Schema>({
  dialect: isUrl ? openPostgresDialect({ connectionString: where }) : openSqliteDialect(sqliteFile(where)),
  log: ({ query }) => {
    if (query.sql.startsWith(words)) process.kill(process.pid, "SIGKILL");
  },
});
await migrate(database);
