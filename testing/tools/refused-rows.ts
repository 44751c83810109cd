import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../server/database/schema.ts";
import { isOnPostgres } from "../database/test-database.ts";

/**
 * Makes the database refuse rows of a table until {@link acceptRows}, so that a process that is killed has stored
 * everything before them.
 */
export async function refuseRows(
  database: Database,
  table: "message_parts" | "provider_turns",
  condition: RawBuilder<unknown> = sql`1 = 1`,
): Promise<void> {
  if (isOnPostgres) {
    await sql`create function refuse_row() returns trigger language plpgsql as
      $$ begin raise exception 'refused by a test'; end $$`.execute(database);
    await sql`create trigger refuse_row before insert or update on ${sql.table(table)}
      for each row when (${condition}) execute function refuse_row()`.execute(database);
    return;
  }
  await sql`create trigger refuse_row before insert on ${sql.table(table)} when ${condition}
    begin select raise(abort, 'refused by a test'); end`.execute(database);
}

/** {@link refuseRows} for calls of tools in a state. */
export function refuseCalls(database: Database, state: string): Promise<void> {
  const stored = isOnPostgres ? sql`new.body::json->>'state'` : sql`json_extract(new.body, '$.state')`;
  return refuseRows(database, "message_parts", sql`new.kind = 'tool' and ${stored} = ${sql.lit(state)}`);
}

export async function acceptRows(database: Database): Promise<void> {
  if (isOnPostgres) await sql`drop function refuse_row cascade`.execute(database);
  else await sql`drop trigger refuse_row`.execute(database);
}
