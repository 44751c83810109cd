import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { DAY } from "#contract/limits.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  TestClock,
  type TestHarness,
} from "../../testing/app/start-test-app.ts";
import {
  chargedBy,
  countStatuses,
  insertGroup,
  longestAnswers,
  sendAsNewPerson,
  sendInNewChat,
  setBudgetsOf,
  settledBudget,
  settledSums,
  signUpInGroup,
  sweepBudgetsUntil,
} from "../../testing/chats/budgets.ts";
import { startTwoProcesses, type TwoProcesses } from "../../testing/chats/two-processes.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { openAsItIs } from "../database/open.ts";

const MODEL = "GPT:gpt-5-mini";
/** The public prices of the model. */
const tariffs = { "gpt-5-mini": { input: 250_000n, output: 2_000_000n } };
/** Enough for three calls, each of 8,192 tokens of output and a prompt of less than 100, and not for a fourth. */
const THREE_CALLS = "0.0494";
const HELD = "[scenario:held]";
const short = { SYSTEM_PROMPT: "Be kind.", SHUTDOWN_GRACE_MS: "0" };
const envOf = (provider: ScriptedProvider) => ({
  ...short,
  OPENAI_API_KEY: "key",
  OPENAI_BASE_URL: provider.baseUrl,
});

/** Begins a reply in a new chat, and waits for its first words in the database. @returns its id */
async function beginReply(app: TestApp, provider: ScriptedProvider, groupId: string | null = null): Promise<string> {
  const { token, user } = await signUp(app);
  await setBudgetsOf(app, user.id, { group_id: groupId });
  const { id } = (await (await app.call("POST", "/chat", { token })).json()) as Chat;
  // Otherwise a call for a title would be counted at some time after the reply.
  await app.call("PATCH", conversationPaths.chat(id), { token, body: { title: "Named" } });
  const response = await app.call("POST", `/chat/${id}/send?stream=1`, {
    token,
    body: { message: HELD, model: MODEL },
  });
  await response.body?.cancel();
  await provider.untilHeld(1);
  provider.release("First words");
  const last = async () => ((await (await app.call("GET", `/chat/${id}`, { token })).json()) as Chat).messages.at(-1);
  await vi.waitUntil(async () => (await last())?.content === "First words");
  return (await last())?.id ?? "";
}

async function beginTemporary(app: TestApp, provider: ScriptedProvider): Promise<() => Promise<void>> {
  const { token } = await signUp(app);
  const body = { messages: [{ role: "user", content: HELD }], model: MODEL };
  const response = await app.call("POST", conversationPaths.temporaryReply, { token, body });
  await provider.untilHeld(1);
  return async () => response.body?.cancel();
}

const costOf = async (app: TestApp, reply: string) => {
  const calls = await app.context.database
    .selectFrom("model_calls")
    .select("cost_nano_usd")
    .where("message_id", "=", reply)
    .execute();
  return calls.map(({ cost_nano_usd: cost }) => cost);
};

const amountsIn = async ({ context }: TestApp) =>
  (await context.database.selectFrom("budget_reservations").select("amount").execute()).map(({ amount }) => amount);

/** Ends the processes, whose connections report their statistics at the latest when they close. @returns deadlocks */
async function countDeadlocks({ one, other }: TwoProcesses): Promise<number | undefined> {
  const { dataDir, context } = one;
  const { databaseUrl: postgresUrl } = context.secrets;
  for (const process of [one, other]) await process[Symbol.asyncDispose]();
  const database = await openAsItIs({ dataDir, ...(postgresUrl && { postgresUrl }) });
  const others = sql`select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  const query = sql<{ deadlocks: number }>`select deadlocks::int from pg_stat_database
    where datname = current_database()`;
  try {
    await vi.waitUntil(async () => (await others.execute(database)).rows.length === 0);
    return (await query.execute(database)).rows[0]?.deadlocks;
  } finally {
    await database.destroy();
  }
}

describe("restarts of one process", () => {
  let provider: ScriptedProvider;
  let harness: TestHarness;
  const start = (budget: string, overrides: { clock?: TestClock } = {}) =>
    startTestApp({ harness, env: { ...envOf(provider), MONTHLY_BUDGET_USD: budget }, ...overrides });
  beforeAll(async () => {
    provider = await startScriptedProvider();
  });
  afterAll(() => provider[Symbol.asyncDispose]());
  beforeEach(async () => {
    provider.reset();
    harness = await createTestHarness(undefined, { isMigrated: true });
    return () => harness[Symbol.asyncDispose]();
  });

  it("the next start books the estimate of a reply, and all that was reserved for a temporary one", async () => {
    await using killed = await start("10");
    const leave = await beginTemporary(killed, provider);
    const [reserved = 0] = await amountsIn(killed);
    provider.reset();
    const reply = await beginReply(killed, provider);
    // The first process has not ended, but nothing that it does is noticed by the next one, as after a kill.
    await using next = await start("10");
    const [cost] = await costOf(next, reply);
    const { spent } = await settledBudget(next);
    expect(cost).toBeGreaterThan(0);
    expect(spent).toBe(reserved + (cost ?? 0));
    // What the first process knows comes too late.
    await leave();
    await killed.context.replies.drain();
    expect(await settledBudget(next)).toMatchObject({ spent });
  });

  it("a cost belongs to the month in which its call began, and the next month has the whole budget", async () => {
    const clock = new TestClock(Date.UTC(2026, 0, 31, 23, 59));
    await using app = await start("0.03", { clock });
    await beginReply(app, provider);
    await using another = new AsyncDisposableStack();
    const { token } = await signUp(app);
    const body = { messages: [{ role: "user", content: "Hello" }], model: MODEL };
    const ask = () => app.call("POST", conversationPaths.temporaryReply, { token, body });
    provider.next("held");
    const second = await ask();
    another.defer(async () => second.body?.cancel());
    await provider.untilHeld(2);
    const third = await ask();
    expect([third.status, (await problemOf(third)).code]).toEqual([429, "budget-reserved"]);
    clock.advance(60_000);
    expect((await readReply(await ask())).failure).toBeUndefined();
    const february = await settledBudget(app);
    expect(february).toEqual({ month: "2026-02", budget: 30_000_000, spent: 21 * 250 + 12 * 2000, reserved: 0 });
    const january = await app.context.budgets.budgetOf("2026-01");
    expect(january).toMatchObject({ spent: 0, reserved: expect.any(Number) });
    provider.finish();
    provider.finish();
    await vi.waitUntil(async () => (await app.context.budgets.budgetOf("2026-01"))?.reserved === 0);
    expect(await app.context.budgets.budgetOf("2026-01")).toMatchObject({ spent: 2 * (21 * 250 + 12 * 2000) });
  });
});

describe("replies of a member in three budgets", () => {
  it("the next start books a reply of a member in each of three budgets, also with two reserved calls", async () => {
    await using provider = await startScriptedProvider();
    await using harness = await createTestHarness();
    const env = { ...envOf(provider), MONTHLY_BUDGET_USD: "10" };
    await using killed = await startTestApp({ harness, env });
    const group = await insertGroup(killed, { budget: 1e10, member_budget: 1e10 });
    const reply = await beginReply(killed, provider, group);
    const { database } = killed.context;
    const rows = await database.selectFrom("budget_reservations").selectAll().execute();
    expect(rows).toHaveLength(3);
    const added = rows.map((row) => ({ ...row, id: "~ later than the other call" }));
    await database.insertInto("budget_reservations").values(added).execute();
    await database
      .updateTable("budget_totals")
      .set((eb) => ({ reserved: eb("reserved", "*", 2) }))
      .execute();
    await using next = await startTestApp({ harness, env });
    const sums = Object.values(await settledSums(next));
    const [cost = 0] = await costOf(next, reply);
    const spent = cost ?? 0;
    expect(cost).toBeGreaterThan(0);
    expect(sums).toEqual(Array.from({ length: 3 }, () => ({ spent, reserved: 0 })));
    await killed.context.replies.drain();
    expect(Object.values(await settledSums(next))).toEqual(sums);
  });

  it("a reply of a member is booked in the month of each budget's time zone", async () => {
    await using provider = await startScriptedProvider();
    await using harness = await createTestHarness();
    // Noon of 31 January in UTC is 01:00 of 1 February in Auckland.
    const clock = new TestClock(Date.UTC(2026, 0, 31, 12));
    await using app = await startTestApp({ harness, env: { ...envOf(provider), MONTHLY_BUDGET_USD: "10" }, clock });
    const group = await insertGroup(app, { budget: 1e10, member_budget: 1e10, time_zone: "Pacific/Auckland" });
    const token = await signUpInGroup(app, group);
    expect(await sendInNewChat(app, token, { message: "Hello", model: MODEL })).toBe(200);
    await vi.waitUntil(() => provider.titles.length === 1);
    const sums = await settledSums(app);
    const months = Object.keys(sums).map((key) => key.replace(/:\S+/, ""));
    expect(months).toEqual(["account 2026-02", "group 2026-02", "installation 2026-01"]);
    expect(new Set(Object.values(sums).map(({ spent }) => spent)).size).toBe(1);
    clock.advance(16 * 30 * DAY);
    await app.context.sweep.run();
    expect(await settledSums(app)).toEqual({});
  });
});

describe.runIf(isOnPostgres)("two processes on one database", () => {
  let processes: TwoProcesses;
  let provider: ScriptedProvider;
  beforeEach(async () => {
    processes = await startTwoProcesses({ ...short, MONTHLY_BUDGET_USD: THREE_CALLS });
    ({ provider } = processes);
    return () => processes[Symbol.asyncDispose]();
  });

  it("P5 three of 40 concurrent sends to two processes start with money for three, and stay below the cap", async () => {
    const { one, other } = processes;
    provider.tokens = longestAnswers;
    const apps = Array.from({ length: 40 }, (_, nth) => (nth % 2 === 0 ? one : other));
    const statuses = await Promise.all(apps.map((app) => sendAsNewPerson(app, HELD, MODEL)));
    expect(countStatuses(statuses)).toEqual({ 200: 3, 429: 37 });
    await provider.untilHeld(3);
    for (let nth = 0; nth < 3; nth++) provider.finish();
    const { spent, budget } = await settledBudget(other);
    expect(spent).toBe(chargedBy(provider, tariffs));
    expect(spent).toBeGreaterThan(49_000_000);
    expect(spent).toBeLessThanOrEqual(budget);
  });

  it("concurrent sends by members of several groups cause no deadlock, and all sums agree", async () => {
    const { one, other } = processes;
    const groups = [
      ...[
        await insertGroup(one, { budget: 1e10, member_budget: 1e10 }),
        await insertGroup(one, { budget: 20_000_000 }),
      ],
      ...[await insertGroup(one, { member_budget: 17_000_000 }), await insertGroup(one, { budget: 1e10 })],
    ];
    const tokens = await Promise.all(groups.flatMap((id) => [1, 2, 3].map(() => signUpInGroup(one, id))));
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++) {
      const sends = [...tokens, ...tokens].map((token, nth) =>
        sendInNewChat(nth % 3 === 0 ? one : other, token, { message: "Hello", model: MODEL }),
      );
      statuses.push(...(await Promise.all(sends)));
    }
    expect(statuses.filter((status) => ![200, 402, 429].includes(status))).toEqual([]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(10);
    const sums = Object.entries(await settledSums(one));
    const spentBy = (kind: string) =>
      sums.reduce((sum, [scope, { spent }]) => sum + (scope.startsWith(kind) ? spent : 0), 0);
    expect(spentBy("installation")).toBe(chargedBy(provider, tariffs));
    expect(spentBy("group")).toBeLessThan(spentBy("installation"));
    expect(sums.every(([, { reserved }]) => reserved === 0)).toBe(true);
    expect(await countDeadlocks(processes)).toBe(0);
  });

  it("P5 a process books the reservations of another one that was killed", async () => {
    const { one, other } = processes;
    const leave = await beginTemporary(one, provider);
    const [reserved = 0] = await amountsIn(one);
    provider.reset();
    const reply = await beginReply(one, provider);
    await other.context.sweep.run();
    expect(await amountsIn(other)).toHaveLength(2);
    // Simulates a kill: no process renews this lease.
    const { database } = one.context;
    await database.updateTable("budget_reservations").set({ owner: "gone" }).execute();
    await sweepBudgetsUntil(other, () => amountsIn(other).then((amounts) => amounts.length === 1));
    await database.updateTable("messages").set({ owner: "gone" }).where("id", "=", reply).execute();
    const { spent } = await settledBudget(other);
    const [cost] = await costOf(other, reply);
    expect(cost).toBeGreaterThan(0);
    expect(spent).toBe(reserved + (cost ?? 0));
    await leave();
  });
});
