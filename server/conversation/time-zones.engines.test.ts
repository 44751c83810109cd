import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { TIME_ZONE_HEADER } from "#contract/http.ts";
import { insertGroup, setBudgetsOf } from "../../testing/chats/budgets.ts";
import { startKilledChat } from "../../testing/chats/killed-chat.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { askTemporary } from "../../testing/chats/temporary-request.ts";
import { readEvents, readReply } from "../../testing/http/read-events.ts";
import { scriptCalls, shopCall, wireCall } from "../../testing/tools/script-calls.ts";
import { ScriptedShop } from "../../testing/tools/scripted-shop.ts";

const TOKYO = "Asia/Tokyo";
const HONOLULU = "Pacific/Honolulu";
const MODEL = "GPT:gpt-5-mini";
const QUESTION = { message: "What time is it?", model: MODEL };

let chat: ScriptedChat;
beforeAll(async () => {
  const now = () => Date.parse("2026-11-28T20:00:00Z");
  chat = await startScriptedChat({}, { clock: { now }, toolGroups: [new ScriptedShop()] });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  await chat.renew();
  await chat.call("PATCH", "", { tools: ["basics", "shop"] });
});

const currentTime = wireCall("basics__current_time", {});

/** Requests from a browser in a time zone, and reads the stream. */
async function post(path: string, body: object, timeZone?: string): Promise<void> {
  const headers: Record<string, string> = timeZone === undefined ? {} : { [TIME_ZONE_HEADER]: timeZone };
  await readReply(await chat.app.call("POST", `/chat/${chat.chatId}${path}`, { token: chat.ada.token, body, headers }));
}
const ask = (timeZone?: string) => post("/send?stream=1", QUESTION, timeZone);
const lastTime = async () => (await chat.partsOf("tool")).at(-1)?.result;
const lastDay = () => /Today is (\S+)\./.exec(chat.provider.chats.at(-1)?.system ?? "")?.[1];

describe("the time zone of a reply", () => {
  it("two browsers in two time zones are each answered in their own", async () => {
    scriptCalls(chat.provider, [[currentTime]]);
    await ask(TOKYO);
    expect([await lastTime(), lastDay()]).toEqual([
      "Sunday, 2026-11-29, 05:00:00 in Asia/Tokyo (UTC+09:00)",
      "2026-11-29",
    ]);
    await ask(HONOLULU);
    expect([await lastTime(), lastDay()]).toEqual([
      "Saturday, 2026-11-28, 10:00:00 in Pacific/Honolulu (UTC-10:00)",
      "2026-11-28",
    ]);
    await post("/reply", { mode: "regenerate", model: MODEL }, TOKYO);
    expect([await lastTime(), lastDay()]).toEqual([expect.stringContaining(TOKYO), "2026-11-29"]);
  });

  it.each([
    ["none", undefined],
    ["one that does not exist", "Middle/Earth"],
    ["an offset", "+09:00"],
    ["a very long one", "a".repeat(10_000)],
  ])(
    "a browser that names no known time zone, but %s, is answered in that of the group, else in UTC",
    async (_, timeZone) => {
      scriptCalls(chat.provider, [[currentTime]]);
      await ask(timeZone);
      expect([await lastTime(), lastDay()]).toEqual([expect.stringContaining("20:00:00 in UTC"), "2026-11-28"]);
      const group = await insertGroup(chat.app, { time_zone: "Asia/Kolkata" });
      await setBudgetsOf(chat.app, chat.ada.user.id, { group_id: group });
      await ask(timeZone);
      expect([await lastTime(), lastDay()]).toEqual([expect.stringContaining("in Asia/Kolkata"), "2026-11-29"]);
      await ask(HONOLULU);
      expect(await lastTime()).toContain(HONOLULU);
    },
  );

  it("an answer that waits for a decision goes on in its time zone, or in that of the browser that decides", async () => {
    const decide = async (timeZone?: string) => {
      const { id, parts = [] } = await chat.last();
      const waiting = parts.filter(({ state }) => state === "proposed");
      const decisions = waiting.map(({ seq, digest }) => ({ seq, digest, answer: "once" }));
      await post("/decision", { reply: id, decisions }, timeZone);
      await readReply(await chat.call("GET", `/reply?reply=${id}`));
    };
    scriptCalls(chat.provider, [[shopCall("buy", "tea")], [currentTime]]);
    await ask(TOKYO);
    await decide();
    expect([await lastTime(), lastDay()]).toEqual([expect.stringContaining(TOKYO), "2026-11-29"]);
    await ask(TOKYO);
    await decide(HONOLULU);
    expect([await lastTime(), lastDay()]).toEqual([expect.stringContaining(HONOLULU), "2026-11-28"]);
  });

  it("a temporary chat is answered in the time zone of its browser", async () => {
    scriptCalls(chat.provider, [[currentTime]]);
    const call = { app: chat.app, account: chat.ada, headers: { [TIME_ZONE_HEADER]: TOKYO } };
    const response = await askTemporary(["What time is it?"], { model: MODEL, tools: ["basics"] }, call);
    const results: unknown[] = [];
    for await (const event of readEvents(response)) {
      if (event !== "[DONE]" && event.part?.kind === "tool") results.push(event.part.result);
    }
    expect([results.at(-1), lastDay()]).toEqual([expect.stringContaining(TOKYO), "2026-11-29"]);
  });
});

it("an answer that a kill interrupts goes on in the time zone in which it was asked for", async () => {
  await using killed = await startKilledChat();
  const dayIn = (timeZone: string) => new Intl.DateTimeFormat("en-CA", { timeZone }).format();
  const zone = dayIn("Pacific/Kiritimati") === dayIn("UTC") ? "Pacific/Pago_Pago" : "Pacific/Kiritimati";
  const events = readEvents(await killed.send("[scenario:held]", MODEL, zone));
  killed.provider.release("Here ");
  for await (const event of events) if (event !== "[DONE]" && event.token) break;
  await using app = await killed.restart();
  const { token, id } = killed;
  const { messages } = (await (await app.call("GET", `/chat/${id}`, { token })).json()) as Chat;
  expect(messages.at(-1)?.state).toBe("interrupted");
  const joined = await app.call("GET", `/chat/${id}/reply?reply=${messages.at(-1)?.id}&from=0`, { token });
  // The rest of the answer, and its title.
  for (let calls = 0; calls < 2; calls++) killed.provider.finish();
  await readReply(joined);
  const days = killed.provider.chats.flatMap(({ system }) => /Today is (\S+)\./.exec(system)?.[1] ?? []);
  expect(days.length).toBeGreaterThan(1);
  expect(new Set(days)).toEqual(new Set([dayIn(zone)]));
});
