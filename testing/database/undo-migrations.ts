import { sql } from "kysely";
import { isOnSqlite } from "../../server/database/is-on-sqlite.ts";
import type { Database } from "../../server/database/schema.ts";

async function undoShares(database: Database): Promise<void> {
  for (const table of ["share_files", "share_pages", "shares"])
    await sql`drop table ${sql.table(table)}`.execute(database);
  if (isOnSqlite(database)) {
    await sql`drop trigger message_files_removed`.execute(database);
    await sql
      .raw(
        `create trigger message_files_removed after delete on message_files begin
          delete from files where user_id = old.user_id and id = old.file_id and not exists
            (select 1 from message_files where user_id = old.user_id and file_id = old.file_id); end`,
      )
      .execute(database);
  }
  await database.schema.alterTable("account_groups").dropColumn("may_share").execute();
}

async function undoMcpServers(database: Database): Promise<void> {
  await undoShares(database);
  const own = ["servers", "server_states", "tokens", "clients", "attempts", "call_counts"].map((name) => `mcp_${name}`);
  for (const table of [...own, "tool_resumptions"]) await sql`drop table ${sql.table(table)}`.execute(database);
}

/** Reverts the migrations of single sign-on and all later ones. */
export async function undoSingleSignOn(database: Database): Promise<void> {
  await undoMcpServers(database);
  for (const table of ["identity_providers", "provider_sessions", "external_identities"]) {
    await sql`drop table ${sql.table(table)}`.execute(database);
  }
  await database.schema.alterTable("sign_in_tickets").dropColumn("provider_session").execute();
}

/** Reverts the migrations of tools, except those of connections, and all later ones. */
export async function undoTools(database: Database): Promise<void> {
  await undoSingleSignOn(database);
  for (const table of [
    "passkeys",
    "last_sign_ins",
    "lost_factors",
    "remembered_browsers",
    "sign_in_tickets",
    "recovery_codes",
    "totp_factors",
    "imported_origins",
  ]) {
    await sql`drop table ${sql.table(table)}`.execute(database);
  }
  await database.schema.alterTable("sign_in_throttles").dropColumn("purpose").execute();
  await undoRequired(database);
  await sql`drop table provider_turns`.execute(database);
  await sql`drop table tool_approvals`.execute(database);
  await sql`drop index messages_waiting`.execute(database);
  for (const table of ["chats", "presets"]) await database.schema.alterTable(table).dropColumn("tools").execute();
}

/** Removes the columns of the requirement of a second factor. */
export async function undoRequired({ schema }: Database): Promise<void> {
  for (const table of ["users", "account_groups"]) {
    await schema.alterTable(table).dropColumn("needs_second_factor").execute();
  }
}
