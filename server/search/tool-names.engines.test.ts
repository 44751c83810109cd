import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { transferPaths } from "#contract/transfer/paths.ts";
import { documentOf, exported } from "../../testing/chats/exported-chats.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { search } from "../../testing/chats/search-for.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { scriptCalls, shopCall, wireCall } from "../../testing/tools/script-calls.ts";
import { ScriptedShop } from "../../testing/tools/scripted-shop.ts";

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

const found = async (q: string) =>
  (await search(chat.app, chat.ada.token, { q })).hits.map(({ role, snippet }) => [role, snippet]);

it("an answer is found by the names of the tools that it has called, and neither by arguments nor by results", async () => {
  shop.find = async () => ({ text: "Kumquats are in stock." });
  scriptCalls(
    chat.provider,
    [[shopCall("look_up", "rhubarb"), wireCall("shop__steal", {}, "call_2")]],
    "There is some.",
  );
  await readReply(await chat.stream({ message: "Is there any?" }));
  expect(await found("look_up")).toEqual([["assistant", "There is some."]]);
  expect(await found("look up some")).toEqual([["assistant", "There is some."]]);
  for (const word of ["rhubarb", "kumquats", "steal", "shop"]) expect(await found(word)).toEqual([]);
});

it("an imported answer is found by the names of its tools too", async () => {
  const call = { kind: "tool", server: "shop", name: "look_up", call: "c", step: 0, state: "succeeded", digest: "" };
  const parts = [{ seq: 0, at: 0, ...call, arguments: "{}", result: "Kumquats" }];
  const { messages, ...imported } = exported({ title: "Shopping" });
  const [question, answer] = messages;
  const chats = [{ ...imported, messages: [question, { ...answer, content: "There is some.", parts }] }];
  const { token } = chat.ada;
  const response = await chat.app.call("POST", transferPaths.import, { token, body: documentOf({ chats }) });
  expect(response.status).toBe(200);
  expect(await found("look_up")).toEqual([["assistant", "There is some."]]);
  expect(await found("kumquats")).toEqual([]);
});
