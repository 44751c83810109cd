import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import type { OwnBudgets } from "#contract/models/budgets.ts";
import type { Usage } from "#contract/models/usage.ts";
import { eachTestAlone, openSettings } from "../../testing/open-settings.tsx";

eachTestAlone();

const none = { calls: 0, inputTokens: 0, outputTokens: 0, cost: null, estimated: 0, unpriced: 0 };
const usage: Usage = { months: [{ ...none, month: "2026-11", models: [] }], pricesAsOf: "2026-01-01", budgets: {} };
const period = { month: "2026-11", resetsAt: new Date(2026, 11, 1).getTime() };
const account = { scope: "account", limit: 2, spent: 0.5, reserved: 0, ...period } as const;

const open = (budgets: OwnBudgets) => openSettings("usage", { "GET /usage": { json: { ...usage, budgets } } });
const budgets = () => screen.queryByRole("region", { name: "Budget of this month" })?.textContent;

test("the usage of an account without a budget shows none", async () => {
  await open({});
  await screen.findByText(/Costs follow list prices/);
  expect(budgets()).toBeUndefined();
});

test("an account's own budget is shown in dollars, and that of its group as a percentage", async () => {
  await open({ account, group: { percent: 85, ...period } });
  await screen.findByText("Your group’s budget");
  expect(budgets()).toMatch(
    /^Your budget\$0\.50 of \$2\.00The next month begins on Dec 1, 2026, .*Your group’s budget85%Nearly used up\./,
  );
  const bars = screen.getAllByRole<HTMLProgressElement>("progressbar");
  expect(bars.map(({ value }) => value)).toEqual([0.25, 0.85]);
});

test("a budget of which nearly nothing is left is used up until its next month", async () => {
  await open({ account: { ...account, spent: 1.99 } });
  await waitFor(() => expect(budgets()).toMatch(/\$1\.99 of \$2\.00Used up until Dec 1, 2026, /));
});
