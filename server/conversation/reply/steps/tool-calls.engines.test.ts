import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DecisionAnswer } from "#contract/conversation/tool-calls.ts";
import { DAY } from "#contract/limits.ts";
import { expectExactCounters } from "../../../../testing/chats/exact-counters.ts";
import { type ScriptedChat, startScriptedChat } from "../../../../testing/chats/scripted-chat.ts";
import { readEvents, readReply } from "../../../../testing/http/read-events.ts";
import type { WireCall } from "../../../../testing/provider/wire.ts";
import { shopCall as call, scriptCalls } from "../../../../testing/tools/script-calls.ts";
import { ScriptedShop } from "../../../../testing/tools/scripted-shop.ts";

const shop = new ScriptedShop();
let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({}, { toolGroups: [shop] });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  shop.reset();
  chat.provider.reset();
  await chat.renew();
  await chat.call("PATCH", "", { tools: ["shop"] });
});

const script = (steps: readonly (readonly WireCall[])[], answer?: string) => scriptCalls(chat.provider, steps, answer);

const tools = () => chat.partsOf("tool");

async function decide(answer: DecisionAnswer, change: Partial<{ seq: number; digest: string }> = {}) {
  const last = await chat.last();
  const waiting = (await tools()).filter(({ state }) => state === "proposed" || state === "unknown");
  const decisions = waiting.map(({ seq, digest, attempt }) => ({ seq, digest, attempt, answer, ...change }));
  return chat.call("POST", "/decision", { reply: last.id, decisions });
}

const join = async () => readReply(await chat.call("GET", `/reply?reply=${(await chat.last()).id}`));

describe("calls that need no approval", () => {
  it("a call runs, its result goes to the model, and the answer follows", async () => {
    script([[call("look_up", "tea")]], "Tea is in stock.");
    const { text, isDone } = await readReply(await chat.stream({ message: "Is there tea?" }));
    expect([text, isDone]).toEqual(["Tea is in stock.", true]);
    expect(shop.read).toEqual([{ item: "tea" }]);
    expect(await tools()).toMatchObject([
      { server: "shop", name: "look_up", step: 0, at: 0, state: "succeeded", result: "tea: in stock." },
    ]);
    expect(chat.provider.chats).toHaveLength(2);
    const sent = chat.provider.chats[1]?.messages.slice(-2);
    expect(sent).toMatchObject([
      { role: "assistant", calls: [{ name: "shop__look_up" }] },
      { role: "tool", content: "tea: in stock." },
    ]);
    expect(await chat.last()).toMatchObject({ state: "complete" });
    await expectExactCounters(chat.app.context.database);
  });

  it("the text of two steps is two paragraphs, and the call stands between them", async () => {
    script([[call("look_up", "tea")]]);
    chat.provider.reply = ({ messages }) => (messages.at(-1)?.role === "tool" ? "There is tea." : "Let me see.");
    const { text } = await readReply(await chat.stream());
    expect(text).toBe("Let me see.\n\nThere is tea.");
    const last = await chat.last();
    expect([last.content, last.seams]).toEqual([text, undefined]);
    expect(await tools()).toMatchObject([{ at: "Let me see.".length }]);
    expect(chat.provider.chats[1]?.messages.at(-2)).toMatchObject({ role: "assistant", content: "Let me see." });
  });

  it("several calls of one answer run together, and each result is a part", async () => {
    script([[call("look_up", "tea"), call("look_up", "milk")], [call("look_up", "sugar")]]);
    await readReply(await chat.stream());
    expect(shop.read.map(({ item }) => item)).toEqual(["tea", "milk", "sugar"]);
    expect((await tools()).map(({ step, state }) => [step, state])).toEqual([
      [0, "succeeded"],
      [0, "succeeded"],
      [1, "succeeded"],
    ]);
  });

  it("a tool that does not exist, and arguments that are no object, are told to the model", async () => {
    script([[{ ...call("look_up", "tea"), name: "shop__steal" }]]);
    await readReply(await chat.stream());
    expect(await tools()).toMatchObject([{ state: "failed", result: "There is no tool “shop__steal” here." }]);
    expect(chat.provider.chats).toHaveLength(2);
  });

  it("a call whose arguments have half a character runs with it replaced, as it is stored", async () => {
    script([[{ ...call("look_up", "tea"), arguments: '{"item":"tea \ud83c"}' }]]);
    await readReply(await chat.stream());
    expect(await tools()).toMatchObject([{ state: "succeeded", arguments: '{"item":"tea \ufffd"}' }]);
  });

  it("three equal failures end the answer with a notice", async () => {
    shop.refuse("The shop is closed.");
    const steps = Array.from({ length: 9 }, (_, at) => [call("look_up", "tea", `call_${at}`)]);
    script(steps);
    await readReply(await chat.stream());
    expect(shop.read).toHaveLength(3);
    const { state, parts = [] } = await chat.last();
    expect(state).toBe("complete");
    expect(parts.at(-1)).toMatchObject({ kind: "notice", code: "tools-ended", params: { reason: "failures" } });
  });

  it("an answer has at most 25 rounds of calls", async () => {
    script(Array.from({ length: 40 }, (_, at) => [call("look_up", `tea ${at}`, `call_${at}`)]));
    await readReply(await chat.stream());
    expect(shop.read).toHaveLength(25);
    expect((await chat.last()).parts?.at(-1)).toMatchObject({ code: "tools-ended", params: { reason: "rounds" } });
  });

  it("tools that are switched off are not offered, and neither are those of a title", async () => {
    await chat.call("PATCH", "", { tools: [] });
    await readReply(await chat.stream());
    expect(JSON.stringify(chat.provider.requests)).not.toContain("shop__");
  });
});

describe("calls that need approval", () => {
  it("the reply waits, and acts once when a person has approved", async () => {
    script([[call("buy", "tea")]], "I bought tea.");
    const first = await readReply(await chat.stream({ message: "Buy tea." }));
    expect([first.text, first.isDone, first.failure]).toEqual(["", true, undefined]);
    expect(await chat.last()).toMatchObject({ state: "waiting", content: "" });
    expect([await tools(), shop.bought]).toMatchObject([[{ state: "proposed", arguments: '{"item":"tea"}' }], []]);
    await expectExactCounters(chat.app.context.database);
    const response = await decide("once");
    expect([response.status, await response.json()]).toEqual([200, { state: "writing" }]);
    expect((await join()).text).toBe("I bought tea.");
    expect(shop.bought).toEqual([{ item: "tea" }]);
    expect(await chat.last()).toMatchObject({ state: "complete", content: "I bought tea." });
    expect(await tools()).toMatchObject([{ state: "succeeded", result: "Bought: tea." }]);
    await expectExactCounters(chat.app.context.database);
  });

  it("an approved call between two paragraphs is no seam, also for a reader from the start", async () => {
    script([[call("buy", "tea")]]);
    chat.provider.reply = ({ messages }) => (messages.at(-1)?.role === "tool" ? "Bought." : "I buy it.");
    await readReply(await chat.stream());
    await decide("once");
    await join();
    expect(await chat.last()).toMatchObject({ content: "I buy it.\n\nBought.", state: "complete" });
    expect((await chat.last()).seams).toBeUndefined();
    const seams: number[] = [];
    for await (const event of readEvents(await chat.call("GET", `/reply?reply=${(await chat.last()).id}`))) {
      if (typeof event !== "string" && event.seam !== undefined) seams.push(event.seam);
    }
    expect(seams).toEqual([]);
  });

  it("the history marks the chat until a person has decided, once also where two replies wait", async () => {
    const history = async () => (await chat.app.call("GET", "/chat-history", { token: chat.ada.token })).json();
    script([[call("buy", "tea")], [call("buy", "milk")]]);
    await readReply(await chat.stream());
    expect(await history()).toMatchObject([{ id: chat.chatId, isWaiting: true }]);
    await readReply(await chat.call("POST", "/reply?stream=1", { mode: "regenerate" }));
    expect(await history()).toMatchObject([{ id: chat.chatId, isWaiting: true }]);
    await chat.call("POST", "/stop");
    expect(await history()).toEqual([expect.not.objectContaining({ isWaiting: true })]);
  });

  it("a declined call is not executed, and the model learns of it", async () => {
    script([[call("buy", "tea")]], "Then not.");
    await readReply(await chat.stream());
    await decide("no");
    expect((await join()).text).toBe("Then not.");
    expect([shop.bought, await tools()]).toMatchObject([[], [{ state: "declined", reason: "person" }]]);
    expect(chat.provider.chats[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: "The person declined this call.",
    });
  });

  it("two tabs that approve at once are one", async () => {
    script([[call("buy", "tea")]]);
    await readReply(await chat.stream());
    const approve = await decideLater();
    const responses = await Promise.all([approve(), approve(), approve()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await join();
    expect(shop.bought).toHaveLength(1);
  });

  it("a decision that arrives when the reply waits for further calls is refused, and decides on none of them", async () => {
    script([[call("buy", "tea")], [call("buy", "milk")]]);
    await readReply(await chat.stream());
    const [approve, approveLate] = [await decideLater(), await decideLater()];
    expect((await approve()).status).toBe(200);
    await join();
    expect((await approveLate()).status).toBe(409);
    expect([shop.bought, await tools()]).toMatchObject([[{ item: "tea" }], [{}, { state: "proposed" }]]);
  });

  it("two decisions on one call are refused, and approve nothing", async () => {
    script([[call("buy", "tea")]]);
    await readReply(await chat.stream());
    const { id } = await chat.last();
    const decisions = (await tools()).flatMap(({ seq, digest }) => [
      { seq, digest, answer: "always" },
      { seq, digest, answer: "no" },
    ]);
    const response = await chat.call("POST", "/decision", { reply: id, decisions });
    expect([response.status, await chat.last()]).toMatchObject([400, { state: "waiting" }]);
    expect(await (await chat.app.call("GET", "/tools/approvals", { token: chat.ada.token })).json()).toMatchObject({
      approvals: [],
    });
  });

  it("a decision with the digest of other arguments is refused", async () => {
    script([[call("buy", "tea")]]);
    await readReply(await chat.stream());
    const response = await decide("once", { digest: "0".repeat(64) });
    expect([response.status, shop.bought]).toEqual([400, []]);
    expect(await chat.last()).toMatchObject({ state: "waiting" });
  });

  it.each([
    ["chat", 1, 2],
    ["always", 2, 2],
    ["once", 1, 1],
  ] as const)("the answer %s holds for later calls of the tool", async (answer, elsewhere, here) => {
    script([[call("buy", "tea")]]);
    await readReply(await chat.stream());
    await decide(answer);
    await join();
    await readReply(await chat.stream({ message: "Again." }));
    expect(shop.bought).toHaveLength(here);
    await chat.call("POST", "/stop");
    shop.reset();
    const { id } = (await (
      await chat.app.call("POST", "/chat", { token: chat.ada.token, body: { tools: ["shop"] } })
    ).json()) as { id: string };
    const send = { token: chat.ada.token, body: { message: "Buy tea." } };
    await readReply(await chat.app.call("POST", `/chat/${id}/send?stream=1`, send));
    expect(shop.bought).toHaveLength(elsewhere - 1);
  });

  it("a new message declines the calls that wait", async () => {
    script([[call("buy", "tea")]]);
    await readReply(await chat.stream());
    const approve = await decideLater();
    chat.provider.calls = () => [];
    chat.provider.reply = "Hello again.";
    await readReply(await chat.stream({ message: "Never mind." }));
    const { messages } = await chat.open();
    expect(messages.map(({ state }) => state)).toEqual(["complete", "stopped", "complete", "complete"]);
    expect(messages[1]?.parts).toMatchObject([{ state: "declined" }]);
    expect([(await approve()).status, shop.bought]).toEqual([409, []]);
    await expectExactCounters(chat.app.context.database);
  });

  it("stop declines the calls that wait", async () => {
    script([[call("buy", "tea")]]);
    await readReply(await chat.stream());
    const approve = await decideLater();
    expect((await chat.call("POST", "/stop")).status).toBe(204);
    expect(await chat.last()).toMatchObject({ state: "stopped", parts: [{ state: "declined" }] });
    expect([(await approve()).status, shop.bought]).toEqual([409, []]);
    await expectExactCounters(chat.app.context.database);
  });

  it("calls that nobody has decided on for 30 days are declined by the sweep", async () => {
    script([[call("buy", "tea")]]);
    await readReply(await chat.stream());
    const { database, sweep } = chat.app.context;
    const age = (days: number) =>
      database
        .updateTable("messages")
        .set({ ended_at: Date.now() - days * DAY })
        .where("state", "=", "waiting")
        .execute();
    await age(29);
    await sweep.run();
    expect(await chat.last()).toMatchObject({ state: "waiting" });
    await age(31);
    await sweep.run();
    expect(await chat.last()).toMatchObject({ state: "stopped", parts: [{ state: "declined" }] });
    await expectExactCounters(database);
  });

  it("a temporary chat asks for no approval, and runs no such tool", async () => {
    script([[call("buy", "tea")]], "I may not.");
    const body = { messages: [{ role: "user", content: "Buy tea." }], tools: ["shop"] };
    const response = await chat.app.call("POST", "/temporary/reply", { token: chat.ada.token, body });
    expect(await readReply(response)).toMatchObject({ text: "I may not.", isDone: true });
    expect(shop.bought).toEqual([]);
  });
});

/** Returns a decision on the calls that wait now, which is sent later. */
async function decideLater() {
  const last = await chat.last();
  const decisions = (await tools()).map(({ seq, digest }) => ({ seq, digest, answer: "once" }));
  return () => chat.call("POST", "/decision", { reply: last.id, decisions });
}

describe("readers of a reply with tools", () => {
  it("a reader that joins at the end receives the same parts as one from the start", async () => {
    script([[call("look_up", "tea")]], "There is tea.");
    const seen = [];
    for await (const event of readEvents(await chat.stream())) {
      if (event !== "[DONE]" && event.part?.kind === "tool") seen.push(event.part.state);
    }
    expect(seen.at(-1)).toBe("succeeded");
    const again = [];
    for await (const event of readEvents(await chat.call("GET", `/reply?reply=${(await chat.last()).id}`))) {
      if (event !== "[DONE]" && event.part?.kind === "tool") again.push(event.part.state);
    }
    expect(again).toEqual(["succeeded"]);
  });

  it("stop ends a running call", async () => {
    const begun = Promise.withResolvers<void>();
    shop.find = (_given, { signal }) => {
      begun.resolve();
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    script([[call("look_up", "tea")]]);
    const reading = chat.stream().then(readReply);
    await begun.promise;
    await chat.call("POST", "/stop");
    expect(await reading).toMatchObject({ isDone: true });
    expect(await chat.last()).toMatchObject({ state: "stopped", parts: [{ state: "failed", reason: "ended" }] });
    await expectExactCounters(chat.app.context.database);
  });
});
