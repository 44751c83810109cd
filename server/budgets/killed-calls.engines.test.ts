import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { pricedModel, settledBudget } from "../../testing/chats/budgets.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";

const CHEAP = "LOCAL:cheap";
const DEAR = "LOCAL:dear";
/** In 1e-9 US dollars for a token. */
const price = { dear: { input: 15_000, output: 75_000 } };
const catalogue = [
  pricedModel(CHEAP, { input: 100_000n, output: 400_000n }),
  pricedModel(DEAR, { input: 15_000_000n, output: 75_000_000n }),
];
/** Most tokens that a model generates after its last word has arrived. */
const UNSEEN = 256;

let provider: ScriptedProvider;
let folder: string;
let harness: TestHarness;
let killed: TestApp;
let token: string;
let chatId: string;
beforeAll(async () => {
  provider = await startScriptedProvider();
  folder = await mkdtemp(join(tmpdir(), "parley-models-"));
  const automatic = catalogue.map(({ value }) => value);
  await writeFile(
    join(folder, "models.json"),
    JSON.stringify({ groups: [{ label: "All", models: catalogue }], automatic }),
  );
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const start = () => {
  const models = { LOCAL_BASE_URL: provider.baseUrl, MODELS_FILE: join(folder, "models.json") };
  const env = { ...models, RATE_LIMITS: "off", MONTHLY_BUDGET_USD: "10", SYSTEM_PROMPT: "Be kind." };
  return startTestApp({ harness, env: { ...env, SHUTDOWN_GRACE_MS: "0" } });
};

beforeEach(async () => {
  provider.reset();
  harness = await createTestHarness(undefined, { isMigrated: true });
  killed = await start();
  ({ token } = await signUp(killed));
  ({ id: chatId } = (await (await killed.call("POST", "/chat", { token })).json()) as Chat);
  await killed.call("PATCH", conversationPaths.chat(chatId), { token, body: { title: "Named" } });
  return async () => {
    await killed[Symbol.asyncDispose]();
    await harness[Symbol.asyncDispose]();
  };
});

const post = async (path: string, body: object) => {
  const response = await killed.call("POST", `/chat/${chatId}${path}`, { token, body });
  await response.body?.cancel();
};
const rowIn = ({ context }: TestApp) =>
  context.database.selectFrom("messages").selectAll().where("role", "=", "assistant").executeTakeFirstOrThrow();
const callsIn = ({ context }: TestApp) =>
  context.database.selectFrom("model_calls").selectAll().orderBy("at").orderBy("id").execute();
/** Length of the text that survives a kill. */
const storedLength = async () => {
  const chunks = await killed.context.database.selectFrom("reply_chunks").selectAll().execute();
  return Math.max(0, ...chunks.map(({ at, text }) => at + text.length));
};

/** Returns the reply and its calls as the next start finds them, and what its budget has booked. */
async function afterKill() {
  // The first process has not ended, but nothing that it does is noticed by the next one, as after a kill.
  await using next = await start();
  const { spent } = await settledBudget(next);
  const calls = await callsIn(next);
  const cost = calls.reduce((sum, { cost_nano_usd: each }) => sum + (each ?? 0), 0);
  expect(spent).toBe(cost);
  return { row: await rowIn(next), calls, spent };
}

/** Lets the first model write 200 words and break off, until the second one is asked. @returns the text of the first */
async function breakOffFirstWriter(): Promise<string> {
  provider.next("held", "held");
  await post("/send?stream=1", { message: "Hello" });
  await provider.untilHeld(1);
  const text = "word ".repeat(200);
  provider.release(text);
  await vi.waitUntil(async () => (await storedLength()) === text.length);
  provider.breakOff();
  await vi.waitUntil(() => provider.chats.length === 2);
  await provider.untilHeld(1);
  return text;
}

describe("replies under automatic choice after a kill", () => {
  it("a reply of the second model is signed and counted as its own, and the refused call costs nothing", async () => {
    provider.next("overloaded", "held");
    await post("/send?stream=1", { message: "Hello" });
    await provider.untilHeld(1);
    const text = "word ".repeat(300);
    provider.release(text);
    await vi.waitUntil(async () => (await storedLength()) === text.length);
    const { row, calls } = await afterKill();
    expect(row).toMatchObject({ state: "interrupted", model: DEAR, open_call: null });
    expect(calls.map(({ model }) => model)).toEqual([CHEAP, DEAR]);
    const [refused, written] = calls;
    expect(refused?.cost_nano_usd).toBe(0);
    const output = (text.length + UNSEEN) * price.dear.output;
    expect(written?.cost_nano_usd).toBeGreaterThan(output);
    expect(written?.cost_nano_usd).toBeLessThan(output + 200 * price.dear.input);
  });

  it("a reply whose second model was asked and had no word is signed by the first, which wrote its text", async () => {
    const text = await breakOffFirstWriter();
    const before = await callsIn(killed);
    expect(before.map(({ model }) => model)).toEqual([CHEAP]);
    const { row, calls } = await afterKill();
    expect(row).toMatchObject({ content: text, model: CHEAP });
    expect(calls.map(({ model }) => model)).toEqual([CHEAP, DEAR]);
    expect(calls[0]).toEqual(before[0]);
    expect(calls[1]?.output_tokens).toBe(0);
    const sent = (calls[1]?.cost_nano_usd ?? 0) - UNSEEN * price.dear.output;
    expect(sent).toBeGreaterThan(text.length * price.dear.input);
    expect(sent).toBeLessThan((text.length + 300) * price.dear.input);
  });

  it("the text of two writers is counted once, that of the second one by its estimate", async () => {
    const text = await breakOffFirstWriter();
    const further = "Another writer goes on with other phrases. ".repeat(10);
    provider.release(further);
    await vi.waitUntil(async () => (await storedLength()) === text.length + further.length);
    const [first] = await callsIn(killed);
    const { row, calls } = await afterKill();
    expect(row).toMatchObject({ content: text + further, model: DEAR });
    expect(calls.map(({ model }) => model)).toEqual([CHEAP, DEAR]);
    expect(calls[0]).toEqual(first);
    const most = (further.length + UNSEEN) * price.dear.output + (text.length + 300) * price.dear.input;
    expect(calls[1]?.cost_nano_usd).toBeLessThan(most);
    expect(calls[1]?.cost_nano_usd).toBeGreaterThan((further.length + UNSEEN) * price.dear.output);
  });

  it("a refused call that is repeated later has cost nothing if the kill comes before its repetition", async () => {
    provider.next("rate-limited");
    await post("/send?stream=1", { message: "Hello", model: CHEAP });
    await vi.waitUntil(async () => (await callsIn(killed)).length > 0);
    // The next start comes before the repetition, which waits for the seconds that the provider has named.
    const { row, calls } = await afterKill();
    expect(provider.chats).toHaveLength(1);
    expect(row).toMatchObject({ state: "interrupted", content: "", model: CHEAP });
    expect(calls).toMatchObject([{ model: CHEAP, output_tokens: 0, cost_nano_usd: 0 }]);
  });
});
