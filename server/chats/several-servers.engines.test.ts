import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chatOf, followAccount } from "../../testing/accounts/follow-account.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { type FaultProxy, startFaultProxy } from "../../testing/servers/fault-proxy.ts";
import { REDIS_PORT, testRedisUrl } from "../../testing/servers/test-redis.ts";

const SECRET_KEY = "kDq0mB1xE7pQ4vY9sT2wR6uZ3nL8aC5f";

let opened: AsyncDisposableStack;
let harness: TestHarness;
let ada: TestAccount;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness());
});
afterEach(() => opened.disposeAsync());

/** Starts another server on the same database, with a data folder of its own. */
async function startServer(env: Record<string, string> = {}): Promise<TestApp> {
  const own = opened.use(await createTestHarness(harness));
  return opened.use(await startTestApp({ harness: own, env: { SECRET_KEY, ...env } }));
}

async function createChat(app: TestApp): Promise<string> {
  return ((await (await app.call("POST", "/chat", { token: ada.token })).json()) as { id: string }).id;
}

/** Expects changes at either server to reach readers at the other. */
async function expectToAgree(a: TestApp, b: TestApp): Promise<void> {
  await using atA = await followAccount(a, ada.token);
  await using atB = await followAccount(b, ada.token);
  for (const server of [a, b]) {
    const id = await createChat(server);
    expect([chatOf(await atA.next()), chatOf(await atB.next())]).toEqual([id, id]);
  }
}

describe.runIf(isOnPostgres)("two servers on one database without Redis", () => {
  it("without Redis, servers notify readers of each other's changes", async () => {
    const a = await startServer();
    ada = await signUp(a);
    const b = await startServer();
    await expectToAgree(a, b);
  });
});

describe.runIf(isOnPostgres && testRedisUrl !== undefined)("two servers with Redis", () => {
  let proxy: FaultProxy;
  let a: TestApp;
  let b: TestApp;
  beforeEach(async () => {
    const front = await startFaultProxy(testRedisUrl ?? "", REDIS_PORT);
    proxy = opened.use(front.proxy);
    a = await startServer({ REDIS_URL: front.url });
    // Registered before another server could deliver the mail.
    ada = await signUp(a);
    b = await startServer({ REDIS_URL: testRedisUrl ?? "" });
  });

  it("with Redis, servers notify readers of each other's changes", async () => {
    expect([a.context.bus.hearsAll, b.context.bus.hearsAll]).toEqual([true, true]);
    await expectToAgree(a, b);
  });

  it("a stream of one server resumes at the other", async () => {
    const left = await followAccount(a, ada.token);
    const first = await createChat(b);
    const heard = await left.next();
    expect(chatOf(heard)).toBe(first);
    await left[Symbol.asyncDispose]();
    const second = await createChat(a);
    await using resumed = await followAccount(b, ada.token, heard?.at);
    expect([resumed.start.isReset, chatOf(await resumed.next())]).toEqual([false, second]);
  });

  it("E4 a session's streams end on all servers", async () => {
    const reader = await followAccount(a, ada.token);
    expect((await b.call("POST", "/auth/logout", { token: ada.token })).status).toBe(204);
    expect(await reader.next()).toBeUndefined();
  });

  it("servers keep notifying while Redis is away for one of them, and afterwards", async () => {
    await proxy.set("refuse");
    await vi.waitUntil(() => !a.context.bus.hearsAll);
    await using atA = await followAccount(a, ada.token);
    const missed = await createChat(b);
    expect(chatOf(await atA.next())).toBe(missed);
    await proxy.set("pass");
    await vi.waitUntil(() => a.context.bus.hearsAll, { timeout: 20_000 });
    await expectToAgree(a, b);
  });
});
