import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../testing/app/start-test-app.ts";
import { waitFor } from "../../../../testing/app/wait-for.ts";
import { settledBudget } from "../../../../testing/chats/budgets.ts";
import { expectExactCounters } from "../../../../testing/chats/exact-counters.ts";
import { readReply } from "../../../../testing/http/read-events.ts";
import { SIGNATURE } from "../../../../testing/provider/anthropic/anthropic-content.ts";
import { GEMINI_SIGNATURE } from "../../../../testing/provider/openai/openai-chat-wire.ts";
import type { SourceProcess } from "../../../../testing/servers/source-process.ts";
import { acceptRows, refuseCalls, refuseRows } from "../../../../testing/tools/refused-rows.ts";
import { scriptCalls, shopCall } from "../../../../testing/tools/script-calls.ts";
import { type ShopChat, ShopChats } from "../../../../testing/tools/shop-chats.ts";

let chats: ShopChats;
beforeAll(async () => {
  chats = await ShopChats.open(24, { SHUTDOWN_GRACE_MS: "0", MONTHLY_BUDGET_USD: "100" });
});
afterAll(() => chats[Symbol.asyncDispose]());

let opened: AsyncDisposableStack;
let chat: ShopChat;
let killed: SourceProcess;
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

/** Starts the process that the test kills. */
async function begin(): Promise<void> {
  killed = await chats.startProcess(opened);
}

/** Kills the process, and starts a server on its data. */
async function restart(): Promise<TestApp> {
  await killed.kill();
  return opened.use(await chats.startApp());
}

/** Expects nothing to be left of a reply that has ended. */
async function expectEnded({ context: { database } }: TestApp): Promise<void> {
  const turns = database.selectFrom("provider_turns").select("message_id");
  const ended = database.selectFrom("messages").select("id").where("state", "in", ["complete", "stopped", "failed"]);
  expect(await turns.where("message_id", "in", ended).execute()).toEqual([]);
  await expectExactCounters(database);
}

/** Has the model call `buy`, and approves it, without an answer of the shop. */
async function buyUnanswered(): Promise<void> {
  scriptCalls(chats.provider, [[shopCall("buy", item)]], "Bought.");
  chats.shop.isHeld = () => true;
  await begin();
  await readReply(await chat.send(killed, "Buy tea."));
  expect(await chat.decide(killed, "once")).toBe(200);
  await chats.shop.executed(item);
}

describe("a kill while a call that may have acted is unanswered", () => {
  it("the call that may have acted is unknown after a kill, and is not repeated", async () => {
    await buyUnanswered();
    const app = await restart();
    expect(await chat.last(app)).toMatchObject({ state: "waiting", parts: [{ kind: "tool", state: "unknown" }] });
    await chat.join(app);
    expect(await chat.last(app)).toMatchObject({ state: "waiting" });
    expect(chats.shop.countOf(item)).toBe(1);
    await expectEnded(app);
  });

  it("an unknown call that a person approves again runs once more", async () => {
    await buyUnanswered();
    const app = await restart();
    chats.shop.reset();
    expect(await chat.decide(app, "once")).toBe(200);
    expect((await chat.join(app)).text).toBe("Bought.");
    expect(chats.shop.countOf(item)).toBe(2);
    expect(await chat.tools(app)).toMatchObject([{ state: "succeeded", result: `buy of ${item}: done.` }]);
    await expectEnded(app);
  });

  it("an unknown call that a person skips does not run, and the model learns that it may have", async () => {
    await buyUnanswered();
    const app = await restart();
    expect(await chat.decide(app, "skip")).toBe(200);
    expect((await chat.join(app)).text).toBe("Bought.");
    expect(chats.shop.countOf(item)).toBe(1);
    expect(chats.provider.chats.at(-1)?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("not known whether this call was run"),
    });
    await expectEnded(app);
  });

  it("a call that only reads but must not be repeated is unknown too", async () => {
    scriptCalls(chats.provider, [[shopCall("weigh", item)]]);
    chats.shop.isHeld = () => true;
    await begin();
    await (await chat.send(killed, "Weigh the tea.")).body?.cancel();
    await chats.shop.executed(item);
    const app = await restart();
    expect(await chat.last(app)).toMatchObject({ state: "waiting", parts: [{ state: "unknown" }] });
    expect(chats.shop.countOf(item)).toBe(1);
    await expectEnded(app);
  });

  it("a second kill after a decision on an unknown call leaves it unknown again", async () => {
    await buyUnanswered();
    await killed.kill();
    await begin();
    expect(await chat.decide(killed, "once")).toBe(200);
    await chats.shop.executed(item, 2);
    const app = await restart();
    expect(await chat.last(app)).toMatchObject({ state: "waiting", parts: [{ state: "unknown" }] });
    expect(chats.shop.countOf(item)).toBe(2);
    expect((await chat.call(app, "POST", "/stop")).status).toBe(204);
    expect(await chat.last(app)).toMatchObject({ state: "stopped", parts: [{ state: "unknown" }] });
    await expectEnded(app);
  });
});

describe("a kill around a call", () => {
  it("a call that may be repeated runs again when the reply is joined, and the reply ends", async () => {
    scriptCalls(chats.provider, [[shopCall("look_up", item)]], "There is tea.");
    chats.shop.isHeld = () => true;
    await begin();
    await (await chat.send(killed, "Is there tea?")).body?.cancel();
    await chats.shop.executed(item);
    const app = await restart();
    expect(await chat.last(app)).toMatchObject({ state: "interrupted", parts: [{ state: "approved" }] });
    expect(chats.shop.countOf(item)).toBe(1);
    chats.shop.reset();
    expect(await chat.join(app)).toMatchObject({ text: "There is tea.", isDone: true });
    expect(chats.shop.countOf(item)).toBe(2);
    await expectEnded(app);
  });

  it("a call that was approved but not sent before a kill runs exactly once", async () => {
    scriptCalls(chats.provider, [[shopCall("buy", item)]], "Bought.");
    await refuse("sent");
    await begin();
    await readReply(await chat.send(killed, "Buy tea."));
    expect(await chat.decide(killed, "once")).toBe(200);
    const app = await restart();
    await acceptRows(app.context.database);
    expect(await chat.last(app)).toMatchObject({ state: "interrupted", parts: [{ state: "approved" }] });
    expect(chats.shop.countOf(item)).toBe(0);
    expect((await chat.join(app)).text).toBe("Bought.");
    expect(chats.shop.countOf(item)).toBe(1);
    await expectEnded(app);
  });

  it("a call whose result is stored does not run again, and the model receives the same result", async () => {
    scriptCalls(chats.provider, [[shopCall("buy", item)]], "Bought.");
    await begin();
    await readReply(await chat.send(killed, "Buy tea."));
    chats.provider.next("silent");
    expect(await chat.decide(killed, "once")).toBe(200);
    await chats.provider.chat(2);
    const app = await restart();
    expect(await chat.last(app)).toMatchObject({ state: "interrupted", parts: [{ state: "succeeded" }] });
    expect((await chat.join(app)).text).toBe("Bought.");
    expect(chats.shop.countOf(item)).toBe(1);
    const [, before, after] = chats.provider.chats;
    expect(after?.messages).toEqual(before?.messages);
    expect(after?.messages.at(-1)).toMatchObject({ role: "tool", content: `buy of ${item}: done.` });
    await expectEnded(app);
  });

  it("a call that is declined before a kill never runs", async () => {
    scriptCalls(chats.provider, [[shopCall("buy", item)]], "Then not.");
    await begin();
    await readReply(await chat.send(killed, "Buy tea."));
    chats.provider.next("silent");
    expect(await chat.decide(killed, "no")).toBe(200);
    await chats.provider.chat(2);
    const app = await restart();
    expect((await chat.join(app)).text).toBe("Then not.");
    expect(chats.shop.countOf(item)).toBe(0);
    await expectEnded(app);
  });

  it("an answer whose calls were not stored before a kill is asked again, and its provider receives the new one back", async () => {
    scriptCalls(chats.provider, [[shopCall("look_up", item, "call_first")]], "There is tea.");
    await refuse();
    const before = await countTurns();
    await begin();
    await (await chat.send(killed, "Is there tea?")).body?.cancel();
    await chats.provider.chat(1);
    await waitFor("the provider's turn", async () => (await countTurns()) > before);
    await killed.kill();
    scriptCalls(chats.provider, [[shopCall("look_up", item, "call_second")]], "There is tea.");
    const app = await restart();
    await acceptRows(app.context.database);
    expect(await chat.join(app)).toMatchObject({ text: "There is tea.", failure: undefined });
    expect(chats.provider.chats.at(-1)?.messages.slice(-2)).toMatchObject([
      { calls: [{ id: "call_second" }] },
      { role: "tool", callId: "call_second" },
    ]);
    expect(chats.shop.countOf(item)).toBe(1);
    await expectEnded(app);
  });

  it("a reply waits for a database that does not store what its provider must receive back", async () => {
    scriptCalls(chats.provider, [[shopCall("look_up", item)]], "There is tea.");
    const app = opened.use(await chats.startApp());
    const { database } = app.context;
    await refuseRows(database, "provider_turns");
    const answer = chat.send(app, "Is there tea?").then(readReply);
    await waitFor("a refused row", () => app.logLines.some((line) => line.includes("refused by a test")));
    expect(chats.shop.countOf(item)).toBe(0);
    await acceptRows(database);
    expect(await answer).toMatchObject({ text: "There is tea.", isDone: true });
    await expectEnded(app);
  });

  it("a reply that waits survives a kill, and is approved afterwards", async () => {
    scriptCalls(chats.provider, [[shopCall("buy", item)]], "Bought.");
    await begin();
    await readReply(await chat.send(killed, "Buy tea."));
    const decision = await chat.decision(killed, "once");
    const app = await restart();
    expect(await chat.last(app)).toMatchObject({ state: "waiting" });
    expect((await decision(app)).status).toBe(200);
    expect((await chat.join(app)).text).toBe("Bought.");
    expect(chats.shop.countOf(item)).toBe(1);
    await expectEnded(app);
  });
});

describe("a shutdown during a call", () => {
  it.each([
    ["buy", "waiting", "unknown"],
    ["look_up", "interrupted", "approved"],
  ] as const)(
    "a shutdown whose grace ends during %s leaves the reply %s and the call %s",
    async (name, state, call) => {
      scriptCalls(chats.provider, [[shopCall(name, item)]]);
      chats.shop.isHeld = () => true;
      await begin();
      const answer = await chat.send(killed, "Go shopping.");
      if (name === "buy") {
        await readReply(answer);
        await chat.decide(killed, "once");
      } else await answer.body?.cancel();
      await chats.shop.executed(item);
      expect(await killed.end("SIGTERM")).toBe(0);
      const app = await restart();
      expect(await chat.last(app)).toMatchObject({ state, parts: [{ state: call }] });
      expect(chats.shop.countOf(item)).toBe(1);
      await expectEnded(app);
    },
  );
});

describe("what a provider must receive back", () => {
  it.each([
    ["GPT:gpt-5-mini", GEMINI_SIGNATURE],
    ["CLAUDE:claude-sonnet-4-5-20250929", SIGNATURE],
  ])("%s receives the same bytes after a kill and an approval by the next process", async (model, signature) => {
    chats.provider.chatDialect = "gemini";
    scriptCalls(chats.provider, [[shopCall("buy", item)]], "Bought.");
    chats.provider.scenario = "reasoning-first";
    await begin();
    await readReply(await chat.send(killed, "Buy tea.", model));
    expect(await chat.decide(killed, "once")).toBe(200);
    expect((await chat.join(killed)).text).toBe("Bought.");
    const uninterrupted = chats.provider.chats.at(-1);
    const next = chats.next();
    await readReply(await next.send(killed, "Buy tea.", model));
    const app = await restart();
    expect(await next.decide(app, "once")).toBe(200);
    expect((await next.join(app)).text).toBe("Bought.");
    expect(JSON.stringify(uninterrupted?.body)).toContain(signature);
    const { messages, input } = chats.provider.chats.at(-1)?.body ?? {};
    expect(JSON.stringify([messages, input])).toBe(
      JSON.stringify([uninterrupted?.body.messages, uninterrupted?.body.input]),
    );
    await expectEnded(app);
  });
});

describe("the money of a reply with calls", () => {
  it("a kill during the first call of a model after a decision counts that call too", async () => {
    scriptCalls(chats.provider, [[shopCall("buy", item)]], "Bought.");
    await begin();
    await readReply(await chat.send(killed, "Buy tea."));
    chats.provider.next("silent");
    expect(await chat.decide(killed, "once")).toBe(200);
    await chats.provider.chat(2);
    const app = await restart();
    const calls = app.context.database.selectFrom("model_calls").select("is_estimate").orderBy("at").orderBy("id");
    expect(await calls.where("message_id", "=", (await chat.last(app)).id).execute()).toEqual([
      { is_estimate: 0 },
      { is_estimate: 1 },
    ]);
  });

  it("a kill during a call of a tool counts the calls of models that were made, and reserves nothing", async () => {
    await buyUnanswered();
    const app = await restart();
    const calls = await app.context.database
      .selectFrom("model_calls")
      .selectAll()
      .where("message_id", "=", (await chat.last(app)).id)
      .execute();
    expect(calls).toMatchObject([{ input_tokens: 21, output_tokens: 12 }]);
    expect((await settledBudget(app)).reserved).toBe(0);
    chats.shop.reset();
    await chat.decide(app, "once");
    await chat.join(app);
    const all = await app.context.database.selectFrom("model_calls").selectAll().execute();
    const { spent } = await settledBudget(app);
    expect(spent).toBe(all.reduce((sum, { cost_nano_usd: cost }) => sum + (cost ?? 0), 0));
    const own = all.filter(({ message_id: id }) => id === calls[0]?.message_id);
    expect(own).toMatchObject([{ output_tokens: 12 }, { output_tokens: 12 }]);
  });
});

/** Number of rows that hold what providers must receive back. */
const countTurns = () =>
  chats.withDatabase(async (database) => (await database.selectFrom("provider_turns").select("step").execute()).length);

/** Makes the database refuse calls in a state, or all calls, before the process is started. */
async function refuse(state?: string): Promise<void> {
  await using app = await chats.startApp();
  const { database } = app.context;
  await (state === undefined ? refuseRows(database, "message_parts") : refuseCalls(database, state));
}
