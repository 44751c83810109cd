import { join } from "node:path";
import { signUp, startParley } from "../harness/parley.ts";
import { reachablePostgres } from "../harness/reachable-postgres.ts";
import type { Row } from "../results/row.ts";
import { median } from "../results/statistics.ts";
import { fillPostgres, fillSqlite } from "./fill-accounts.ts";

const COUNTS = { accounts: 10_000, events: 1_000_000, groups: 200 };
const ROUNDS = 15;
const ALLOWED_MS = 100;
/** Pages before the one that is measured: the cost must not grow with the depth. */
const DEEP = 30;

const accountQueries = {
  "by name": "sort=name",
  "by last use": "sort=seen",
  "by storage": "sort=stored",
  "by cost of the month": "sort=cost",
  "by replies of the month, of a group": "group=group-1&sort=replies",
  "part of a name": "q=person77",
  "a name that all have": "q=lovelace",
  "a name that nobody has": "q=nobody",
  "active persons": "role=person&state=active",
  "of a group": "group=group-1",
  "of a group by last use": "group=group-1&sort=seen",
  "without a group": "group=none",
};
const auditQueries = {
  "in the middle": `before=${COUNTS.events / 2}`,
  "of a rare kind": "kind=account-created",
  "of a kind without records": "kind=account-verified",
  "of an account": "account=user-700",
  "of an administrator": "account=user-5",
  "of a name": "q=person77",
};

/** Measures the lists of administration with 10,000 accounts and a million records, on both databases. */
export async function* measureAdministration(): AsyncGenerator<Row[]> {
  yield await measureOn();
  const database = await reachablePostgres();
  if (!database) return;
  await using _database = database;
  yield await measureOn(database.url);
}

async function measureOn(postgresUrl?: string): Promise<Row[]> {
  await using parley = await startParley(postgresUrl === undefined ? {} : { DATABASE_URL: postgresUrl });
  // The first account of a server that only this machine reaches is its owner.
  const token = await signUp(parley);
  if (postgresUrl === undefined) fillSqlite(join(parley.dataDir, "parley.db"), COUNTS);
  else await fillPostgres(postgresUrl, COUNTS);
  const get = async (path: string): Promise<{ next?: string }> => {
    const response = await fetch(`${parley.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return (await response.json()) as { next?: string };
  };
  const engine = postgresUrl === undefined ? "SQLite" : "PostgreSQL";
  const rowOf = async (name: string, path: string): Promise<Row> => {
    const value = await medianMs(() => get(path));
    return { name: `${engine}: ${name}, p50`, value, unit: "ms", allowed: ALLOWED_MS };
  };
  let after: string | undefined;
  for (let page = 0; page < DEEP; page++) {
    after = (await get(`/admin/accounts?${after === undefined ? "" : `after=${after}`}`)).next;
  }
  const rows = [
    await rowOf("first page of accounts", "/admin/accounts"),
    await rowOf(`page ${DEEP + 1} of accounts`, `/admin/accounts?after=${after}`),
    await rowOf("first page of records", "/admin/audit"),
    await rowOf(`overview with budgets of ${COUNTS.groups} groups`, "/admin/overview"),
  ];
  for (const [name, query] of Object.entries(accountQueries)) {
    rows.push(await rowOf(`accounts ${name}`, `/admin/accounts?${query}`));
  }
  for (const [name, query] of Object.entries(auditQueries)) {
    rows.push(await rowOf(`records ${name}`, `/admin/audit?${query}`));
  }
  return rows;
}

async function medianMs(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const from = performance.now();
    await act();
    if (round >= 0) times.push(performance.now() - from);
  }
  return median(times);
}
