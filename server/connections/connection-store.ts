import { inRuns } from "../database/in-runs.ts";
import type { Queryable } from "../database/schema.ts";
import type { ConnectionModelRow, ConnectionRow } from "../database/tables/connection-tables.ts";

/** Lists the stored connections in their order. */
export async function listConnections(db: Queryable): Promise<ConnectionRow[]> {
  return db.selectFrom("connections").selectAll().orderBy("position").orderBy("id").execute();
}

export async function findConnection(db: Queryable, slug: string): Promise<ConnectionRow | undefined> {
  return db.selectFrom("connections").selectAll().where("slug", "=", slug).executeTakeFirst();
}

export async function insertConnection(db: Queryable, row: ConnectionRow): Promise<void> {
  await db.insertInto("connections").values(row).execute();
}

export async function updateConnection(db: Queryable, id: string, change: Partial<ConnectionRow>): Promise<void> {
  await db.updateTable("connections").set(change).where("id", "=", id).execute();
}

/** Deletes a connection with its models. */
export async function deleteConnection(db: Queryable, { id, slug }: Pick<ConnectionRow, "id" | "slug">): Promise<void> {
  await db.deleteFrom("connection_models").where("slug", "=", slug).execute();
  await db.deleteFrom("connections").where("id", "=", id).execute();
}

/** Lists the models of all connections, or of one, in their order. */
export async function listConnectionModels(db: Queryable, slug?: string): Promise<ConnectionModelRow[]> {
  let query = db.selectFrom("connection_models").selectAll().orderBy("slug").orderBy("position").orderBy("name");
  if (slug !== undefined) query = query.where("slug", "=", slug);
  return query.execute();
}

/** Stores models, or replaces the rows of their names. */
export async function putConnectionModels(db: Queryable, rows: readonly ConnectionModelRow[]): Promise<void> {
  for (const run of inRuns(rows, () => 1)) {
    await db
      .insertInto("connection_models")
      .values(run)
      .onConflict((conflict) =>
        conflict.columns(["slug", "name"]).doUpdateSet((eb) => ({
          facts: eb.ref("excluded.facts"),
          overrides: eb.ref("excluded.overrides"),
          is_offered: eb.ref("excluded.is_offered"),
          is_listed: eb.ref("excluded.is_listed"),
          position: eb.ref("excluded.position"),
        })),
      )
      .execute();
  }
}

/** Removes models of a connection by their names. */
export async function deleteConnectionModels(db: Queryable, slug: string, names: readonly string[]): Promise<void> {
  for (const run of inRuns(names, () => 1)) {
    await db.deleteFrom("connection_models").where("slug", "=", slug).where("name", "in", run).execute();
  }
}
