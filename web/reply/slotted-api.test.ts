import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { POSITION, SEND, setUpTabs, words } from "../testing/set-up-tabs.ts";

const { signal } = new AbortController();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a send is streamed as it arrives, and other calls are unchanged", async () => {
  const { connections, openTab, readAll, finish } = setUpTabs();
  const { api } = openTab();
  const read = readAll(await finish(api.open("/chat/a/send?stream=1", SEND)));
  connections[0]?.write('data: {"reply":"r","at":0}\n\ndata: {"token":"Hi","at":2}\n\ndata: [DONE]\n\n');
  await finish(Promise.resolve());
  expect(read.received).toEqual([
    { type: "start", reply: "r", at: 0 },
    { type: "token", text: "Hi", at: 2 },
    { type: "done" },
  ]);
  await finish(api.open("/chat/a/stop", { method: "POST" }));
  expect(connections.map(({ path }) => path)).toEqual(["/chat/a/send?stream=1", "/chat/a/stop"]);
});

test("a refused send releases its slot and returns its response", async () => {
  const { answers, openTab, finish } = setUpTabs();
  const { api } = openTab();
  for (let count = 0; count < 5; count += 1) {
    answers.push(new Response("{}", { status: 409 }));
    expect((await finish(api.open("/chat/a/send?stream=1", SEND))).status).toBe(409);
  }
});

test("a send that takes over a slot ends the stream of the former holder, once that has begun", async () => {
  const { connections, openTab, readAll, finish, takeAll } = setUpTabs();
  const busy = await takeAll();
  for (const { say } of connections) say({ reply: "r", at: 0 });
  await finish(Promise.resolve());
  readAll(await finish(openTab().api.open("/chat/a/send?stream=1", SEND)));
  expect(connections).toHaveLength(4);
  expect(busy.filter(({ isOver }) => isOver)).toHaveLength(1);
  expect(connections.filter(({ state }) => state.isCancelled)).toHaveLength(1);
});

test("a send that loses its slot inside its first line is streamed until it has the reply's id", async () => {
  const { connections, openTab, readAll, finish, takeAll } = setUpTabs();
  const busy = await takeAll();
  for (const { write } of connections) write('data: {"reply":');
  await finish(Promise.resolve());
  readAll(await finish(openTab().api.open("/chat/a/send?stream=1", SEND)));
  expect(busy.filter(({ isOver }) => isOver)).toEqual([]);
  for (const { write } of connections.slice(0, 3)) write('"r","at":0}\n\n');
  await finish(Promise.resolve());
  expect(busy.map(({ received }) => received)).toEqual(Array(3).fill([{ type: "start", reply: "r", at: 0 }]));
  expect(busy.filter(({ isOver }) => isOver)).toHaveLength(1);
});

test("a slot that is lost at any byte of a stream loses and repeats no word", async () => {
  const lines = [
    { reply: "r", at: 0 },
    { token: "Grüße ", at: 6 },
    { token: "wonderful ", at: 16 },
  ];
  const bytes = new TextEncoder().encode(lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join(""));
  for (let cut = 1; cut <= bytes.length; cut += 1) {
    const { connections, state, openTab, readAll, finish } = setUpTabs();
    const { page, join } = openTab();
    const other = openTab();
    const opened = [1, 2].map((chat) => other.api.open(`/chat/${chat}/send?stream=1`, SEND));
    for (const response of await finish(Promise.all(opened))) readAll(response);
    const leaving = new AbortController();
    const read = readAll(await finish(join({ ...POSITION, received: 0 }, leaving.signal)));
    connections.at(-1)?.write(bytes.subarray(0, cut));
    await finish(Promise.resolve());
    page.show(false);
    readAll(await finish(other.api.open("/chat/3/send?stream=1", SEND)));
    if (!connections[2]?.state.isCancelled) connections[2]?.write(bytes.subarray(cut));
    state.content = "Grüße wonderful world";
    await vi.advanceTimersByTimeAsync(3000);
    expect({ cut, words: words(read.received) }).toEqual({ cut, words: state.content });
    leaving.abort();
    await finish(Promise.resolve());
  }
});

test("a send that is refused repeatedly costs no other reply its connection", async () => {
  const { answers, connections, openTab, finish, takeAll } = setUpTabs();
  const busy = await takeAll();
  for (const { say } of connections) say({ reply: "r", at: 0 });
  const { api } = openTab();
  for (let count = 0; count < 5; count += 1) {
    answers.push(new Response("{}", { status: 429 }));
    expect((await finish(api.open("/chat/a/send?stream=1", SEND))).status).toBe(429);
  }
  expect(busy.filter(({ isOver }) => isOver)).toEqual([]);
});

describe("replies without a slot", () => {
  test("a reply without a slot is polled from its chat", async () => {
    const { connections, state, openTab, readAll, finish, takeAll } = setUpTabs();
    await takeAll();
    const { page, join, pollReply } = openTab();
    page.show(false);
    state.content = "Hello";
    const read = readAll(await finish(join(POSITION, signal)));
    await finish(Promise.resolve());
    expect(read.received).toEqual([
      { type: "start", reply: "r", at: 2 },
      { type: "token", text: "llo", at: 5 },
    ]);
    state.content = "Hello, world";
    state.seams = [7];
    await vi.advanceTimersByTimeAsync(1500);
    expect(words(read.received)).toBe("llo, world");
    state.content = "Hello, world!";
    pollReply("a");
    await vi.advanceTimersByTimeAsync(50);
    expect(words(read.received)).toBe("llo, world!");
    expect(connections).toHaveLength(3);
  });

  test("a poll repeats the text from the position where a crash has lost received text", async () => {
    const { state, openTab, readAll, finish, takeAll } = setUpTabs();
    await takeAll();
    const { page, join } = openTab();
    page.show(false);
    state.content = "Hello wor";
    const read = readAll(await finish(join(POSITION, signal)));
    await finish(Promise.resolve());
    Object.assign(state, { content: "Hello there, you", seams: [6] });
    await vi.advanceTimersByTimeAsync(1500);
    expect(read.received.slice(2)).toEqual([
      { type: "start", reply: "r", at: 6 },
      { type: "seam", at: 6 },
      { type: "token", text: "there, you", at: 16 },
    ]);
  });

  test("the own stream of a reply is requested with the run in which the text was received", async () => {
    const { connections, state, openTab, readAll, finish, takeAll } = setUpTabs();
    await takeAll();
    const { page, join } = openTab();
    page.show(false);
    state.content = "Hello";
    readAll(await finish(join({ ...POSITION, run: 3 }, signal)));
    connections[0]?.end();
    await vi.advanceTimersByTimeAsync(2000);
    expect(connections.at(-1)?.path).toBe("/chat/a/reply?reply=r&from=5&run=3");
  });

  test("a reply without a slot gets one as soon as it is free, and continues there", async () => {
    const { connections, state, openTab, readAll, finish, takeAll } = setUpTabs();
    await takeAll();
    const { page, join } = openTab();
    page.show(false);
    state.content = "Hello";
    const read = readAll(await finish(join(POSITION, signal)));
    connections[0]?.end();
    await vi.advanceTimersByTimeAsync(2000);
    expect(connections.at(-1)?.path).toBe("/chat/a/reply?reply=r&from=5");
    connections.at(-1)?.write('data: {"reply":"r","at":5}\n\ndata: {"token":", world","at":12}\n\ndata: [DONE]\n\n');
    await finish(Promise.resolve());
    expect(words(read.received)).toBe("llo, world");
    expect(read.received.filter(({ type }) => type === "start")).toHaveLength(1);
    expect(read).toMatchObject({ isOver: true });
  });

  test("a reply without a slot takes over one when its tab becomes visible", async () => {
    const { connections, state, openTab, readAll, finish, takeAll } = setUpTabs();
    await takeAll();
    for (const { say } of connections) say({ reply: "r", at: 0 });
    const { page, join } = openTab();
    page.show(false);
    state.content = "Hello";
    readAll(await finish(join(POSITION, signal)));
    page.show(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(connections.at(-1)?.path).toBe("/chat/a/reply?reply=r&from=5");
    expect(connections.filter((each) => each.state.isCancelled)).toHaveLength(1);
  });

  test("a reply without a slot ends its items when it has ended, and its own stream reports how", async () => {
    const { connections, state, openTab, readAll, finish, takeAll } = setUpTabs();
    await takeAll();
    const { page, join } = openTab();
    page.show(false);
    state.content = "Hello";
    const read = readAll(await finish(join(POSITION, signal)));
    state.state = "stopped";
    await vi.advanceTimersByTimeAsync(1600);
    expect(read.isOver).toBe(true);
    page.show(true);
    await finish(join({ ...POSITION, received: 5 }, signal));
    expect(connections.at(-1)?.path).toBe("/chat/a/reply?reply=r&from=5");
    expect(connections.filter((each) => each.state.isCancelled)).toEqual([]);
  });

  test("a reply of a deleted chat is requested, so that the server can report the deletion", async () => {
    const { answers, state, openTab, finish, takeAll } = setUpTabs();
    await takeAll();
    const { page, join } = openTab();
    page.show(false);
    state.isThere = false;
    answers.push(new Response("{}", { status: 404 }));
    expect(await finish(join(POSITION, signal))).toMatchObject({ status: 404 });
  });

  test("a reply without a slot is not polled any more when nothing follows it", async () => {
    const { state, openTab, readAll, finish, takeAll } = setUpTabs();
    await takeAll();
    const { page, join } = openTab();
    page.show(false);
    const leaving = new AbortController();
    readAll(await finish(join(POSITION, leaving.signal)));
    leaving.abort();
    const { reads } = state;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(state.reads).toBe(reads);
  });
});
