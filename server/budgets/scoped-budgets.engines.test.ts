import { StatementSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toKnownPart } from "#contract/conversation/known-parts.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { budgetProblemSchema } from "#contract/models/budgets.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { usageSchema } from "#contract/models/usage.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import {
  chargedBy,
  insertGroup,
  limitOf,
  longestAnswers,
  pricedModel,
  sendInNewChat,
  setBudgetsOf,
  settledSums,
  signUpInGroup,
} from "../../testing/chats/budgets.ts";
import { startChatWithModels } from "../../testing/chats/chat-with-models.ts";
import type { ScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { monthOf } from "../usage/usage.ts";
import { nextMonthIn } from "./months.ts";

const tariffs = { plain: { input: 250_000n, output: 2_000_000n } };
const PLAIN = "LOCAL:plain";
const FREE = "LOCAL:free";
const models = [
  pricedModel(PLAIN, tariffs.plain),
  { label: "Free", value: FREE, contextTokens: 100_000, maxOutputTokens: 2000 },
];
const HELD = { message: "[scenario:held]", model: PLAIN };
/** A call is reserved with about 4.01 million: 2,000 tokens of output, and a prompt of less than 50. */
const THREE_CALLS = 12_200_000;
const TWO_CALLS = 8_200_000;
const MUCH = 1e10;
const month = monthOf(Date.now());

let chat: ScriptedChat;
const start = async (env: Record<string, string> = {}) => {
  chat = await startChatWithModels(models, { SYSTEM_PROMPT: "Be kind.", ...env });
  await chat.renew();
};
afterEach(() => chat[Symbol.asyncDispose]());

/** Ends held calls with a word: a call without one is made again. */
async function finishHeld(count: number): Promise<void> {
  await chat.provider.untilHeld(count);
  for (let nth = 0; nth < count; nth++) chat.provider.release("Word");
  await chat.provider.untilHeld(count);
  for (let nth = 0; nth < count; nth++) chat.provider.finish();
}

/** Sends at once, each in a new chat. @returns how many were answered, and how many were refused because money was reserved */
async function race(tokens: readonly string[]): Promise<{ started: number; refused: number }> {
  const statuses = await Promise.all(tokens.map((token) => sendInNewChat(chat.app, token, HELD)));
  const started = statuses.filter((status) => status === 200).length;
  const refused = statuses.filter((status) => status === 429).length;
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  await finishHeld(started);
  return { started, refused };
}

const spentOf = async (scope: string) => (await settledSums(chat.app))[`${scope} ${month}`]?.spent ?? 0;

describe("concurrent sends", () => {
  beforeEach(async () => {
    await start({ MONTHLY_BUDGET_USD: "10" });
    chat.provider.tokens = longestAnswers;
  });

  it("P5 three of 20 concurrent sends by members start with the group's money for three, and stay below the cap", async () => {
    const group = await insertGroup(chat.app, { budget: THREE_CALLS });
    const tokens = await Promise.all(Array.from({ length: 20 }, () => signUpInGroup(chat.app, group)));
    expect(await race(tokens)).toEqual({ started: 3, refused: 17 });
    const spent = await spentOf(`group:${group}`);
    expect(spent).toBe(chargedBy(chat.provider, tariffs));
    expect(spent).toBeGreaterThan(12_000_000);
    expect(spent).toBeLessThanOrEqual(THREE_CALLS);
    expect(await spentOf("installation")).toBe(spent);
  });

  it("P5 two concurrent sends of a member start with money for two, and other members have their own budget", async () => {
    const group = await insertGroup(chat.app, { member_budget: TWO_CALLS });
    const [ada, ben] = [await signUpInGroup(chat.app, group), await signUpInGroup(chat.app, group)];
    expect(await race(Array.from({ length: 3 }, () => ada))).toEqual({ started: 2, refused: 1 });
    await settledSums(chat.app);
    expect(await race([ben])).toEqual({ started: 1, refused: 0 });
    const sums = await settledSums(chat.app);
    const accounts = Object.entries(sums).filter(([scope]) => scope.startsWith("account:"));
    for (const [, { spent }] of accounts) expect(spent).toBeLessThanOrEqual(TWO_CALLS);
    const spent = accounts.reduce((sum, [, each]) => sum + each.spent, 0);
    expect(accounts).toHaveLength(2);
    expect(spent).toBe(chargedBy(chat.provider, tariffs));
    expect(sums[`installation ${month}`]).toEqual({ spent, reserved: 0 });
  });
});

it("P5 the tightest of three budgets lowers the limit of the answer, and the reservations in the others", async () => {
  await start({ MONTHLY_BUDGET_USD: "10" });
  await chat.call("PATCH", "", { title: "Fjords" });
  const { id } = chat.ada.user;
  // 300 tokens of output cost 600,000; the prompt has about 20 tokens.
  const group = await insertGroup(chat.app, { budget: 610_000 });
  await setBudgetsOf(chat.app, id, { group_id: group, budget: MUCH });
  chat.provider.next("held");
  const response = await chat.stream({ model: PLAIN });
  await chat.provider.untilHeld(1);
  const rows = await chat.app.context.database.selectFrom("budget_totals").selectAll().execute();
  expect(rows.map(({ scope }) => scope).sort()).toEqual([`account:${id}`, `group:${group}`, "installation"]);
  expect(new Set(rows.map(({ reserved }) => reserved)).size).toBe(1);
  expect(rows[0]?.reserved).toBeLessThanOrEqual(610_000);
  expect(limitOf(chat.provider.chats[0] ?? { body: {} })).toBeLessThan(305);
  await finishHeld(1);
  await readReply(response);
  const spent = chargedBy(chat.provider, tariffs);
  for (const sums of Object.values(await settledSums(chat.app))) expect(sums).toEqual({ spent, reserved: 0 });
});

describe("budget of one account", () => {
  beforeEach(() => start());

  it("an account is refused at its cap with the date of its next month, and free models still answer", async () => {
    const zone = "Pacific/Auckland";
    const group = await insertGroup(chat.app, { member_budget: MUCH, time_zone: zone });
    await setBudgetsOf(chat.app, chat.ada.user.id, { group_id: group, budget: 400_000 });
    const before = await chat.transcript();
    // Its own budget is stronger than that of the group's members.
    const refused = await chat.post("", { model: PLAIN });
    const problem: unknown = await refused.json();
    expect([refused.status, problem]).toMatchObject([402, { code: "budget-reached" }]);
    expect(budgetProblemSchema.parse(problem)).toEqual({
      scope: "account",
      limit: 0.0004,
      until: nextMonthIn(zone, Date.now()),
    });
    expect(await chat.transcript()).toEqual(before);
    const body = { messages: [{ role: "user", content: "Hello" }], model: PLAIN };
    expect(
      (await chat.app.call("POST", conversationPaths.temporaryReply, { token: chat.ada.token, body })).status,
    ).toBe(402);
    expect((await readReply(await chat.stream({ model: FREE }))).failure).toBeUndefined();
    expect((await chat.call("POST", "/reply", { mode: "retry", model: PLAIN })).status).toBe(402);
    // Another account has no budget, and nothing is counted for it.
    expect(await sendInNewChat(chat.app, (await signUp(chat.app)).token, { message: "Hello", model: PLAIN })).toBe(200);
    expect(await settledSums(chat.app)).toEqual({});
  });

  it("an account pays for its titles and temporary chats, and a call settles after its budget was removed", async () => {
    const { id } = chat.ada.user;
    await setBudgetsOf(chat.app, id, { budget: MUCH });
    await readReply(await chat.stream({ model: PLAIN }));
    await vi.waitUntil(() => chat.provider.titles.length === 1);
    const body = { messages: [{ role: "user", content: "[scenario:held]" }], model: PLAIN };
    const temporary = await chat.app.call("POST", conversationPaths.temporaryReply, { token: chat.ada.token, body });
    await chat.provider.untilHeld(1);
    await setBudgetsOf(chat.app, id, { budget: null });
    await finishHeld(1);
    await readReply(temporary);
    const spent = chargedBy(chat.provider, tariffs);
    expect(chat.provider.charged).toHaveLength(3);
    expect(await settledSums(chat.app)).toEqual({ [`account:${id} ${month}`]: { spent, reserved: 0 } });
    // The sum goes on to count, for a budget that is set again.
    await readReply(await chat.stream({ model: PLAIN }));
    expect(await spentOf(`account:${id}`)).toBe(chargedBy(chat.provider, tariffs));
  });

  it("P5 a budget that an account gets in the middle of a month counts the calls before it", async () => {
    const { id } = chat.ada.user;
    // A chat with a title asks for none, which would be charged at any time after the reply.
    await chat.call("PATCH", "", { title: "Fjords" });
    await readReply(await chat.stream({ model: PLAIN }));
    const spent = chargedBy(chat.provider, tariffs);
    await setBudgetsOf(chat.app, id, { budget: spent + 100 });
    const { budgets } = usageSchema.parse(await (await chat.app.call("GET", modelPaths.usage, chat.ada)).json());
    expect(budgets?.account?.spent).toBe(spent / 1e9);
    expect((await chat.stream({ model: PLAIN })).status).toBe(402);
    await setBudgetsOf(chat.app, id, { budget: MUCH });
    await readReply(await chat.stream({ model: PLAIN }));
    expect(await spentOf(`account:${id}`)).toBe(chargedBy(chat.provider, tariffs));
    expect(chargedBy(chat.provider, tariffs)).toBeGreaterThan(spent);
  });

  it("the sum of an account survives a change of its group, and each group counts its members' spending", async () => {
    const { id } = chat.ada.user;
    await chat.call("PATCH", "", { title: "Fjords" });
    const [one, other] = [await insertGroup(chat.app, { budget: MUCH }), await insertGroup(chat.app, { budget: MUCH })];
    for (const group_id of [one, other, other]) {
      await setBudgetsOf(chat.app, id, { group_id, budget: MUCH });
      await readReply(await chat.stream({ model: PLAIN }));
    }
    const [first = 0] = await callCosts();
    const { app } = chat;
    const sums = await settledSums(app);
    const spent = chargedBy(chat.provider, tariffs);
    expect(sums[`account:${id} ${month}`]?.spent).toBe(spent);
    expect(sums[`group:${one} ${month}`]?.spent).toBe(first);
    expect(sums[`group:${other} ${month}`]?.spent).toBe(spent - first);
    await app.context.database.deleteFrom("account_groups").execute();
    await readReply(await chat.stream({ model: PLAIN }));
    expect((await settledSums(app))[`account:${id} ${month}`]?.spent).toBe(chargedBy(chat.provider, tariffs));
  });

  it("the first reply after 80 % of an account's budget has a notice, once a month", async () => {
    const { id } = chat.ada.user;
    await chat.call("PATCH", "", { title: "Fjords" });
    const noticesOf = async () => {
      await readReply(await chat.stream({ model: PLAIN }));
      await settledSums(chat.app);
      const parts = (await chat.last()).parts?.flatMap((part) => toKnownPart(part) ?? []) ?? [];
      return parts.flatMap((part) => (part.kind === "notice" ? [part.params] : []));
    };
    const group = await insertGroup(chat.app, { budget: MUCH });
    await setBudgetsOf(chat.app, id, { group_id: group, budget: MUCH });
    expect(await noticesOf()).toEqual([]);
    const { database } = chat.app.context;
    await database
      .updateTable("budget_totals")
      .set({ spent: 0.85 * MUCH })
      .where("scope", "=", `account:${id}`)
      .execute();
    expect(await noticesOf()).toEqual([{ budget: "account", percent: 85 }]);
    expect(await noticesOf()).toEqual([]);
    await database
      .updateTable("budget_totals")
      .set({ spent: 0.9 * MUCH })
      .where("scope", "like", "group:%")
      .execute();
    expect(await noticesOf()).toEqual([{ budget: "group", percent: 90 }]);
    expect(await noticesOf()).toEqual([]);
  });
});

// At SQLite's driver, whose statements know their text.
describe.skipIf(isOnPostgres)("SQL statements", () => {
  /** Returns the texts of all statements while `work` runs. */
  async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    const spies = [vi.spyOn(StatementSync.prototype, "all"), vi.spyOn(StatementSync.prototype, "run")];
    try {
      await work();
      return spies.flatMap(({ mock }) => mock.contexts.map((statement) => (statement as StatementSync).sourceSQL));
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }

  it("SQL statements of an account without a budget read no sums, also for the title and a temporary chat", async () => {
    await start();
    const body = { messages: [{ role: "user", content: "Hello" }], model: PLAIN };
    const statements = await statementsOf(async () => {
      await readReply(await chat.stream({ model: PLAIN }));
      await vi.waitUntil(async () => (await chat.open()).title === chat.provider.title);
      await readReply(await chat.app.call("POST", conversationPaths.temporaryReply, { token: chat.ada.token, body }));
    });
    expect(statements.length).toBeGreaterThan(20);
    expect(statements.filter((text) => text.includes("budget_"))).toEqual([]);
    // The budgets are read with the account’s instructions, by each of the two replies.
    const ofGroups = statements.filter((text) => text.includes("member_budget"));
    expect(ofGroups).toHaveLength(2);
    expect(ofGroups[0]).toContain("instructions");
  });
});

async function callCosts(): Promise<number[]> {
  const calls = await chat.app.context.database
    .selectFrom("model_calls")
    .select("cost_nano_usd")
    .orderBy("at")
    .execute();
  return calls.map(({ cost_nano_usd: cost }) => cost ?? 0);
}
