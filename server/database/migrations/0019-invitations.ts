import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Schema } from "../schema.ts";

/** Invitations, and which accounts registered with them. */
export const invitations: Migration = {
  async up(db: Kysely<Schema>) {
    const { schema } = db;
    await schema
      .createTable("invitations")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("key_hash", "text", (c) => c.notNull().unique())
      .addColumn("created_by", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .addColumn("revoked_at", "bigint")
      .addColumn("address", "text")
      .addColumn("address_key", "text")
      .addColumn("uses_max", "integer", (c) => c.notNull())
      .addColumn("uses", "integer", (c) => c.notNull())
      .addColumn("role", "text", (c) => c.notNull())
      .addColumn("note", "text", (c) => c.notNull())
      .execute();
    await schema
      .createTable("invitation_uses")
      .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
      .addColumn("invitation_id", "text", (c) => c.notNull().references("invitations.id").onDelete("cascade"))
      .addColumn("at", "bigint", (c) => c.notNull())
      .execute();
    await schema
      .createIndex("invitation_uses_invitation")
      .on("invitation_uses")
      .columns(["invitation_id", "at"])
      .execute();
    await (isOnSqlite(db) ? createSqliteTrigger(db) : createPostgresTrigger(db));
  },
};

// A use is counted at the registration, and a trigger takes it back when an unverified account is removed, by whichever
// statement. Counting at the verification would let any number of people register with a single-use invitation. A
// count of the rows of `invitation_uses` would let a person whose account was deleted register again.
const takeBack = `update invitations set uses = uses - 1
  where id in (select invitation_id from invitation_uses where user_id = old.id);`;

async function createSqliteTrigger(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create trigger invitations_taken_back before delete on users when old.verified_at is null
      begin ${takeBack} end`)
    .execute(db);
}

async function createPostgresTrigger(db: Kysely<Schema>): Promise<void> {
  const name = "invitations_taken_back";
  await sql
    .raw(`create or replace function ${name}() returns trigger language plpgsql as
      $$ begin ${takeBack} return old; end $$`)
    .execute(db);
  await sql
    .raw(`create trigger ${name} before delete on users for each row when (old.verified_at is null)
      execute function ${name}()`)
    .execute(db);
}
