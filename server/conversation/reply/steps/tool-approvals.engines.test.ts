import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { type ToolApproval, toolApprovalListSchema } from "#contract/conversation/tool-approvals.ts";
import type { DecisionAnswer } from "#contract/conversation/tool-calls.ts";
import { signUp } from "../../../../testing/accounts/sign-up.ts";
import { type ScriptedChat, startScriptedChat } from "../../../../testing/chats/scripted-chat.ts";
import { readReply } from "../../../../testing/http/read-events.ts";
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
  await chat.call("PATCH", "", { tools: ["shop"], title: "Shopping" });
});

const { toolApprovals } = conversationPaths;

async function listed(token = chat.ada.token): Promise<ToolApproval[]> {
  const response = await chat.app.call("GET", toolApprovals, { token });
  return toolApprovalListSchema.parse(await response.json()).approvals;
}

/** Removes one approval, or all. */
async function remove(id?: string, token = chat.ada.token): Promise<number> {
  const path = id === undefined ? toolApprovals : conversationPaths.toolApproval(id);
  return (await chat.app.call("DELETE", path, { token })).status;
}

/** Lets the model buy an item. @returns the state of the last answer */
async function buy(item: string): Promise<string> {
  scriptCalls(chat.provider, [[call("buy", item)]]);
  await readReply(await chat.stream({ message: `Buy ${item}.` }));
  return (await chat.last()).state;
}

/** Decides on the calls that wait, and reads the answer to its end. */
async function decide(answer: DecisionAnswer): Promise<void> {
  const { id: reply, parts = [] } = await chat.last();
  const decisions = parts.flatMap((part) =>
    part.kind === "tool" && part.state === "proposed" ? [{ seq: part.seq, digest: part.digest, answer }] : [],
  );
  await chat.call("POST", "/decision", { reply, decisions });
  await readReply(await chat.call("GET", `/reply?reply=${reply}`));
}

it("lists a tool that is approved always, and one that is approved in a chat, by its title", async () => {
  const before = Date.now();
  await buy("tea");
  await decide("chat");
  expect(await listed()).toMatchObject([
    { server: "shop", name: "buy", chat: { id: chat.chatId, title: "Shopping", isUntitled: false }, state: "valid" },
  ]);
  const first = chat.chatId;
  await chat.beginChat();
  await chat.call("PATCH", "", { tools: ["shop"] });
  await buy("milk");
  await decide("always");
  const [always, inChat, ...others] = await listed();
  expect([always?.chat, inChat?.chat?.id, others]).toEqual([null, first, []]);
  expect(always?.createdAt).toBeGreaterThanOrEqual(before);
});

it("lists no tool that was approved for one call only", async () => {
  await buy("tea");
  await decide("once");
  expect(await listed()).toEqual([]);
});

it("two calls of one tool that are approved always at once are one approval", async () => {
  scriptCalls(chat.provider, [[call("buy", "tea"), call("buy", "milk")]]);
  await readReply(await chat.stream());
  await decide("always");
  expect(await listed()).toHaveLength(1);
});

it("a tool asks again once its approval is removed", async () => {
  await buy("tea");
  await decide("always");
  expect(await buy("milk")).toBe("complete");
  const [approval] = await listed();
  expect(await remove(approval?.id)).toBe(204);
  expect([await listed(), await buy("sugar")]).toEqual([[], "waiting"]);
  expect(shop.bought).toEqual([{ item: "tea" }, { item: "milk" }]);
  expect(await remove(approval?.id)).toBe(404);
});

it("removes all approvals of an account, for all chats and for single ones", async () => {
  await buy("tea");
  await decide("chat");
  await chat.beginChat();
  await chat.call("PATCH", "", { tools: ["shop"] });
  await buy("milk");
  await decide("always");
  expect(await remove()).toBe(204);
  expect([await listed(), await buy("sugar")]).toEqual([[], "waiting"]);
});

it("neither lists nor removes the approvals of another account", async () => {
  await buy("tea");
  await decide("always");
  const [approval] = await listed();
  const eve = await signUp(chat.app);
  expect([await listed(eve.token), await remove(approval?.id, eve.token)]).toEqual([[], 404]);
  expect(await remove(undefined, eve.token)).toBe(204);
  expect(await listed()).toEqual([approval]);
});

it("an approval says that its tool has changed or is not available, and can be removed", async () => {
  const { database } = chat.app.context;
  const row = { user_id: chat.ada.user.id, chat_id: null, server: "shop", created_at: 5 };
  await database
    .insertInto("tool_approvals")
    .values([
      { ...row, id: "changed", name: "buy", schema_digest: "of an earlier schema" },
      { ...row, id: "gone", name: "sell", schema_digest: "any" },
    ])
    .execute();
  const states = Object.fromEntries((await listed()).map(({ id, state }) => [id, state]));
  expect(states).toEqual({ changed: "changed", gone: "unavailable" });
  expect(await buy("tea")).toBe("waiting");
  expect([await remove("changed"), await remove("gone"), await listed()]).toEqual([204, 204, []]);
});

it("a new approval of a changed tool replaces the earlier one", async () => {
  const { database } = chat.app.context;
  const row = { user_id: chat.ada.user.id, chat_id: null, server: "shop", created_at: 5 };
  await database
    .insertInto("tool_approvals")
    .values({ ...row, id: "earlier", name: "buy", schema_digest: "of an earlier schema" })
    .execute();
  await buy("tea");
  await decide("always");
  expect(await listed()).toMatchObject([{ name: "buy", state: "valid" }]);
});

it("the approvals in a chat are listed no more once it is deleted", async () => {
  await buy("tea");
  await decide("chat");
  await chat.call("DELETE", "");
  expect(await listed()).toEqual([]);
});
