import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Parts counted 40 bytes beside their body before, and count 300 now. */
const ADDED_BYTES = 260;

/**
 * Counts the new weight of stored parts against the quotas, and lets a chat's tree be read in steps, in its order. A
 * chat or account that now exceeds its quota stays readable.
 */
export const weighedParts: Migration = {
  async up(db: Kysely<Schema>) {
    await addWeight(db, "chats", "chat_id");
    await addWeight(db, "users", "user_id");
    await db.schema.createIndex("messages_tree").on("messages").columns(["chat_id", "created_at", "id"]).execute();
    await db.schema.dropIndex("messages_chat").execute();
  },
};

/** Which parts count is the rule of `countedBytes`: none of an empty reply, and none of the run that is written. */
async function addWeight(db: Kysely<Schema>, table: "chats" | "users", key: "chat_id" | "user_id"): Promise<void> {
  await sql`with weights as (
      select messages.${sql.ref(key)} as id, count(*) * ${sql.lit(ADDED_BYTES)} as bytes
      from message_parts join messages on messages.id = message_parts.message_id
      where (messages.role = 'user' or messages.content <> '')
        and (messages.state <> 'writing' or message_parts.run < messages.run)
      group by messages.${sql.ref(key)})
    update ${sql.table(table)} set stored_bytes = stored_bytes + weights.bytes
    from weights where weights.id = ${sql.table(table)}.id`.execute(db);
}
