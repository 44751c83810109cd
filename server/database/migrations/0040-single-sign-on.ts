import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** Identities at identity providers, the sessions that these began, and providers that owners add. */
export const singleSignOn: Migration = {
  async up({ schema }: Kysely<Schema>) {
    await schema
      .createTable("external_identities")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("issuer", "text", (c) => c.notNull())
      .addColumn("subject", "text", (c) => c.notNull())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("label", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("last_used_at", "bigint")
      .addColumn("restored_at", "bigint")
      .execute();
    const identities = schema.createIndex("external_identities_subject").unique().on("external_identities");
    await identities.columns(["issuer", "subject"]).execute();
    const ofAccount = schema.createIndex("external_identities_account").unique().on("external_identities");
    await ofAccount.columns(["user_id", "issuer"]).execute();
    const labels = schema.createIndex("external_identities_label").on("external_identities");
    await labels.columns(["issuer", "label"]).execute();
    await schema
      .createTable("provider_sessions")
      .addColumn("session_id", "text", (c) => c.primaryKey().references("sessions.id").onDelete("cascade"))
      .addColumn("issuer", "text", (c) => c.notNull())
      .addColumn("subject", "text", (c) => c.notNull())
      .addColumn("sid", "text")
      .addColumn("id_token_encrypted", "text")
      .execute();
    const sessions = schema.createIndex("provider_sessions_subject").on("provider_sessions");
    await sessions.columns(["issuer", "subject"]).execute();
    await schema
      .createTable("identity_providers")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("slug", "text", (c) => c.notNull().unique())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("issuer", "text", (c) => c.notNull().unique())
      .addColumn("client_id", "text", (c) => c.notNull())
      .addColumn("secret_encrypted", "text")
      .addColumn("settings", "text", (c) => c.notNull())
      .addColumn("position", "integer", (c) => c.notNull())
      .addColumn("is_enabled", "integer", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addColumn("updated_at", "bigint", (c) => c.notNull())
      .execute();
    await schema.alterTable("sign_in_tickets").addColumn("provider_session", "text").execute();
  },
};
