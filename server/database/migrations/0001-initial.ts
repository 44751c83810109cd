import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** The first schema: accounts, their mails, chats as trees of messages, chunks of replies. */
export const initial: Migration = {
  async up(db: Kysely<Schema>) {
    await createAccounts(db);
    await createMails(db);
    await createChats(db);
    await createReplies(db);
  },
};

async function createAccounts({ schema }: Kysely<Schema>) {
  await schema
    .createTable("users")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("username", "text", (c) => c.notNull())
    .addColumn("username_key", "text", (c) => c.notNull().unique())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("email_key", "text", (c) => c.notNull())
    .addColumn("firstname", "text", (c) => c.notNull())
    .addColumn("lastname", "text", (c) => c.notNull())
    .addColumn("password_hash", "text")
    .addColumn("google_subject", "text", (c) => c.unique())
    .addColumn("verified_at", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  // One verified account per address; any number of pending accounts may have the same one.
  await schema
    .createIndex("users_verified_email")
    .unique()
    .on("users")
    .column("email_key")
    .where(sql.ref("verified_at"), "is not", null)
    .execute();
  await schema.createIndex("users_email").on("users").column("email_key").execute();
  await schema
    .createTable("sessions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_seen_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("sessions_user").on("sessions").column("user_id").execute();
  await schema
    .createTable("email_keys")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("purpose", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull().unique())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("email_keys_user").on("email_keys").columns(["user_id", "purpose"]).unique().execute();
  await schema
    .createTable("used_nonces")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
}

async function createMails({ schema }: Kysely<Schema>) {
  await schema
    .createTable("mails")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("template", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("params", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("next_attempt_at", "bigint", (c) => c.notNull())
    .addColumn("sent_at", "bigint")
    .addColumn("failed_at", "bigint")
    .execute();
  await schema
    .createIndex("mails_due")
    .on("mails")
    .column("next_attempt_at")
    .where(sql.ref("sent_at"), "is", null)
    .where(sql.ref("failed_at"), "is", null)
    .execute();
}

async function createChats({ schema }: Kysely<Schema>) {
  await schema
    .createTable("chats")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("title_origin", "text", (c) => c.notNull())
    .addColumn("leaf", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("chats_history").on("chats").columns(["user_id", "updated_at desc", "id desc"]).execute();
  await schema
    .createTable("messages")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("chat_id", "text", (c) => c.notNull().references("chats.id").onDelete("cascade"))
    .addColumn("parent", "text")
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("model", "text")
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("error_code", "text")
    .addColumn("input_tokens", "integer")
    .addColumn("output_tokens", "integer")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("ended_at", "bigint")
    .execute();
  await schema.createIndex("messages_chat").on("messages").column("chat_id").execute();
  await schema.createIndex("messages_user").on("messages").column("user_id").execute();
  // At most one reply is written in a chat at a time.
  await schema
    .createIndex("messages_writing")
    .on("messages")
    .column("chat_id")
    .unique()
    .where(sql.ref("state"), "=", sql.lit("writing"))
    .execute();
  await schema
    .createIndex("messages_empty")
    .on("messages")
    .column("created_at")
    .where(sql.ref("role"), "=", sql.lit("assistant"))
    .where(sql.ref("content"), "=", sql.lit(""))
    .where(sql.ref("state"), "!=", sql.lit("writing"))
    .execute();
}

async function createReplies({ schema }: Kysely<Schema>) {
  await schema
    .createTable("reply_chunks")
    .addColumn("message_id", "text", (c) => c.notNull().references("messages.id").onDelete("cascade"))
    .addColumn("at", "integer", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("reply_chunks_pk", ["message_id", "at"])
    .execute();
  await schema
    .createTable("sends")
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("fingerprint", "text", (c) => c.notNull())
    .addColumn("chat_id", "text", (c) => c.notNull().references("chats.id").onDelete("cascade"))
    .addColumn("question_id", "text")
    .addColumn("reply_id", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("sends_pk", ["user_id", "key"])
    .execute();
  await schema.createIndex("sends_chat").on("sends").column("chat_id").execute();
  await schema.createIndex("sends_created").on("sends").column("created_at").execute();
  await schema
    .createTable("daily_replies")
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("count", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("daily_replies_pk", ["user_id", "day"])
    .execute();
}
