/** A family of accounts, groups and numbers, for the documentation's pictures of the administration. */

import { DAY, HOUR } from "#contract/limits.ts";
import { moveToGroup, newGroup } from "../testing/accounts/groups.ts";
import { invite } from "../testing/accounts/invitations.ts";
import { giveRole } from "../testing/accounts/roles.ts";
import { changeSettingsOf } from "../testing/accounts/settings.ts";
import { signUpProved, type TestAccount } from "../testing/accounts/sign-up.ts";
import type { TestApp } from "../testing/app/start-test-app.ts";

const NANO_USD = 1e9;

const people = [
  ["Grace", "Hopper", "administrator"],
  ["Alan", "Perlman", "manager"],
  ["Edsger", "Torvalds", "person"],
  ["Barbara", "Liskov", "person"],
  ["Donald", "Lee", "person"],
  ["Radia", "Turing", "manager"],
  ["Ken", "Thompson", "person"],
  ["Margaret", "Hamilton", "person"],
  ["Katherine", "Johnson", "person"],
] as const;

/** The owner first, then {@link people} in their order. */
export type Administration = { owner: TestAccount; others: TestAccount[] };

/** Fills a server: accounts, groups with models and budgets, invitations, settings, and a month of replies. */
export async function setAdministration(app: TestApp): Promise<Administration> {
  const owner = await signUpProved(app, { username: "lovelace", firstname: "Ada", lastname: "Lovelace" });
  await giveRole(app, owner, "owner");
  const others: TestAccount[] = [];
  for (const [firstname, lastname, role] of people) {
    const account = await signUpProved(app, { username: firstname.toLowerCase(), firstname, lastname });
    await giveRole(app, account, role);
    others.push(account);
  }
  const school = await newGroup(app, owner, {
    ...{ name: "Class 7b", models: ["GPT:gpt-6-luna", "CLAUDE:claude-haiku-5-5"], defaultModel: "GPT:gpt-6-luna" },
    ...{ quotaMb: 500, budget: 5, memberBudget: 0.5, timeZone: "Europe/Berlin" },
  });
  const staff = await newGroup(app, owner, { name: "Teachers", budget: 10, memberBudget: 2 });
  await moveToGroup(app, school.id, ...others.slice(1, 5));
  await moveToGroup(app, staff.id, ...others.slice(5, 7));
  await invite(app, owner, { uses: 30, groupId: school.id, note: "Parents’ evening" });
  await invite(app, owner, { address: "dorothy@example.org", role: "administrator" });
  await changeSettingsOf(app, owner, { productName: "Northside School", registrationDomains: ["northside.example"] });
  await changeSettingsOf(app, owner, { dailyReplies: 200 });
  await use(app, owner, others);
  await spend(app, { installation: await costOfMonth(app), [`group:${school.id}`]: 4.2, [`group:${staff.id}`]: 1.75 });
  return { owner: { ...owner, user: { ...owner.user, role: "owner" } }, others };
}

/** Inserts calls of the last 30 days, storage, and times at which the accounts were last seen. */
async function use({ context: { database } }: TestApp, owner: TestAccount, others: readonly TestAccount[]) {
  const now = Date.now();
  const accounts = [owner, ...others];
  const rows = Array.from({ length: 400 }, (_, at) => ({
    ...{ id: `pictured-${at}`, user_id: accounts[at % accounts.length]?.user.id ?? "", message_id: null },
    ...{ purpose: "temporary" as const, model: "GPT:gpt-6-luna", input_tokens: 2400, output_tokens: 700 },
    ...{ cached_input_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0, is_estimate: 0 },
    ...{
      group_id: null,
      budgets: "",
      cost_nano_usd: 0.03 * NANO_USD,
      duration_ms: 2000,
      at: now - ((at * at) % 29) * DAY - (at % 7) * HOUR,
    },
  }));
  await database.insertInto("model_calls").values(rows).execute();
  for (const [at, { user }] of others.entries()) {
    const change = { stored_bytes: at * 7_900_000, last_seen_at: at % 4 === 3 ? 0 : now - at * HOUR };
    await database.updateTable("users").set(change).where("id", "=", user.id).execute();
  }
}

/** Sums the costs of {@link use} in this month. */
async function costOfMonth({ context: { database } }: TestApp): Promise<number> {
  const month = new Date().toISOString().slice(0, 7);
  const calls = await database
    .selectFrom("model_calls")
    .select("cost_nano_usd")
    .where("at", ">=", Date.parse(`${month}-01`))
    .execute();
  return calls.reduce((sum, { cost_nano_usd }) => sum + (cost_nano_usd ?? 0), 0) / NANO_USD;
}

/** Sets what budgets have spent in this month, in US dollars. */
async function spend({ context: { database } }: TestApp, spent: Readonly<Record<string, number>>): Promise<void> {
  const month = new Date().toISOString().slice(0, 7);
  const rows = Object.entries(spent).map(([scope, usd]) => ({
    ...{ scope, month, spent: usd * NANO_USD, reserved: 0, warned: 1 },
  }));
  await database.insertInto("budget_totals").values(rows).execute();
}
