import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { loopIterations } from "../../testing/app/loop-iterations.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { findHits } from "./find-hits.ts";
import { TimeBudget, type TimeBudgetOptions } from "./time-budget.ts";

let app: TestApp;
let ada: TestAccount;
let chatId: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await signUp(app);
  chatId = ((await (await app.call("POST", conversationPaths.chats, { token: ada.token })).json()) as { id: string })
    .id;
});

async function append(content: string): Promise<string> {
  const body = { role: "assistant", content };
  return (
    (await (await app.call("POST", conversationPaths.chatMessage(chatId), { token: ada.token, body })).json()) as {
      id: string;
    }
  ).id;
}

/** Searches for words that require a scan of the texts. The clock advances by `stepMs` at each reading. */
function find({ stepMs = 0, ...options }: TimeBudgetOptions & { stepMs?: number } = {}, before?: string) {
  let time = 0;
  const now = () => {
    time += stepMs;
    return time;
  };
  const query = { q: "東京都", limit: 50, ...(before !== undefined && { before }) };
  return findHits(app.context.database, ada.user.id, query, new TimeBudget({ now, ...options }));
}

it("a search ends a page early if it takes too long, and all pages together have no gap or repetition", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) {
    ids.push(await append(n % 3 === 0 ? "東京都 天気" : "今日の東京都の天気"));
    await append("東京 と 京都");
  }
  const pages: (string | null)[][] = [];
  for (let before: string | null | undefined; before !== null; ) {
    const { hits, next } = await find({ stepMs: 100, limitMs: Infinity }, before);
    pages.push(hits.map(({ messageId }) => messageId));
    before = next;
  }
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.flat()).toHaveLength(ids.length);
  expect(pages.flat().sort()).toEqual(ids.sort());
});

it("a search yields to the event loop between texts", async () => {
  for (let n = 0; n < 10; n++) await append("東京都");
  const { result, iterations } = await loopIterations(() => find({ stepMs: 6, enoughMs: Infinity, limitMs: Infinity }));
  expect(result.hits).toHaveLength(10);
  // Each text takes a step to scan, to rank and to make its snippet.
  expect(iterations).toBeGreaterThanOrEqual(30);
});

it("a search fails when its time limit is exceeded", async () => {
  await append("東京都");
  await expect(find({ stepMs: 100, limitMs: 200 })).rejects.toMatchObject({ code: "unavailable" });
});

it("a search scans only a bounded prefix of a long text", async () => {
  const found = await append(`東京 京都 ${"- ".repeat(20_000)} 東京都`);
  await append(`東京 京都 ${"- ".repeat(30_000)} 東京都`);
  expect((await find()).hits.map(({ messageId }) => messageId)).toEqual([found]);
});
