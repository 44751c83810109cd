import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../schema.ts";

/** When each way to sign in was last used. The sessions that exist say so for the time before. */
export const lastSignIns: Migration = {
  async up(db: Kysely<Schema>) {
    await db.schema
      .createTable("last_sign_ins")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("way", "text", (c) => c.notNull())
      .addColumn("at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("last_sign_ins_key", ["user_id", "way"])
      .execute();
    await db
      .insertInto("last_sign_ins")
      .columns(["user_id", "way", "at"])
      .expression((eb) =>
        eb
          .selectFrom("sessions")
          .where("sessions.method", "in", ["password", "google"])
          .groupBy(["sessions.user_id", "sessions.method"])
          .select((of) => [
            "sessions.user_id",
            of.ref("sessions.method").$castTo<"password" | "google">().as("way"),
            of.fn.max("sessions.created_at").as("at"),
          ]),
      )
      .execute();
  },
};
