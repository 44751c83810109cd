import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { DAY, MINUTE } from "#contract/limits.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { changeSettingsOf } from "../../../testing/accounts/settings.ts";
import type { TestAccount } from "../../../testing/accounts/sign-up.ts";
import { TestClock } from "../../../testing/app/start-test-app.ts";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { readReply } from "../../../testing/http/read-events.ts";
import { scriptCalls, shopCall } from "../../../testing/tools/script-calls.ts";
import { ScriptedShop } from "../../../testing/tools/scripted-shop.ts";
import type { ToolGroup } from "../../tools/tool.ts";

const OF_MINUTE = "This account has used its tool calls of this minute.";
const OF_DAY = "This account has used its tool calls of this day.";

const shop = new ScriptedShop();
/** `look_up` sends a query to the owner's engine, and `count` reaches nothing. */
const group: ToolGroup = {
  slug: shop.slug,
  isAvailable: () => true,
  tools: shop.tools.flatMap((tool) =>
    tool.name === "look_up"
      ? [
          { ...tool, reach: "engine" },
          { ...tool, name: "count" },
        ]
      : [tool],
  ),
};

const clock = new TestClock();
let chat: ScriptedChat;
let owner: TestAccount;
beforeAll(async () => {
  chat = await startScriptedChat({}, { clock, toolGroups: [group] });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  shop.reset();
  chat.provider.reset();
  await renew();
  // An earlier test may have advanced the clock beyond the proof of an owner.
  owner = await signUpAs(chat.app, "owner");
  await changeSettingsOf(chat.app, owner, { toolCallsPerMinute: null, toolCallsPerDay: null });
});

async function renew(): Promise<void> {
  await chat.renew();
  await chat.call("PATCH", "", { tools: ["shop"] });
}

/** Lets the model make each list of calls in turn. @returns the state and the result of each call */
async function runCalls(...steps: string[][]) {
  const call = (item: string) => shopCall(item.startsWith("buy ") ? "buy" : "look_up", item);
  scriptCalls(
    chat.provider,
    steps.map((items) => items.map(call)),
  );
  await readReply(await chat.stream());
  return calls();
}

async function calls() {
  const { parts = [] } = await chat.last();
  return parts.flatMap((part) => (part.kind === "tool" ? [[part.state, part.result, part.reason]] : []));
}

const found = (item: string) => ["succeeded", `${item}: in stock.`, undefined];
const refused = (result: string) => ["failed", result, "limit"];

describe("the limit of tool calls of an account", () => {
  it("a call over the limit of a minute is not sent, the model receives why, and the answer goes on", async () => {
    await changeSettingsOf(chat.app, owner, { toolCallsPerMinute: 2 });
    expect(await runCalls(["tea"], ["milk"], ["sugar"])).toEqual([found("tea"), found("milk"), refused(OF_MINUTE)]);
    expect(shop.read).toEqual([{ item: "tea" }, { item: "milk" }]);
    expect(chat.provider.chats.at(-1)?.messages.at(-1)).toMatchObject({ role: "tool", content: OF_MINUTE });
    expect(await chat.last()).toMatchObject({ state: "complete", content: "Done." });
    clock.advance(MINUTE);
    expect(await runCalls(["sugar"])).toEqual([found("sugar")]);
  });

  it("the limit of a day is counted apart from that of a minute, and begins again after a day", async () => {
    await changeSettingsOf(chat.app, owner, { toolCallsPerMinute: 1, toolCallsPerDay: 2 });
    expect(await runCalls(["tea"], ["milk"])).toEqual([found("tea"), refused(OF_MINUTE)]);
    clock.advance(MINUTE);
    expect(await runCalls(["milk"])).toEqual([found("milk")]);
    clock.advance(MINUTE);
    expect(await runCalls(["sugar"], ["salt"])).toEqual([refused(OF_DAY), refused(OF_DAY)]);
    clock.advance(DAY);
    expect(await runCalls(["sugar"])).toEqual([found("sugar")]);
  });

  it("an answer that makes too many calls at once sends the first of them", async () => {
    await changeSettingsOf(chat.app, owner, { toolCallsPerMinute: 2 });
    const made = await runCalls(["tea", "milk", "sugar", "salt"]);
    expect(made).toEqual([found("tea"), found("milk"), refused(OF_MINUTE), refused(OF_MINUTE)]);
    expect(shop.read).toHaveLength(2);
  });

  it("answers in several chats at once share the limit of their account", async () => {
    await changeSettingsOf(chat.app, owner, { toolCallsPerMinute: 3 });
    scriptCalls(chat.provider, [[shopCall("look_up", "tea"), shopCall("look_up", "milk")]]);
    const { token } = chat.ada;
    const send = async () => {
      const created = await chat.app.call("POST", "/chat", { token, body: { tools: ["shop"] } });
      const { id } = (await created.json()) as { id: string };
      await readReply(
        await chat.app.call("POST", `/chat/${id}/send?stream=1`, { token, body: { message: "Is there tea?" } }),
      );
    };
    await Promise.all([send(), send(), send()]);
    expect(shop.read).toHaveLength(3);
  });

  it("calls of one account do not count for another", async () => {
    await changeSettingsOf(chat.app, owner, { toolCallsPerMinute: 1 });
    expect(await runCalls(["tea"], ["milk"])).toEqual([found("tea"), refused(OF_MINUTE)]);
    await renew();
    expect(await runCalls(["tea"])).toEqual([found("tea")]);
  });

  it("a call that a person has approved is not sent over the limit", async () => {
    await changeSettingsOf(chat.app, owner, { toolCallsPerMinute: 1 });
    expect(await runCalls(["tea"], ["buy tea"])).toEqual([found("tea"), ["proposed", undefined, undefined]]);
    const { id, parts = [] } = await chat.last();
    const decisions = parts.flatMap((part) =>
      part.kind === "tool" && part.state === "proposed"
        ? [{ seq: part.seq, digest: part.digest, answer: "once" as const }]
        : [],
    );
    expect((await chat.call("POST", "/decision", { reply: id, decisions })).status).toBe(200);
    await readReply(await chat.call("GET", `/reply?reply=${id}`));
    expect([shop.bought, await calls()]).toEqual([[], [found("tea"), refused(OF_MINUTE)]]);
  });

  it("calls that reach nothing outside are not counted, nor refused", async () => {
    await changeSettingsOf(chat.app, owner, { toolCallsPerMinute: 1 });
    const items = ["tea", "milk", "sugar"];
    scriptCalls(chat.provider, [...items.map((item) => [shopCall("count", item)]), [shopCall("look_up", "salt")]]);
    await readReply(await chat.stream());
    expect(await calls()).toEqual([...items, "salt"].map(found));
  });

  it("three equal calls over the limit end the answer", async () => {
    await changeSettingsOf(chat.app, owner, { toolCallsPerMinute: 1 });
    const steps = Array.from({ length: 9 }, (_, at) => [shopCall("look_up", at === 0 ? "milk" : "tea", `call_${at}`)]);
    scriptCalls(chat.provider, steps);
    await readReply(await chat.stream());
    const { state, parts = [] } = await chat.last();
    expect([state, shop.read]).toEqual(["complete", [{ item: "milk" }]]);
    expect(parts.at(-1)).toMatchObject({ code: "tools-ended", params: { reason: "failures" } });
  });

  it("calls in temporary chats count too", async () => {
    await changeSettingsOf(chat.app, owner, { toolCallsPerMinute: 1 });
    scriptCalls(chat.provider, [[shopCall("look_up", "tea")], [shopCall("look_up", "milk")]]);
    const body = { messages: [{ role: "user", content: "Is there tea?" }], tools: ["shop"] };
    const response = await chat.app.call("POST", conversationPaths.temporaryReply, { token: chat.ada.token, body });
    expect((await readReply(response)).text).toBe("Done.");
    expect(shop.read).toEqual([{ item: "tea" }]);
    expect(chat.provider.chats.at(-1)?.messages.at(-1)).toMatchObject({ role: "tool", content: OF_MINUTE });
  });

  it("the environment is stronger than the settings", async () => {
    await using fixed = await startScriptedChat({ TOOL_CALLS_PER_MINUTE: "1" }, { clock, toolGroups: [group] });
    await fixed.renew();
    await fixed.call("PATCH", "", { tools: ["shop"] });
    scriptCalls(fixed.provider, [[shopCall("look_up", "tea")], [shopCall("look_up", "milk")]]);
    await readReply(await fixed.stream());
    expect(shop.read).toEqual([{ item: "tea" }]);
  });
});
