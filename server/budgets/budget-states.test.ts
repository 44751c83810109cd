import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { administeredAccountSchema } from "#contract/administration/administration.ts";
import { overviewSchema } from "#contract/administration/overview.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { usageSchema } from "#contract/models/usage.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { insertGroup, setBudgetsOf } from "../../testing/chats/budgets.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import type { BudgetTotalRow } from "../database/schema.ts";
import { budgetsOfGroups } from "./budget-states.ts";

const clock = new TestClock(Date.UTC(2026, 10, 15));
const DECEMBER = Date.UTC(2026, 11, 1);
const DECEMBER_IN_AUCKLAND = Date.UTC(2026, 10, 30, 11);
const DOLLAR = 1e9;

let app: TestApp;
let administrator: TestAccount;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp({ clock, env: { MONTHLY_BUDGET_USD: "10" } });
  administrator = await signUpAs(app, "administrator");
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ["budget_totals", "account_groups"] as const) {
    await app.context.database.deleteFrom(table).execute();
  }
  ada = await signUp(app);
});

/** Adds the sums of a scope in this month. */
async function spend(scope: string, columns: Partial<BudgetTotalRow>): Promise<void> {
  const row = { scope, month: "2026-11", spent: 0, reserved: 0, warned: 0, ...columns };
  await app.context.database.insertInto("budget_totals").values(row).execute();
}

async function readUsage() {
  return usageSchema.parse(await (await app.call("GET", modelPaths.usage, { token: ada.token })).json());
}

async function readOverview() {
  const response = await app.call("GET", administrationPaths.overview, { token: administrator.token });
  return overviewSchema.parse(await response.json());
}

async function readAccount() {
  const response = await app.call("GET", administrationPaths.account(ada.user.id), { token: administrator.token });
  return administeredAccountSchema.parse(await response.json());
}

const change = (body: unknown) =>
  app.call("PATCH", administrationPaths.account(ada.user.id), { token: administrator.token, body });

it("an account sees its own budget in dollars, and that of its group as a percentage", async () => {
  expect((await readUsage()).budgets).toEqual({});
  const group = await insertGroup(app, {
    budget: 7 * DOLLAR,
    member_budget: 2 * DOLLAR,
    time_zone: "Pacific/Auckland",
  });
  await setBudgetsOf(app, ada.user.id, { group_id: group });
  const period = { month: "2026-11", resetsAt: DECEMBER_IN_AUCKLAND };
  const account = { scope: "account", limit: 2, spent: 0, reserved: 0, ...period };
  expect((await readUsage()).budgets).toEqual({ account, group: { percent: 0, ...period } });
  await spend(`account:${ada.user.id}`, { spent: 1.25 * DOLLAR, reserved: 0.5 * DOLLAR });
  await spend(`group:${group}`, { spent: 6.9 * DOLLAR });
  await spend(`group:${group}`, { month: "2026-10", spent: 7 * DOLLAR });
  const { budgets } = await readUsage();
  expect(budgets).toEqual({
    account: { ...account, spent: 1.25, reserved: 0.5 },
    group: { percent: 98, ...period },
  });
  expect((await readAccount()).budgets).toEqual({
    account: budgets.account,
    group: { scope: "group", limit: 7, spent: 6.9, reserved: 0, ...period },
  });
});

describe("overview of budgets", () => {
  it("the overview shows the budget of the installation, and warns at 80 % and at its end", async () => {
    const budget = { scope: "installation", limit: 10, spent: 0, reserved: 0, month: "2026-11", resetsAt: DECEMBER };
    const before = await readOverview();
    expect(before.budget).toEqual(budget);
    expect(before.warnings.filter((warning) => warning.includes("budget"))).toEqual([]);
    await spend("installation", { spent: 8 * DOLLAR, reserved: DOLLAR });
    const nearly = await readOverview();
    expect(nearly.budget).toEqual({ ...budget, spent: 8, reserved: 1 });
    expect(nearly.warnings).toContain("budget-nearly-used");
    await app.context.database
      .updateTable("budget_totals")
      .set({ spent: 9.95 * DOLLAR })
      .execute();
    const { warnings } = await readOverview();
    expect(warnings).toContain("budget-used-up");
    expect(warnings).not.toContain("budget-nearly-used");
  });

  it("the overview counts groups whose budget is nearly or wholly used up, without their names", async () => {
    const groups: string[] = [];
    for (const spent of [0.79, 0.8, 0.98, 0.99, 1]) {
      const id = await insertGroup(app, { budget: DOLLAR });
      groups.push(id);
      await spend(`group:${id}`, { spent: spent * DOLLAR });
    }
    await insertGroup(app, { member_budget: DOLLAR });
    const overview = await readOverview();
    expect(overview.groupBudgets).toEqual({ nearlyUsed: 2, usedUp: 2 });
    expect(overview.warnings).toEqual(expect.arrayContaining(["group-budgets-used-up", "group-budgets-nearly-used"]));
    for (const id of groups) expect(JSON.stringify(overview)).not.toContain(id);
  });
});

it("the budgets of groups are listed by their ids", async () => {
  const [one, other] = [await insertGroup(app, { budget: 3 * DOLLAR }), await insertGroup(app, { budget: 5 * DOLLAR })];
  await insertGroup(app);
  await spend(`group:${other}`, { spent: DOLLAR });
  const all = await budgetsOfGroups(app.context);
  expect([...all.keys()].sort()).toEqual([one, other].sort());
  expect(all.get(other)).toMatchObject({ scope: "group", limit: 5, spent: 1, resetsAt: DECEMBER });
});

describe("budget of an account", () => {
  it("administrators set and remove the budget of an account, each with a record", async () => {
    const group = await insertGroup(app, { member_budget: 2 * DOLLAR });
    await setBudgetsOf(app, ada.user.id, { group_id: group });
    expect((await readAccount()).budgetUsd).toBeUndefined();
    for (const [budgetUsd, limit] of [
      [0.35, 0.35],
      [0.35, 0.35],
      [null, 2],
    ] as const) {
      const changed = administeredAccountSchema.parse(await (await change({ budgetUsd })).json());
      expect([changed.budgetUsd, changed.budgets.account?.limit]).toEqual([budgetUsd ?? undefined, limit]);
    }
    const records = await app.context.database
      .selectFrom("audit_events")
      .select(["kind", "actor", "before", "after"])
      .where("subject", "=", ada.user.id)
      .orderBy("seq")
      .execute();
    const values = records.map(({ before, after, ...rest }) => [
      rest,
      JSON.parse(before ?? ""),
      JSON.parse(after ?? ""),
    ]);
    const by = { kind: "budget-changed", actor: administrator.user.id };
    expect(values).toEqual([
      [by, { budgetUsd: null }, { budgetUsd: 0.35 }],
      [by, { budgetUsd: 0.35 }, { budgetUsd: null }],
    ]);
  });

  it.each([0, 0.001, -1, 1_000_001, "5"])("the budget of an account cannot be %j", async (budgetUsd) => {
    const response = await change({ budgetUsd });
    const { code, issues } = await problemOf(response);
    expect([response.status, code, issues?.[0]?.field]).toEqual([400, "invalid-input", "budgetUsd"]);
  });
});
