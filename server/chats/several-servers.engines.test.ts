import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chatOf, followAccount } from "../../testing/accounts/follow-account.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import type { TestApp } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { type FaultProxy, startFaultProxy } from "../../testing/servers/fault-proxy.ts";
import { createSharedDatabase, type SharedDatabase } from "../../testing/servers/shared-database.ts";
import { REDIS_PORT, testRedisUrl } from "../../testing/servers/test-redis.ts";

let opened: AsyncDisposableStack;
let database: SharedDatabase;
let ada: TestAccount;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  database = opened.use(await createSharedDatabase());
});
afterEach(() => opened.disposeAsync());

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
    const a = await database.startServer();
    ada = await signUp(a);
    const b = await database.startServer();
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
    a = await database.startServer({ env: { REDIS_URL: front.url } });
    ada = await signUp(a);
    b = await database.startServer({ env: { REDIS_URL: testRedisUrl ?? "" } });
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
    await vi.waitUntil(() => a.context.bus.hearsAll);
    await expectToAgree(a, b);
  });
});
