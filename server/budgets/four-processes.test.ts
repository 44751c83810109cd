import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { API_BASE } from "#contract/http.ts";
import { REPLIES_AT_ONCE } from "#contract/limits.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { insertGroup, limitOf, pricedModel, setBudgetsOf, settledSums } from "../../testing/chats/budgets.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import type { AnswerWriter } from "../../testing/provider/answer-writer.ts";
import type { ProviderRequest } from "../../testing/provider/provider-request.ts";
import { startProvider } from "../../testing/provider/provider-server.ts";
import { SourceProcess } from "../../testing/servers/source-process.ts";

const PROCESSES = 4;
const SENDS = 200;
/** Numbers of calls after which a process is killed. */
const KILLED_AFTER = [8, 16, 24, 32, 40];
/** Questions that are answered at a time, so that each process is killed while it writes replies. */
const SENDS_AT_ONCE = 8;
const MODEL = "GPT:strict";
const tariff = { input: 10_000_000n, output: 10_000_000n };
/** Price of a token in 1e-9 US dollars. */
const PRICE = 10_000;
/** Tokens of the longest answer, one for each word. */
const LONGEST = 1000;
/** Enough for about sixty of the longest answers, of which half are titles. */
const BUDGET = 600_000_000;
const PROMPT_TOKENS = 21;
const WORDS = "a fjord ".repeat(5);
const WORDS_AT_ONCE = 10;
const PACE_MS = 20;

/** Gives each request the longest answer that it allows, and charges for what it has written, also of a cut-off call. */
class StrictProvider {
  readonly calls: { output: number; isCutOff: boolean }[] = [];

  async answer(request: ProviderRequest, writer: AnswerWriter): Promise<void> {
    const { wire, model } = request;
    if (!wire) return writer.respond(404);
    const call = { output: 0, isCutOff: true };
    this.calls.push(call);
    const longest = limitOf(request);
    const tokens = { input: PROMPT_TOKENS, cached: 0, output: longest, reasoning: 0 };
    const encoder = wire.encodeAnswer(model, tokens);
    writer.begin();
    await writer.flush(encoder.start());
    while (call.output < longest) {
      await writer.pause(PACE_MS);
      call.output = Math.min(longest, call.output + WORDS_AT_ONCE);
      await writer.flush(encoder.text(WORDS));
    }
    call.isCutOff = false;
    await writer.flush(encoder.finish("complete") + encoder.endMark());
    writer.end();
  }

  /** In 1e-9 US dollars. */
  get invoice(): number {
    return this.calls.reduce((sum, { output }) => sum + (PROMPT_TOKENS + output) * PRICE, 0);
  }
}

type Target = { token: string; chatId: string };

/** Creates chats of as many accounts as may have so many replies at once, in a group if there is one. */
async function createChats(app: TestApp, count: number, groupId: string | null): Promise<Target[]> {
  const targets: Target[] = [];
  while (targets.length < count) {
    const { token, user } = await signUp(app);
    await setBudgetsOf(app, user.id, { group_id: groupId });
    for (let nth = 0; nth < REPLIES_AT_ONCE; nth++) {
      const { id } = (await (await app.call("POST", "/chat", { token })).json()) as Chat;
      targets.push({ token, chatId: id });
    }
  }
  return targets.slice(0, count);
}

/**
 * Sends a question to one of the running processes, and reads the reply.
 * @returns the status; 0 if the process was killed before it answered
 */
async function send(servers: readonly SourceProcess[], { token, chatId }: Target, nth: number): Promise<number> {
  const urls = servers.flatMap(({ url }) => url ?? []);
  const url = `${urls[nth % urls.length]}${API_BASE}/chat/${chatId}/send?stream=1`;
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const body = JSON.stringify({ message: "What is a fjord?", model: MODEL });
  try {
    const response = await fetch(url, { method: "POST", headers, body });
    // A kill cuts replies off.
    await response.text().catch(() => "");
    return response.status;
  } catch {
    return 0;
  }
}

/** Sends a question to each chat, several at a time. @returns the statuses */
async function sendAll(servers: readonly SourceProcess[], targets: readonly Target[]): Promise<number[]> {
  const statuses: number[] = [];
  const waiting = targets.entries();
  const sendInSequence = async () => {
    for (const [nth, target] of waiting) statuses.push(await send(servers, target, nth));
  };
  await Promise.all(Array.from({ length: SENDS_AT_ONCE }, sendInSequence));
  return statuses;
}

it.runIf(isOnPostgres).each([
  ["the installation", { MONTHLY_BUDGET_USD: String(BUDGET / 1e9) }],
  ["a group", {}],
])(
  "200 sends to four processes that are killed repeatedly never cost more than the budget of %s",
  // Detects hanging only: nine starts of a server from its sources share two cores with all other tests.
  { timeout: 600_000 },
  async (_scope, env) => {
    await using opened = new AsyncDisposableStack();
    const strict = new StrictProvider();
    const provider = opened.use(await startProvider((request, writer) => strict.answer(request, writer)));
    const harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
    const folder = opened.adopt(await mkdtemp(join(tmpdir(), "parley-four-")), (path) => rm(path, { recursive: true }));
    const models = [pricedModel(MODEL, tariff, { maxOutputTokens: LONGEST })];
    const modelsFile = join(folder, "models.json");
    await writeFile(modelsFile, JSON.stringify({ groups: [{ label: "All", models }], automatic: [MODEL] }));
    const settings = {
      MODELS_FILE: modelsFile,
      OPENAI_API_KEY: "key",
      OPENAI_BASE_URL: provider.baseUrl,
      SECRET_KEY: "kIb4ATZsNv2QXo7gqLr9uEwC1yHfD8mP",
      SYSTEM_PROMPT: "Be kind.",
      ...env,
    };
    const app = opened.use(await startTestApp({ harness, env: settings }));
    const servers = Array.from({ length: PROCESSES }, (_, nth) => {
      const own = { ...settings, DATABASE_URL: harness.env.DATABASE_URL ?? "", DATA_DIR: join(folder, String(nth)) };
      return opened.use(new SourceProcess(own));
    });
    const isOfGroup = !("MONTHLY_BUDGET_USD" in env);
    const targets = await createChats(app, SENDS, isOfGroup ? await insertGroup(app, { budget: BUDGET }) : null);
    for (const server of servers) await server.start();
    const sending = sendAll(servers, targets);
    for (const [nth, calls] of KILLED_AFTER.entries()) {
      await vi.waitUntil(() => strict.calls.length >= calls);
      const server = servers[nth % PROCESSES];
      await server?.kill();
      await server?.start();
    }
    const statuses = await sending;
    const [{ spent } = { spent: Number.NaN }, ...others] = Object.values(await settledSums(app));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(20);
    expect(statuses.filter((status) => status === 402 || status === 429).length).toBeGreaterThan(50);
    expect(strict.calls.some(({ isCutOff }) => isCutOff)).toBe(true);
    expect(others).toEqual([]);
    expect(spent).toBeLessThanOrEqual(BUDGET);
    expect(strict.invoice).toBeLessThanOrEqual(BUDGET);
    expect(strict.invoice).toBeGreaterThan(0.3 * BUDGET);
  },
);
