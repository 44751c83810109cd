import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Schema } from "../schema.ts";

const chunkTables = ["file_chunks", "upload_chunks"] as const;

/** Bytes of attached files and of incomplete uploads. On SQLite the tables stay empty. */
export const fileBytes: Migration = {
  async up(db: Kysely<Schema>) {
    const { schema } = db;
    const blob = isOnSqlite(db) ? "blob" : "bytea";
    await schema
      .createTable("file_objects")
      .addColumn("key", "text", (c) => c.primaryKey())
      .addColumn("version", "text", (c) => c.notNull())
      .addColumn("size", "bigint", (c) => c.notNull())
      .addColumn("stored_at", "bigint", (c) => c.notNull())
      .execute();
    await schema
      .createTable("file_chunks")
      // No foreign key: the row of the object is inserted after its chunks.
      .addColumn("key", "text", (c) => c.notNull())
      .addColumn("version", "text", (c) => c.notNull())
      .addColumn("at", "integer", (c) => c.notNull())
      .addColumn("bytes", blob, (c) => c.notNull())
      .addPrimaryKeyConstraint("file_chunks_pk", ["key", "version", "at"])
      .execute();
    await schema
      .createTable("upload_objects")
      .addColumn("key", "text", (c) => c.primaryKey())
      .addColumn("size", "bigint", (c) => c.notNull())
      .addColumn("stored_at", "bigint", (c) => c.notNull())
      .execute();
    await schema
      .createTable("upload_chunks")
      .addColumn("key", "text", (c) => c.notNull().references("upload_objects.key").onDelete("cascade"))
      .addColumn("at", "integer", (c) => c.notNull())
      .addColumn("bytes", blob, (c) => c.notNull())
      .addPrimaryKeyConstraint("upload_chunks_pk", ["key", "at"])
      .execute();
    if (isOnSqlite(db)) return;
    for (const table of chunkTables) {
      // Uncompressed, because most files are compressed already, and so that a slice is read without its whole row.
      await sql`alter table ${sql.table(table)} alter column bytes set storage external`.execute(db);
    }
  },
};
