import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { TestApp } from "../../../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../../../testing/chats/exact-counters.ts";
import { readReply } from "../../../../testing/http/read-events.ts";
import type { SourceProcess } from "../../../../testing/servers/source-process.ts";
import { acceptRows, refuseCalls } from "../../../../testing/tools/refused-rows.ts";
import { scriptCalls, shopCall } from "../../../../testing/tools/script-calls.ts";
import { type ShopChat, ShopChats } from "../../../../testing/tools/shop-chats.ts";
import { requestStop } from "../reply-store.ts";

let chats: ShopChats;
beforeAll(async () => {
  chats = await ShopChats.open(5, { SHUTDOWN_GRACE_MS: "0" });
});
afterAll(() => chats[Symbol.asyncDispose]());

let opened: AsyncDisposableStack;
let chat: ShopChat;
let items = 0;
/** Of the test alone. */
let item: string;
beforeEach(async () => {
  chats.provider.reset();
  chats.shop.reset();
  opened = new AsyncDisposableStack();
  chat = chats.next();
  item = `tea ${++items}`;
  return () => opened.disposeAsync();
});

/** Has the model call a tool, without an answer of the shop, in a process of its own. */
async function runUnanswered(name: "buy" | "look_up"): Promise<SourceProcess> {
  scriptCalls(chats.provider, [[shopCall(name, item)]], "Done.");
  chats.shop.isHeld = () => true;
  const process = await chats.startProcess(opened);
  const answer = await chat.send(process, "Go shopping.");
  if (name === "buy") {
    await readReply(answer);
    expect(await chat.decide(process, "once")).toBe(200);
  } else await answer.body?.cancel();
  await chats.shop.executed(item);
  return process;
}

async function expectNothingLeft({ context: { database } }: TestApp, id: string): Promise<void> {
  const turns = database.selectFrom("provider_turns").select("message_id").where("message_id", "=", id);
  expect(await turns.execute()).toEqual([]);
  await expectExactCounters(database);
}

test("Stop of a reply that a kill has interrupted says that the result of its harmless call did not come", async () => {
  await (await runUnanswered("look_up")).kill();
  const app = opened.use(await chats.startApp());
  expect((await chat.call(app, "POST", "/stop")).status).toBe(204);
  const stopped = await chat.last(app);
  expect(stopped).toMatchObject({ state: "stopped", parts: [{ state: "failed", reason: "ended" }] });
  expect(chats.shop.countOf(item)).toBe(1);
  await expectNothingLeft(app, stopped.id);
});

test("Stop before a repeated harmless call is sent says that its result did not come", async () => {
  await (await runUnanswered("look_up")).kill();
  const app = opened.use(await chats.startApp());
  const { database } = app.context;
  await refuseCalls(database, "sent");
  const joined = chat.join(app);
  await expect.poll(async () => (await chat.last(app)).state).toBe("writing");
  const stopped = chat.call(app, "POST", "/stop");
  await acceptRows(database);
  expect((await stopped).status).toBe(204);
  await joined;
  expect(await chat.last(app)).toMatchObject({ state: "stopped", parts: [{ state: "failed", reason: "ended" }] });
  expect(chats.shop.countOf(item)).toBe(1);
});

test("Stop before an unknown call that was approved again is sent leaves it unknown", async () => {
  await (await runUnanswered("buy")).kill();
  const app = await chats.startApp();
  await refuseCalls(app.context.database, "sent");
  await app[Symbol.asyncDispose]();
  const second = await chats.startProcess(opened);
  expect(await chat.decide(second, "once")).toBe(200);
  await second.kill();
  const last = opened.use(await chats.startApp());
  await acceptRows(last.context.database);
  expect(await chat.tools(last)).toMatchObject([{ state: "approved" }]);
  expect((await chat.call(last, "POST", "/stop")).status).toBe(204);
  expect(await chat.tools(last)).toMatchObject([{ state: "unknown", result: expect.any(String) }]);
  expect(chats.shop.countOf(item)).toBe(1);
  await expectNothingLeft(last, (await chat.last(last)).id);
});

test("a shutdown of a reply whose stop was asked for elsewhere ends its calls", async () => {
  // Before the reply: a start on SQLite takes over every running reply.
  const app = opened.use(await chats.startApp());
  const process = await runUnanswered("look_up");
  // As another process does it; the notification of it is late.
  await requestStop(app.context.database, (await chat.last(app)).id);
  expect(await process.end("SIGTERM")).toBe(0);
  const stopped = await chat.last(app);
  expect(stopped).toMatchObject({ state: "stopped", parts: [{ state: "failed", reason: "ended" }] });
  await expectNothingLeft(app, stopped.id);
});
