import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Schema } from "../schema.ts";

/** The call belongs to a counted month of a budget in which it had no reservation. */
const isUnreserved = `new.cost_nano_usd > 0
  and scope in ('account:' || new.user_id, 'group:' || coalesce(new.group_id, ''), 'installation')
  and new.at >= begins_at and new.at < ends_at
  and (' ' || new.budgets || ' ') not like ('% ' || scope || ' %')`;

const bookUnreserved = `update budget_totals set spent = spent + new.cost_nano_usd where ${isUnreserved};`;

/**
 * Calls have the time of their beginning, their group, and the budgets in which they were reserved. A sum of a budget
 * says which calls it counts. A trigger adds the calls that were not reserved in it: they run while a budget is set, or
 * are made while it is removed. Foreign code cannot forget it, and a call without a budget needs no further statement.
 */
export const callBudgets: Migration = {
  async up(db: Kysely<Schema>) {
    const { schema } = db;
    await schema.alterTable("model_calls").addColumn("group_id", "text").execute();
    await schema
      .alterTable("model_calls")
      .addColumn("budgets", "text", (c) => c.notNull().defaultTo(""))
      .execute();
    await schema.alterTable("budget_totals").addColumn("begins_at", "bigint").execute();
    await schema.alterTable("budget_totals").addColumn("ends_at", "bigint").execute();
    await sql
      .raw(`update model_calls set at = at - coalesce(duration_ms, 0),
        group_id = (select group_id from users where users.id = model_calls.user_id)`)
      .execute(db);
    await (isOnSqlite(db) ? createSqliteTrigger(db) : createPostgresTrigger(db));
  },
};

async function createSqliteTrigger(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create trigger model_calls_booked after insert on model_calls begin ${bookUnreserved} end`)
    .execute(db);
}

async function createPostgresTrigger(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create or replace function model_calls_booked() returns trigger language plpgsql as
      $$ begin ${bookUnreserved} return null; end $$`)
    .execute(db);
  await sql
    .raw(`create trigger model_calls_booked after insert on model_calls
      for each row execute function model_calls_booked()`)
    .execute(db);
}
