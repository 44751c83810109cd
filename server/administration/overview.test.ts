import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Overview, overviewSchema } from "#contract/administration/overview.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { newPerson, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { insertUser } from "../accounts/account-store.ts";
import { toPendingAccount } from "../accounts/registration/register.ts";
import type { MailRow, ModelCallRow, UserRow } from "../database/schema.ts";

/** Noon of the second day of a month: most of the last 30 days are in the month before. */
const NOON = Date.UTC(2026, 2, 2, 12);
const FREE = 3e9;

const clock = new TestClock(NOON);
let app: TestApp;
let owner: TestAccount;
beforeAll(async () => {
  app = await startTestApp({ clock, freeSpace: () => Promise.resolve(FREE) });
  owner = await signUpAs(app, "owner");
});
afterAll(() => app[Symbol.asyncDispose]());

async function read({ app: of, token }: { app: TestApp; token: string } = { app, token: owner.token }) {
  const response = await of.call("GET", administrationPaths.overview, { token });
  expect(response.status).toBe(200);
  return overviewSchema.parse(await response.json());
}

/** Returns how much greater the numbers are than before. */
function growth<T extends Record<string, number>>(before: T, after: T): Record<string, number> {
  const grown = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, by]) => by !== 0));
}

it("the overview counts accounts by state and by last use, and sums their storage", async () => {
  const { accounts, storage } = await read();
  const add = async (columns: Partial<UserRow>) =>
    insertUser(app.context.database, { ...toPendingAccount(newPerson(), "", NOON), ...columns });
  await add({ verified_at: NOON, last_seen_at: NOON - 7 * DAY, stored_bytes: 3_000_000_000 });
  await add({ verified_at: NOON, last_seen_at: NOON - 7 * DAY - 1, stored_bytes: 5 });
  await add({ verified_at: NOON, last_seen_at: NOON - 30 * DAY, disabled_at: NOON });
  await add({ verified_at: NOON, last_seen_at: NOON - 30 * DAY - 1 });
  await add({});
  const after = await read();
  expect(growth(accounts, after.accounts)).toEqual({
    ...{ total: 5, verified: 4, unverified: 1, disabled: 1 },
    ...{ activeInWeek: 1, activeInMonth: 3 },
  });
  expect(after.storage.stored - storage.stored).toBe(3_000_000_005);
  expect(after.storage.database).toBeGreaterThan(10_000);
  expect(after.storage.diskFree).toBe(FREE);
  expect(after.storage.diskSize).toBeGreaterThan(FREE / 100);
});

async function addCalls(...calls: Partial<ModelCallRow>[]): Promise<void> {
  const call: ModelCallRow = {
    ...{ id: "", user_id: owner.user.id, message_id: null, purpose: "reply", model: "GPT:gpt-5-mini" },
    ...{ input_tokens: 10, output_tokens: 1, cached_input_tokens: null, cache_write_tokens: null },
    ...{
      reasoning_tokens: null,
      is_estimate: 0,
      cost_nano_usd: null,
      at: NOON,
      group_id: null,
      budgets: "",
      duration_ms: 1,
    },
  };
  const rows = calls.map((columns) => ({ ...call, id: randomUUID(), message_id: randomUUID(), ...columns }));
  await app.context.database.insertInto("model_calls").values(rows).execute();
}

it("the overview counts replies of today, the calendar month and 30 days in UTC, and their cost", async () => {
  const empty = await read();
  expect(empty.usage).toEqual({ month: "2026-03", inputTokens: 0, outputTokens: 0 });
  expect(empty.replies.days).toHaveLength(30);
  const today = Math.floor(NOON / DAY) * DAY;
  const month = today - DAY;
  const tried = randomUUID();
  await addCalls(
    // A refused call before the one that replied; a title, whose cost counts; a temporary chat.
    { message_id: tried, input_tokens: null, output_tokens: 0 },
    { message_id: tried },
    { message_id: null, purpose: "title", cost_nano_usd: 250_000_000 },
    { message_id: null, purpose: "temporary", cost_nano_usd: 1_000_000_000 },
    { message_id: null, purpose: "test", input_tokens: 0, output_tokens: 1, cost_nano_usd: null },
    { at: today },
    { at: today - 1 },
    { at: month, input_tokens: 2_000_000_000 },
    { at: month - 1, cost_nano_usd: 7_000_000_000 },
    { at: today - 29 * DAY },
    { at: today - 29 * DAY - 1 },
  );
  const { replies, usage } = await read();
  expect(usage).toEqual({ month: "2026-03", inputTokens: 2_000_000_050, outputTokens: 7, cost: 1.25 });
  expect(replies).toMatchObject({ today: 3, month: 5 });
  expect(replies.days.filter((each) => each.replies > 0)).toEqual([
    { day: "2026-02-01", replies: 1 },
    { day: "2026-02-28", replies: 1 },
    { day: "2026-03-01", replies: 2 },
    { day: "2026-03-02", replies: 3 },
  ]);
  expect([replies.days[0]?.day, replies.days.at(-1)?.day]).toEqual(["2026-02-01", "2026-03-02"]);
});

it("the overview counts mails that wait, and those that failed in the last 7 days", async () => {
  const { mail } = await read();
  const add = (columns: Partial<MailRow>) => {
    const row = { id: randomUUID(), template: "test", user_id: null, params: "{}", created_at: NOON, attempts: 0 };
    const due = { next_attempt_at: NOON + HOUR, sent_at: null, failed_at: null };
    return app.context.database
      .insertInto("mails")
      .values({ ...row, ...due, ...columns })
      .execute();
  };
  await add({});
  await add({ next_attempt_at: Number.MAX_SAFE_INTEGER });
  await add({ sent_at: NOON });
  await add({ failed_at: NOON - 7 * DAY });
  await add({ failed_at: NOON - 7 * DAY - 1 });
  expect(await read()).toMatchObject({
    mail: { hasMailServer: false, waiting: mail.waiting + 1, failed: mail.failed + 1 },
  });
});

it("the overview reports version and uptime of the process, and the warnings", async () => {
  const { answeringProcess, warnings } = await read();
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  expect(answeringProcess).toMatchObject({ version, providers: [] });
  expect(answeringProcess.uptimeMs).toBeGreaterThan(0);
  expect(warnings).toContain("no-model");
  expect(warnings).not.toContain("no-owner");
  await app.context.database.updateTable("users").set({ role: "administrator" }).where("role", "=", "owner").execute();
  expect((await read()).warnings[0]).toBe("no-owner");
});

it("the overview has no name, address or id of an account", async () => {
  const text = JSON.stringify(await read());
  for (const word of [owner.user.id, owner.user.username, owner.user.email, owner.user.lastname]) {
    expect(text).not.toContain(word);
  }
});

describe("health of providers", () => {
  let chat: ScriptedChat;
  let administrator: TestAccount;
  beforeAll(async () => {
    chat = await startScriptedChat();
    administrator = await signUpAs(chat.app, "administrator");
  });
  beforeEach(() => chat.renew());
  afterAll(() => chat[Symbol.asyncDispose]());

  const providers = async (): Promise<Overview["answeringProcess"]["providers"]> =>
    (await read({ app: chat.app, token: administrator.token })).answeringProcess.providers;
  const ask = async (message: string, model: string) => readReply(await chat.stream({ message, model }));

  it("the overview shows success, the last error and the cool-down of each configured provider", async () => {
    expect(await providers()).toEqual([{ name: "openai" }, { name: "anthropic" }]);
    const from = Date.now();
    await ask("[scenario:fast]", "GPT:gpt-5-mini");
    await ask("[scenario:overloaded]", "CLAUDE:claude-sonnet-4-5-20250929");
    const [openai, anthropic] = await providers();
    expect(openai).toEqual({ name: "openai", lastSuccessAt: expect.any(Number) });
    expect(openai?.lastSuccessAt).toBeGreaterThanOrEqual(from);
    expect(anthropic).toEqual({
      name: "anthropic",
      lastError: { code: "assistant-busy", at: expect.any(Number) },
      coolsUntil: expect.any(Number),
    });
    expect(anthropic?.coolsUntil).toBeGreaterThan(from + 20 * SECOND);
    expect(anthropic?.coolsUntil).toBeLessThan(Date.now() + 5 * MINUTE + SECOND);
  });

  it("the overview does not count a prompt that is too long as an error of the provider", async () => {
    const before = (await providers())[0];
    await ask("[scenario:too-long]", "GPT:gpt-5-mini");
    expect((await providers())[0]?.lastError).toEqual(before?.lastError);
  });
});
