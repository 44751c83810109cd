import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** MCP servers of owners and people, their tools, sign-ins to them, and calls that continue after a question. */
export const mcpServers: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await createServers(schema);
    await createSignIns(schema);
    await createCalls(schema);
  },
};

type Builder = Kysely<Schema>["schema"];

async function createServers(schema: Builder): Promise<void> {
  await schema
    .createTable("mcp_servers")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("slug", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("headers_encrypted", "text")
    .addColumn("groups", "text")
    .addColumn("is_trusted", "integer", (c) => c.notNull())
    .addColumn("is_enabled", "integer", (c) => c.notNull())
    .addColumn("chosen_tools", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  const ofAccount = schema.createIndex("mcp_servers_account").unique().on("mcp_servers");
  await ofAccount.columns(["user_id", "slug"]).execute();
  const ofInstallation = schema.createIndex("mcp_servers_slug").unique().on("mcp_servers");
  await ofInstallation.column("slug").where(sql.ref("user_id"), "is", null).execute();
  await schema
    .createTable("mcp_server_states")
    .addColumn("server", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull())
    .addColumn("era", "text")
    .addColumn("era_at", "bigint")
    .addColumn("tools", "text")
    .addColumn("listed_at", "bigint")
    .addColumn("failure", "text")
    .addColumn("failed_at", "bigint")
    .addColumn("needs_sign_in", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("mcp_server_states_key", ["server", "user_id"])
    .execute();
}

async function createSignIns(schema: Builder): Promise<void> {
  await schema
    .createTable("mcp_tokens")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("server", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("issuer", "text", (c) => c.notNull())
    .addColumn("tokens_encrypted", "text", (c) => c.notNull())
    .addColumn("refreshing_until", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  const tokens = schema.createIndex("mcp_tokens_account").unique().on("mcp_tokens");
  await tokens.columns(["user_id", "server"]).execute();
  await schema
    .createTable("mcp_clients")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("issuer", "text", (c) => c.notNull().unique())
    .addColumn("client_encrypted", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await schema
    .createTable("mcp_attempts")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("session_id", "text", (c) => c.notNull().references("sessions.id").onDelete("cascade"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("server", "text", (c) => c.notNull())
    .addColumn("body_encrypted", "text", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await schema.createIndex("mcp_attempts_expiry").on("mcp_attempts").column("expires_at").execute();
}

async function createCalls(schema: Builder): Promise<void> {
  await schema
    .createTable("mcp_call_counts")
    .addColumn("server", "text", (c) => c.notNull())
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("calls", "integer", (c) => c.notNull())
    .addColumn("failures", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("mcp_call_counts_key", ["server", "day"])
    .execute();
  await schema
    .createTable("tool_resumptions")
    .addColumn("message_id", "text", (c) => c.notNull().references("messages.id").onDelete("cascade"))
    .addColumn("seq", "integer", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("tool_resumptions_key", ["message_id", "seq"])
    .execute();
}
