import { signUp } from "../testing/accounts/sign-up.ts";
import type { TestApp } from "../testing/app/start-test-app.ts";
import { insertGroup, setBudgetsOf } from "../testing/chats/budgets.ts";
import { openAs } from "./administration-screen.ts";
import { expect, failedRequest, sendKey, test } from "./fixtures.ts";
import { expectNoOverhang } from "./looks.ts";
import { field, part, press, proveInDialog, title } from "./settings-screen.ts";

// A change is refused until the proof.
test.use({ expectedErrors: [failedRequest(403)], serverEnv: { MONTHLY_BUDGET_USD: "10" } });

const DOLLAR = 1e9;

/** Sets what a budget has spent in this month. */
async function spend({ context: { database } }: TestApp, scope: string, usd: number): Promise<void> {
  const month = new Date().toISOString().slice(0, 7);
  await database.deleteFrom("budget_totals").where("scope", "=", scope).execute();
  const sums = { spent: usd * DOLLAR, reserved: 0, warned: 0 };
  await database
    .insertInto("budget_totals")
    .values({ scope, month, ...sums })
    .execute();
}

test("an administrator sees the budget of the server, and sets that of an account @every-screen", async ({
  page,
  account,
  parley: { app },
}) => {
  const eve = await signUp(app, { firstname: "Eve", lastname: "Polastri" });
  const group = await insertGroup(app, { budget: 5 * DOLLAR });
  await setBudgetsOf(app, eve.user.id, { group_id: group });
  await spend(app, "installation", 8.5);
  await spend(app, `group:${group}`, 4.99);
  await openAs(page, app, account, ["administrator", "overview"]);
  await expect(part(page, "Budget this month")).toContainText("$8.50 of $10.00");
  await expect(page.getByText(/^85% of this month’s budget is spent/)).toBeVisible();
  await expect(page.getByText(/The budget of 1 group is used up/)).toBeVisible();
  await expectNoOverhang(page);

  await page.goto(`/administration/people/${eve.user.id}`);
  await expect(title(page, "Eve Polastri")).toBeVisible();
  const budget = part(page, "Budget");
  await expect(budget).toContainText("Used up until");
  await field(budget, "Budget in US dollars").fill("2.50");
  await press(budget, "Save").click();
  await proveInDialog(page, account);
  await expect(budget).toContainText("$0.00 of $2.50");
  await expectNoOverhang(page);
});

test("a member sees their budgets, and a reply reports that one is nearly used up @every-screen", async ({
  page,
  account,
  parley: { app },
}) => {
  const { id } = account.user;
  const group = await insertGroup(app, { budget: 5 * DOLLAR, member_budget: 2 * DOLLAR });
  await setBudgetsOf(app, id, { group_id: group });
  await spend(app, "installation", 0);
  await spend(app, `group:${group}`, 1);
  await spend(app, `account:${id}`, 1.7);
  await page.goto("/settings/usage");
  const budgets = page.getByRole("region", { name: "Budget of this month" });
  await expect(budgets).toContainText(/\$1\.70 of \$2\.00Nearly used up.*20%/);
  await expectNoOverhang(page);

  await page.goto("/chat");
  await page.getByRole("textbox").first().fill("What is a fjord?");
  await page.keyboard.press(await sendKey(page));
  await expect(page.getByText("You have used 85% of your budget of this month.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("You have used 85% of your budget of this month.")).toBeVisible();
});
