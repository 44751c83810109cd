import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../testing/app/start-test-app.ts";
import { readReply } from "../../../../testing/http/read-events.ts";
import type { SourceProcess } from "../../../../testing/servers/source-process.ts";
import { scriptCalls, shopCall } from "../../../../testing/tools/script-calls.ts";
import { type ShopChat, ShopChats } from "../../../../testing/tools/shop-chats.ts";

const ITEM = "tea";

let chats: ShopChats;
beforeAll(async () => {
  chats = await ShopChats.open(2);
});
afterAll(() => chats[Symbol.asyncDispose]());

let opened: AsyncDisposableStack;
let chat: ShopChat;
let killed: SourceProcess;
let before: number;
beforeEach(async () => {
  chats.provider.reset();
  chats.shop.reset();
  opened = new AsyncDisposableStack();
  chat = chats.next();
  before = chats.shop.countOf(ITEM);
  scriptCalls(chats.provider, [[shopCall("buy", ITEM)]], "Bought.");
  chats.shop.isHeld = () => true;
  killed = await chats.startProcess(opened);
  await readReply(await chat.send(killed, "Buy tea."));
  return () => opened.disposeAsync();
});

/** Number of executions of this test. */
const executions = () => chats.shop.countOf(ITEM) - before;

/** Approves the call in one of two tabs, and waits until it has acted. @returns the approval of the other tab */
async function approveInOne(times: number): Promise<(at: TestApp) => Promise<Response>> {
  const [approve, approveLate] = [await chat.decision(killed, "once"), await chat.decision(killed, "once")];
  expect((await approve()).status).toBe(200);
  await chats.shop.executed(ITEM, before + times);
  return approveLate;
}

/** Kills the process, and starts a server on its data. */
async function restart(): Promise<TestApp> {
  await killed.kill();
  return opened.use(await chats.startApp());
}

describe("a decision of another tab that arrives after a kill", () => {
  it("an approval of a proposed call does not approve that call once it may have acted", async () => {
    const approveLate = await approveInOne(1);
    const app = await restart();
    expect((await approveLate(app)).status).toBe(409);
    expect(await chat.last(app)).toMatchObject({ state: "waiting", parts: [{ state: "unknown" }] });
    expect(executions()).toBe(1);
  });

  it("an approval of a second attempt does not approve a third one, which needs its own", async () => {
    await approveInOne(1);
    await killed.kill();
    await killed.start();
    const approveLate = await approveInOne(2);
    const app = await restart();
    expect((await approveLate(app)).status).toBe(409);
    expect(executions()).toBe(2);
    chats.shop.reset();
    expect(await chat.decide(app, "once")).toBe(200);
    expect((await chat.join(app)).text).toBe("Bought.");
    expect(executions()).toBe(3);
  });
});
