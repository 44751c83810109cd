import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Chat } from "#contract/conversation.ts";
import { paths } from "#contract/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  TestClock,
  type TestHarness,
} from "../../testing/app/start-test-app.ts";
import { chargedBy, longestAnswers, sendAsNewPerson, settledBudget } from "../../testing/chats/budgets.ts";
import { startTwoProcesses, type TwoProcesses } from "../../testing/chats/two-processes.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";

const MODEL = "GPT:gpt-5-mini";
/** The public prices of the model. */
const tariffs = { "gpt-5-mini": { input: 250_000n, output: 2_000_000n } };
/** Enough for three calls, each of 8,192 tokens of output and a prompt of less than 100, and not for a fourth. */
const THREE_CALLS = "0.0494";
/** Cost of 256 tokens, which may not have been stored yet at a crash. */
const UNSTORED = 256 * 2000;
const HELD = "[scenario:held]";
const short = { SYSTEM_PROMPT: "Be kind.", SHUTDOWN_GRACE_MS: "0" };
const envOf = (provider: ScriptedProvider) => ({
  ...short,
  OPENAI_API_KEY: "key",
  OPENAI_BASE_URL: provider.baseUrl,
});

/** Begins a reply in a new chat, and waits for its first words in the database. @returns its id */
async function beginReply(app: TestApp, provider: ScriptedProvider): Promise<string> {
  const { token } = await signUp(app);
  const { id } = (await (await app.call("POST", "/chat", { token })).json()) as Chat;
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
  const response = await app.call("POST", paths.temporaryReply, { token, body });
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

describe("one process", () => {
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
    expect(spent).toBe(reserved + (cost ?? 0) + UNSTORED);
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
    const ask = () => app.call("POST", paths.temporaryReply, { token, body });
    provider.next("held");
    const second = await ask();
    another.defer(async () => second.body?.cancel());
    await provider.untilHeld(2);
    const third = await ask();
    expect([third.status, (await problemOf(third)).code]).toEqual([402, "budget-reached"]);
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

describe.runIf(isOnPostgres)("two processes on one database", () => {
  let processes: TwoProcesses;
  let provider: ScriptedProvider;
  beforeEach(async () => {
    processes = await startTwoProcesses({ ...short, MONTHLY_BUDGET_USD: THREE_CALLS });
    ({ provider } = processes);
    return () => processes[Symbol.asyncDispose]();
  });

  it("P5 of 40 sends at once with money for three, three start, and the invoice is below the cap", async () => {
    const { one, other } = processes;
    provider.tokens = longestAnswers;
    const apps = Array.from({ length: 40 }, (_, nth) => (nth % 2 === 0 ? one : other));
    const statuses = await Promise.all(apps.map((app) => sendAsNewPerson(app, HELD, MODEL)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 402)).toHaveLength(37);
    await provider.untilHeld(3);
    for (let nth = 0; nth < 3; nth++) provider.finish();
    const { spent, budget } = await settledBudget(other);
    expect(spent).toBe(chargedBy(provider, tariffs));
    expect(spent).toBeGreaterThan(49_000_000);
    expect(spent).toBeLessThanOrEqual(budget);
  });

  it("P5 what a killed process had reserved is booked by the other one", async () => {
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
    await other.context.sweep.run();
    expect(await amountsIn(other)).toHaveLength(1);
    await database.updateTable("messages").set({ owner: "gone" }).where("id", "=", reply).execute();
    const { spent } = await settledBudget(other);
    const [cost] = await costOf(other, reply);
    expect(cost).toBeGreaterThan(0);
    expect(spent).toBe(reserved + (cost ?? 0) + UNSTORED);
    await leave();
  });
});
