import { join } from "node:path";
import process from "node:process";
import { Kysely } from "kysely";
import { migrate } from "../server/database/migrate.ts";
import type { Schema } from "../server/database/schema.ts";
import { openSqliteDialect } from "../server/database/sqlite.ts";

/** Migrates the data folder given, and dies as if killed when the last table is about to be made. */
const [, , dataDir = ""] = process.argv;
const database = new Kysely<Schema>({
  dialect: openSqliteDialect(join(dataDir, "parley.db")),
  log: ({ query }) => {
    if (query.sql.startsWith('create table "sends"')) process.kill(process.pid, "SIGKILL");
  },
});
await migrate(database);
