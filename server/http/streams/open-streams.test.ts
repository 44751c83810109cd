import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { AccountEvent } from "#contract/conversation/account-events.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { DAY } from "#contract/limits.ts";
import { chatOf, followAccount } from "../../../testing/accounts/follow-account.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { readEvents, readReply } from "../../../testing/http/read-events.ts";
import { openStalledReader } from "../../../testing/http/stalled-reader.ts";
import { topics } from "../../bus/bus.ts";
import { AccountEvents } from "../../chats/account-events.ts";
import { markChanged } from "../../chats/change-store.ts";
import { STREAMS_OF_ACCOUNT_MAX } from "./open-streams.ts";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.renew());

it("R13 a client that stops reading a reply is disconnected, and resumes without gap or repetition", async () => {
  const { provider, app, ada, chatId } = chat;
  // Each character takes six bytes on the wire, so that a reply of allowed length fills every buffer on the way.
  const pieces = Array.from({ length: 19 }, () => "\u0001".repeat(50_000));
  const text = `Begins${pieces.join("")}`;
  const reading = readEvents(await chat.stream({ message: "[scenario:held]" }));
  let read = "";
  let id = "";
  const readUntil = async (length: number) => {
    for (let next = await reading.next(); !next.done && next.value !== "[DONE]"; next = await reading.next()) {
      id = next.value.reply ?? id;
      read += next.value.token ?? "";
      if (read.length >= length) return;
    }
  };
  provider.release("Begins");
  await readUntil(1);
  const stalled = await openStalledReader(app, `/chat/${chatId}/reply?reply=${id}&from=0`, ada.token);
  for (const piece of pieces) {
    provider.release(piece);
    await readUntil(read.length + piece.length);
  }
  provider.finish();
  expect([read === text, (await reading.next()).value]).toEqual([true, "[DONE]"]);

  const { events, isCutOff } = await stalled.readAll();
  expect([isCutOff, events.includes("[DONE]")]).toEqual([true, false]);
  const tokens = events.filter(Boolean).map((event) => JSON.parse(event) as { token?: string; at: number });
  const seen = tokens.map(({ token = "" }) => token).join("");
  expect(tokens.at(-1)?.at).toBe(seen.length);
  const rest = await readReply(
    await app.call("GET", `/chat/${chatId}/reply?reply=${id}&from=${seen.length}`, { token: ada.token }),
  );
  expect([rest.from, rest.isDone, seen + rest.text === text]).toEqual([seen.length, true, true]);
});

it("R13 a client that stops reading the account's events is disconnected, and resumes at its position", async () => {
  const { app, ada, chatId } = chat;
  const { database, bus } = app.context;
  // Longer than any real title, so that few changes fill every buffer on the way.
  await database
    .updateTable("chats")
    .set({ title: "x".repeat(400_000) })
    .where("id", "=", chatId)
    .execute();
  const change = async () => {
    await database.transaction().execute((db) => markChanged(db, ada.user.id, chatId));
    bus.publish(topics.account(ada.user.id));
  };
  await using reader = await followAccount(app, ada.token);
  const stalled = await openStalledReader(app, "/events", ada.token);
  for (let count = 0; count < 40; count++) {
    await change();
    expect(chatOf(await reader.next())).toBe(chatId);
  }

  const { events, isCutOff } = await stalled.readAll();
  expect(isCutOff).toBe(true);
  const last = JSON.parse(events.filter(Boolean).at(-1) ?? "") as AccountEvent;
  expect(last.at).toBeLessThan(reader.start.at + 40);
  await using resumed = await followAccount(app, ada.token, last.at);
  expect(resumed.start).toEqual({ at: last.at, isReset: false });
  expect(await resumed.next()).toMatchObject({ at: reader.start.at + 40, chat: { id: chatId } });
});

it("a single stream starts no timer", async () => {
  const { app, ada } = chat;
  await using _first = await followAccount(app, ada.token);
  const timers = vi.spyOn(globalThis, "setInterval");
  await using _second = await followAccount(app, ada.token);
  const reply = await chat.stream({ message: "[scenario:held]" });
  expect(timers.mock.calls.filter(([, ms]) => (ms ?? 0) >= 1000)).toEqual([]);
  timers.mockRestore();
  chat.provider.release("Done");
  chat.provider.finish();
  for await (const _ of readEvents(reply));
});

it("every stream gets a heartbeat each 15 s, and ends when its session has expired", async () => {
  const clock = new TestClock();
  await using app = await startTestApp({ clock });
  const { token } = await signUp(app);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const { body } = await app.call("GET", "/events", { token });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const read = async () => {
      const { value } = (await reader?.read()) ?? {};
      text += value ?? "";
    };
    vi.advanceTimersByTime(30_000);
    while (text.split("data:\n\n").length <= 2) await read();
    clock.advance(8 * DAY);
    vi.advanceTimersByTime(15_000);
    const readToEnd = async () => {
      for (;;) await read();
    };
    await expect(readToEnd()).rejects.toThrow("terminated");
  } finally {
    vi.useRealTimers();
  }
});

it("E4 a stream ends if its session ended while it was being opened", async () => {
  const { app } = chat;
  const { token } = await signUp(app);
  const { startFor } = AccountEvents.prototype;
  const opening = vi.spyOn(AccountEvents.prototype, "startFor").mockImplementationOnce(async function (
    this: AccountEvents,
    ...given
  ) {
    expect((await app.call("POST", accountPaths.logout, { token })).status).toBe(204);
    return startFor.apply(this, given);
  });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const reading = app.call("GET", conversationPaths.events, { token }).then((response) => response.text());
    await expect(reading).rejects.toThrow(/terminated|fetch failed/);
  } finally {
    vi.useRealTimers();
    opening.mockRestore();
  }
});

it("K6 beyond 32 streams the account's oldest is closed and resumes; other accounts' streams stay open", async () => {
  const { app, ada, chatId } = chat;
  const eve = await signUp(app);
  await using others = await followAccount(app, eve.token);
  await using first = await followAccount(app, ada.token);
  await using opened = new AsyncDisposableStack();
  const follow = async (from?: number) => opened.use(await followAccount(app, ada.token, from));
  const readers = [await follow()];
  for (let count = readers.length; count < STREAMS_OF_ACCOUNT_MAX; count++) readers.push(await follow());
  expect(await first.next()).toBeUndefined();
  await app.call("PATCH", conversationPaths.chat(chatId), { token: ada.token, body: { isPinned: true } });
  for (const reader of readers) expect(chatOf(await reader.next())).toBe(chatId);
  const again = await follow(first.start.at);
  expect(chatOf(await again.next())).toBe(chatId);
  expect(await readers[0]?.next()).toBeUndefined();
  await app.call("POST", conversationPaths.chats, { token: eve.token });
  expect(chatOf(await others.next())).toBeDefined();
});

it("K6 a temporary reply, which cannot be resumed, is not closed while there are resumable streams", async () => {
  const { app, provider, ada } = chat;
  const body = { messages: [{ role: "user", content: "[scenario:held]" }], model: "GPT:gpt-5-mini" };
  const temporary = readEvents(await app.call("POST", conversationPaths.temporaryReply, { token: ada.token, body }));
  provider.release("Begins");
  expect((await temporary.next()).value).toBeDefined();
  await using opened = new AsyncDisposableStack();
  for (let count = 0; count < STREAMS_OF_ACCOUNT_MAX + 3; count++) {
    opened.use(await followAccount(app, ada.token));
  }
  provider.finish();
  let last: unknown;
  for await (const event of temporary) last = event;
  expect(last).toBe("[DONE]");
});
