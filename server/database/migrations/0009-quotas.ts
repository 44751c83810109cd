import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { countedBytes } from "../../text/stored-bytes.ts";
import type { Schema } from "../schema.ts";

/** Maximum of messages in memory at a time, each of up to a million characters. */
const BATCH = 100;

/** Counters of stored bytes for chats and accounts, computed from existing messages, and quotas of single accounts. */
export const storageQuotas: Migration = {
  async up(db: Kysely<Schema>) {
    for (const table of ["users", "chats"] as const) {
      await db.schema
        .alterTable(table)
        .addColumn("stored_bytes", "bigint", (c) => c.notNull().defaultTo(0))
        .execute();
    }
    await db.schema.alterTable("users").addColumn("quota_mb", "integer").execute();
    for (const [id, stored_bytes] of await bytesByChat(db)) {
      await db.updateTable("chats").set({ stored_bytes }).where("id", "=", id).execute();
    }
    await sql`update users set stored_bytes =
      coalesce((select sum(stored_bytes) from chats where chats.user_id = users.id), 0)`.execute(db);
  },
};

async function bytesByChat(db: Kysely<Schema>): Promise<Map<string, number>> {
  const bytes = new Map<string, number>();
  for (let after = ""; ; ) {
    const messages = await db
      .selectFrom("messages")
      .select(["id", "chat_id", "role", "content", "seams", "run", "state"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    for (const message of messages) {
      after = message.id;
      bytes.set(message.chat_id, (bytes.get(message.chat_id) ?? 0) + countedBytes(message, []));
    }
    if (messages.length < BATCH) return bytes;
  }
}
