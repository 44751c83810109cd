import { sql } from "kysely";
import type { Database } from "../../server/database/schema.ts";
import { isOnPostgres } from "../database/test-database.ts";

/**
 * Makes the database refuse calls of tools in a state, so that a process that is killed
 * has stored everything before it. {@link acceptCalls} ends it.
 */
export async function refuseCalls(database: Database, state: string): Promise<void> {
  if (isOnPostgres) {
    await sql`create function refuse_calls() returns trigger language plpgsql as $$ begin
      if new.kind = 'tool' and new.body::json->>'state' = ${sql.lit(state)} then raise exception 'refused by a test'; end if;
      return new; end $$`.execute(database);
    await sql`create trigger refuse_calls before insert or update on message_parts
      for each row execute function refuse_calls()`.execute(database);
    return;
  }
  await sql`create trigger refuse_calls before insert on message_parts
    when new.kind = 'tool' and json_extract(new.body, '$.state') = ${sql.lit(state)}
    begin select raise(abort, 'refused by a test'); end`.execute(database);
}

export async function acceptCalls(database: Database): Promise<void> {
  if (isOnPostgres) await sql`drop function refuse_calls cascade`.execute(database);
  else await sql`drop trigger refuse_calls`.execute(database);
}
