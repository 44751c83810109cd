import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import type { Queryable } from "../database/schema.ts";
import { noTokens } from "../models/most-tokens.ts";
import type { Purpose } from "./budgets.ts";
import { installationScope } from "./scopes.ts";

it.runIf(isOnPostgres)("settles earlier calls again after a deadlock, before a further call", async () => {
  await using app = await startTestApp({});
  const { database, budgets } = app.context;
  const sums = { month: "2026-01", spent: 0, reserved: 0, warned: 0 };
  const scopes = ["first", "second"];
  await database
    .insertInto("budget_totals")
    .values(scopes.map((scope) => ({ scope, ...sums })))
    .execute();
  const spend = (db: Queryable, scope: string) =>
    db
      .updateTable("budget_totals")
      .set((eb) => ({ spent: eb("spent", "+", 1) }))
      .where("scope", "=", scope)
      .execute();
  const [otherHolds, ownHolds] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
  const other = database.transaction().execute(async (db) => {
    await sql`set local deadlock_timeout = '10min'`.execute(db);
    await sql`set local lock_timeout = 0`.execute(db);
    await spend(db, "second");
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    otherHolds.resolve(rows[0]?.pid ?? 0);
    await ownHolds.promise;
    await spend(db, "first");
  });
  const pid = await otherHolds.promise;
  const otherWaits = async () => {
    const { rows } = await sql<{ n: number }>`select cardinality(pg_blocking_pids(${pid})) as n`.execute(database);
    expect(rows[0]?.n).toBe(1);
  };
  let tries = 0;
  const settle = async (db: Queryable) => {
    tries += 1;
    // Otherwise this attempt could be faster than the other transaction, and meet a second deadlock.
    if (tries === 2) await other;
    // This connection detects the deadlock, and is rolled back.
    await sql`set local deadlock_timeout = '10ms'`.execute(db);
    await spend(db, "first");
    ownHolds.resolve();
    if (tries === 1) await vi.waitFor(otherWaits);
    await spend(db, "second");
  };
  const purpose: Purpose = { userId: "u", purpose: "test", messageId: null, scopes: installationScope(1e9) };
  const model = { value: "LOCAL:plain", maxOutputTokens: 256, price: { input: 1, output: 1 } };
  await budgets.exchange(purpose, { model, sent: noTokens }, { settle, onBegin: undefined });
  await other;
  expect(tries).toBe(2);
  const totals = database.selectFrom("budget_totals").select(["scope", "spent"]).where("scope", "in", scopes);
  expect(await totals.orderBy("scope").execute()).toEqual(scopes.map((scope) => ({ scope, spent: 2 })));
});
