import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isOnSqlite } from "../is-on-sqlite.ts";
import type { Schema } from "../schema.ts";

const onSqlite = "strftime('%Y-%m', at / 1000, 'unixepoch')";
const onPostgres = "to_char(to_timestamp(at / 1000) at time zone 'UTC', 'YYYY-MM')";

const isTemporary = "case when purpose = 'temporary' then 1 else 0 end";
const insertSums = "insert into account_months (user_id, month, replies, cost_nano_usd)";
const addSums = `on conflict (user_id, month) do update set replies = account_months.replies + excluded.replies,
  cost_nano_usd = case when excluded.cost_nano_usd is null then account_months.cost_nano_usd
    else coalesce(account_months.cost_nano_usd, 0) + excluded.cost_nano_usd end`;

/**
 * Replies and cost of each account in each month (UTC). Lists of accounts are sorted by them, and calls of a month are
 * too many to be added up for a page. A trigger adds each call: a restore and a move, which copy calls, need no further
 * step. A reply counts in the month of its first call.
 */
export const accountMonths: Migration = {
  async up(db: Kysely<Schema>) {
    await db.schema
      .createTable("account_months")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("month", "text", (c) => c.notNull())
      .addColumn("replies", "integer", (c) => c.notNull())
      .addColumn("cost_nano_usd", "bigint")
      .addPrimaryKeyConstraint("account_months_pkey", ["user_id", "month"])
      .execute();
    const month = isOnSqlite(db) ? onSqlite : onPostgres;
    await sql
      .raw(`${insertSums} select user_id, ${month}, count(distinct message_id) + sum(${isTemporary}), sum(cost_nano_usd)
        from model_calls group by user_id, ${month}`)
      .execute(db);
    await (isOnSqlite(db) ? createSqliteTrigger(db) : createPostgresTrigger(db));
  },
};

async function createSqliteTrigger(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create trigger model_calls_summed after insert on model_calls begin
      ${insertSums} select user_id, ${onSqlite},
        case when message_id is null then ${isTemporary}
          when exists (select 1 from model_calls c where c.message_id = new.message_id and c.id <> new.id) then 0
          else 1 end,
        cost_nano_usd
      from model_calls where id = new.id ${addSums}; end`)
    .execute(db);
}

/** One statement may insert several calls of a reply, and the trigger of each row would see all of them. */
async function createPostgresTrigger(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create or replace function model_calls_summed() returns trigger language plpgsql as $$ begin
      ${insertSums} select user_id, ${onPostgres},
        count(distinct message_id) filter (where not exists (
          select 1 from model_calls c where c.message_id = added.message_id and c.id not in (select id from added)))
          + sum(${isTemporary}),
        sum(cost_nano_usd)
      from added group by 1, 2 order by 1, 2 ${addSums};
      return null; end $$`)
    .execute(db);
  await sql
    .raw(`create trigger model_calls_summed after insert on model_calls
      referencing new table as added for each statement execute function model_calls_summed()`)
    .execute(db);
}
