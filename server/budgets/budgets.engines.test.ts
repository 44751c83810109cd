import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { Random } from "../../testing/app/random.ts";
import {
  chargedBy,
  countStatuses,
  limitOf,
  longestAnswers,
  pricedModel,
  sendAsNewPerson,
  settledBudget,
} from "../../testing/chats/budgets.ts";
import { startChatWithModels } from "../../testing/chats/chat-with-models.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { readReply } from "../../testing/http/read-events.ts";

const tariffs = {
  "gpt-fine": { input: 75_500n, output: 300_500n },
  "claude-cached": { input: 3_000_000n, output: 15_000_000n, cacheRead: 3_000_000n, cacheWrite: 3_750_000n },
  plain: { input: 250_000n, output: 2_000_000n },
  dear: { input: 1_000_000n, output: 1_000_000_000n },
};
const FINE = "GPT:gpt-fine";
const CLAUDE = "CLAUDE:claude-cached";
const PLAIN = "LOCAL:plain";
const FREE = "LOCAL:free";
const DEAR = "GPT:dear";
const free = { label: "Free", value: FREE, contextTokens: 100_000, maxOutputTokens: 2000 };
const models = [
  pricedModel(PLAIN, tariffs.plain),
  pricedModel(FINE, tariffs["gpt-fine"]),
  pricedModel(CLAUDE, tariffs["claude-cached"]),
  free,
];

const refusal = async (response: Response) => [response.status, (await problemOf(response)).code];
const REFUSED = [402, "budget-reached"];

/** Starts a chat with a budget in US dollars. */
function startWithBudget(dollars: string, catalogue = models): Promise<ScriptedChat> {
  return startChatWithModels(catalogue, { MONTHLY_BUDGET_USD: dollars, SYSTEM_PROMPT: "Be kind." });
}

const askTemporary = ({ app, ada }: ScriptedChat, model: string, content = "Hello") =>
  app.call("POST", conversationPaths.temporaryReply, {
    token: ada.token,
    body: { messages: [{ role: "user", content }], model },
  });

/** Names a chat, so that no title is requested. */
const nameChat = (chat: ScriptedChat) => chat.call("PATCH", "", { title: "Fjords" });

/** Spends the budget except for `left` (1e-9 US dollars). No call may be running. */
async function leave({ app: { context } }: ScriptedChat, left: number): Promise<void> {
  const state = await context.budgets.budgetOf();
  if (!state) throw new Error("There is no budget");
  const total = { scope: "installation", month: state.month, spent: state.budget - left, reserved: 0, warned: 0 };
  await context.database.deleteFrom("budget_totals").execute();
  await context.database.insertInto("budget_totals").values(total).execute();
}

describe("budget of ten dollars", () => {
  let chat: ScriptedChat;
  beforeEach(async () => {
    chat = await startWithBudget("10");
    await chat.renew();
  });
  // Not shared: a title of an earlier test would change the sums.
  afterEach(() => chat[Symbol.asyncDispose]());

  it("the spent sum agrees with the provider's invoice to the nano-dollar, with titles and temporary replies", async () => {
    const random = new Random("budget");
    chat.provider.tokens = () => {
      const cached = random.between(0, 5);
      return { input: random.between(5, 30), cached, output: random.between(1, 200), reasoning: 0 };
    };
    for (const model of [FINE, CLAUDE, PLAIN]) {
      await readReply(await chat.stream({ model }));
      // Retried before it has a title, a chat gets two.
      await vi.waitUntil(async () => (await chat.open()).title === chat.provider.title);
      await readReply(await chat.call("POST", "/reply?stream=1", { mode: "retry", model }));
      chat.provider.next("length");
      await readReply(await chat.stream({ model }));
      await readReply(await chat.call("POST", "/reply?stream=1", { mode: "continue", model }));
      await readReply(await askTemporary(chat, model));
    }
    expect(chat.provider.charged).toHaveLength(16);
    const { spent } = await settledBudget(chat.app);
    expect(spent).toBe(chargedBy(chat.provider, tariffs));
    expect(await chat.app.context.database.selectFrom("budget_reservations").selectAll().execute()).toEqual([]);
  });

  it.each([
    [FINE, "responses or chat completions"],
    [CLAUDE, "messages"],
    [PLAIN, "another server's chat completions"],
  ])("the reserved limit of tokens is sent to %s (%s), also for titles", async (model) => {
    await readReply(await chat.stream({ model }));
    await vi.waitUntil(() => chat.provider.titles.length === 1);
    await readReply(await askTemporary(chat, model));
    expect(chat.provider.requests.map(limitOf)).toEqual([2000, 1024, 2000]);
    await settledBudget(chat.app);
  });

  it("a call that the provider refuses costs nothing, and one that is stopped costs its estimate", async () => {
    await nameChat(chat);
    chat.provider.next("wrong-key");
    await readReply(await chat.stream({ model: FINE }));
    expect(await settledBudget(chat.app)).toMatchObject({ spent: 0 });
    chat.provider.next("held");
    const response = await chat.stream({ model: FINE });
    chat.provider.release("A few words");
    await vi.waitUntil(async () => (await chat.last()).content !== "");
    await chat.call("POST", "/stop");
    const { reply } = await readReply(response);
    const { spent } = await settledBudget(chat.app);
    const counted = await chat.app.context.database
      .selectFrom("model_calls")
      .select("cost_nano_usd")
      .where("message_id", "=", reply)
      .executeTakeFirstOrThrow();
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBe(counted.cost_nano_usd);
  });

  it("P5 near the cap the limit of the answer is lowered, and then the send is refused and not stored", async () => {
    await nameChat(chat);
    // 300 tokens of output cost 600,000; the prompt has about 20 tokens.
    await leave(chat, 610_000);
    expect((await readReply(await chat.stream({ model: PLAIN }))).failure).toBeUndefined();
    const limit = limitOf(chat.provider.chats[0] ?? { body: {} });
    expect(limit).toBeGreaterThanOrEqual(256);
    expect(limit).toBeLessThan(305);
    await settledBudget(chat.app);
    await leave(chat, 500_000);
    const before = await chat.transcript();
    expect(await refusal(await chat.post("", { model: PLAIN }))).toEqual(REFUSED);
    expect(await refusal(await chat.call("POST", "/reply", { mode: "retry", model: PLAIN }))).toEqual(REFUSED);
    expect(await refusal(await askTemporary(chat, PLAIN))).toEqual(REFUSED);
    expect(await chat.transcript()).toEqual(before);
    expect(await settledBudget(chat.app)).toMatchObject({ spent: 10e9 - 500_000 });
    expect(chat.provider.chats).toHaveLength(1);
  });

  it("the question becomes the title if there is no money for one, and the reply is complete", async () => {
    await leave(chat, 610_000);
    chat.provider.tokens = longestAnswers;
    await readReply(await chat.stream({ message: "What is a fjord?", model: PLAIN }));
    await vi.waitUntil(() => chat.app.logLines.some((line) => line.includes(chat.chatId) && line.includes("no title")));
    expect(await chat.open()).toMatchObject({ title: "What is a fjord?" });
    expect(chat.provider.titles).toEqual([]);
    expect(await chat.last()).toMatchObject({ state: "complete" });
  });

  it("a model without a price is free, and is called without a limit after the cap is reached", async () => {
    await leave(chat, 0);
    await readReply(await chat.stream({ model: FREE }));
    await readReply(await askTemporary(chat, FREE));
    expect(chat.provider.chats.map(limitOf)).toEqual([NaN, NaN]);
    expect(await settledBudget(chat.app)).toMatchObject({ spent: 10e9 });
  });

  it("a warning is logged once a month when most of the budget is spent", async () => {
    const warnings = () => chat.app.logLines.filter((line) => line.includes("most of the budget is spent"));
    expect(warnings()).toEqual([]);
    await leave(chat, 1.9e9);
    for (let nth = 0; nth < 3; nth++) {
      await readReply(await chat.stream({ model: PLAIN }));
      await settledBudget(chat.app);
    }
    expect(warnings()).toHaveLength(1);
    expect(JSON.parse(warnings()[0] ?? "")).toMatchObject({ level: 40, budget: 10e9, percent: 81 });
  });
});

describe("automatic choice with a budget", () => {
  const catalogue = [pricedModel(PLAIN, tariffs.plain), pricedModel(DEAR, tariffs.dear)];

  it.each([
    ["error-before-first-word", "", "budget-reached"],
    ["broken-off", "Hello! This is a", "assistant-broken-off"],
  ] as const)("after %s a next model without money ends the reply with %j and %s", async (scenario, text, code) => {
    await using chat = await startWithBudget("0.2", catalogue);
    await chat.renew();
    chat.provider.next(scenario);
    const told = await readReply(await chat.stream());
    expect(told.text.startsWith(text)).toBe(true);
    expect(told.failure).toMatchObject({ code });
    expect(chat.provider.chats).toHaveLength(1);
    const { spent } = await settledBudget(chat.app);
    expect(spent > 0).toBe(text !== "");
  });

  it("the next model has its own reservation, after that of the first is settled", async () => {
    await using chat = await startWithBudget("2.1", catalogue);
    await chat.renew();
    chat.provider.next("broken-off");
    const told = await readReply(await chat.stream());
    expect(told.failure).toBeUndefined();
    expect(chat.provider.chats.map(limitOf)).toEqual([2000, 2000]);
    await settledBudget(chat.app);
  });
});

it("nothing is reserved without a budget, and no limit is lowered", async () => {
  await using chat = await startScriptedChat();
  await chat.renew();
  await readReply(await chat.stream({ model: "GPT:gpt-5-mini" }));
  await readReply(await askTemporary(chat, "GPT:gpt-5-mini"));
  await vi.waitUntil(() => chat.provider.titles.length === 1);
  expect(chat.provider.chats.map(limitOf)).toEqual([32_768, 32_768]);
  expect(chat.provider.titles.map(limitOf)).toEqual([1024]);
  const { budgets, database } = chat.app.context;
  expect(await budgets.budgetOf()).toBeUndefined();
  for (const table of ["budget_totals", "budget_reservations"] as const) {
    expect(await database.selectFrom(table).selectAll().execute()).toEqual([]);
  }
});

it("P5 three of 40 concurrent sends start with money for three, and the invoice is below the cap", async () => {
  // A call is reserved with about 4.01 million: 2,000 tokens of output, and a prompt of less than 50.
  await using chat = await startWithBudget("0.0122");
  chat.provider.tokens = longestAnswers;
  chat.provider.scenario = "held";
  const statuses = await Promise.all(
    Array.from({ length: 40 }, () => sendAsNewPerson(chat.app, "[scenario:held]", PLAIN)),
  );
  expect(countStatuses(statuses)).toEqual({ 200: 3, 429: 37 });
  await chat.provider.untilHeld(3);
  expect(chat.provider.chats).toHaveLength(3);
  for (let nth = 0; nth < 3; nth++) chat.provider.finish();
  const { spent, budget } = await settledBudget(chat.app);
  expect(spent).toBe(chargedBy(chat.provider, tariffs));
  expect(spent).toBeLessThanOrEqual(budget);
  expect(spent).toBeGreaterThan(12_000_000);
});
