import { DatabaseSync } from "node:sqlite";
import pg from "pg";

const INSTRUCTIONS_CHARS = 2000;

const userColumns =
  "id, username, username_key, email, email_key, firstname, lastname, created_at, verified_at, last_seen_at, stored_bytes, group_id, instructions";
/** Every twentieth account is in the group `group-1`. Firstname and lastname are of few letters, as names are; usernames are unique. */
const userValues = `'user-' || n, 'person' || n, 'person' || n, 'person' || n || '@example.org', 'person' || n || '@example.org',
  'Ada', 'Lovelace', n % 5000, 1, n * 7919 % 10007, n * 104729 % 1000003,
  case when n % 20 = 0 then 'group-1' end, `;
const eventColumns = "seq, at, kind, actor, subject, before, after, hash";
const eventValues = (accounts: number) =>
  `n, n, case when n % 50000 = 0 then 'account-created' when n % 3 = 0 then 'quota-changed' else 'sessions-ended' end,
  'user-' || (n % 20 + 1), 'user-' || (n * 7919 % ${accounts} + 1), null, '{"quotaMb":5}', 'hash'`;

const groupColumns = "id, name, name_key, budget, member_budget, time_zone, created_at";
const groupValues = `'group-' || n, 'Group ' || n, 'group ' || n, 5000000000, 1000000000,
  case n % 3 when 0 then 'UTC' when 1 then 'Pacific/Auckland' else 'America/New_York' end, n`;
const totalColumns = "scope, month, spent, reserved, warned";
const totalValues = () => `'group:group-' || n, '${new Date().toISOString().slice(0, 7)}', n * 10000000, 0, 0`;

const monthColumns = "user_id, month, replies, cost_nano_usd";
const monthValues = () =>
  `'user-' || n, '${new Date().toISOString().slice(0, 7)}', n * 7919 % 500, n * 104729 % 9999991 * 1000`;

export type Counts = { accounts: number; events: number; groups: number };

/**
 * Adds verified accounts `person1`, `person2` … with sums of this month, and records about them, of which the last has the number `events`, and
 * groups with partly spent budgets.
 */
export function fillSqlite(file: string, { accounts, events, groups }: Counts): void {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  const series = (count: number) =>
    `with recursive series (n) as (select 1 union all select n + 1 from series where n < ${count})`;
  const instructions = `'${"x".repeat(INSTRUCTIONS_CHARS)}'`;
  database.exec(`begin immediate;
    insert into account_groups (${groupColumns}) ${series(groups)} select ${groupValues} from series;
    insert into users (${userColumns}) ${series(accounts)} select ${userValues} ${instructions} from series;
    insert into account_months (${monthColumns}) ${series(accounts)} select ${monthValues()} from series;
    delete from audit_events;
    insert into audit_events (${eventColumns}) ${series(events)} select ${eventValues(accounts)} from series;
    insert into budget_totals (${totalColumns}) ${series(groups)} select ${totalValues()} from series;
    commit`);
}

export async function fillPostgres(url: string, { accounts, events, groups }: Counts): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const series = (count: number) => `from generate_series(1, ${count}) as series (n)`;
    const instructions = `repeat('x', ${INSTRUCTIONS_CHARS})`;
    await client.query(`insert into account_groups (${groupColumns}) select ${groupValues} ${series(groups)}`);
    await client.query(
      `insert into users (${userColumns}) select ${userValues.replaceAll("n * ", "n::bigint * ")} ${instructions} ${series(accounts)}`,
    );
    const sums = monthValues().replaceAll("n * ", "n::bigint * ");
    await client.query(`insert into account_months (${monthColumns}) select ${sums} ${series(accounts)}`);
    await client.query("delete from audit_events");
    const values = eventValues(accounts).replaceAll("n * ", "n::bigint * ");
    await client.query(`insert into audit_events (${eventColumns}) select ${values} ${series(events)}`);
    const totals = totalValues().replaceAll("n * ", "n::bigint * ");
    await client.query(`insert into budget_totals (${totalColumns}) select ${totals} ${series(groups)}`);
    await client.query("analyze users, account_months, audit_events");
  } finally {
    await client.end();
  }
}
