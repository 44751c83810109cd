import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import { type ChatTree, chatTreeSchema } from "#contract/conversation/conversation-calls.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { whileBusy } from "../../testing/chats/while-busy.ts";
import { readReply } from "../../testing/http/read-events.ts";

const GPT = "GPT:gpt-5-mini";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(async () => {
  chat.provider.reset();
  chat.provider.reply = ({ messages }) => `Re: ${messages.at(-1)?.content} (${++answers})`;
  answers = 0;
  await chat.renew();
});
let answers = 0;

/** Sends a message. @returns the ids of the question and of its reply */
async function say(message: string, position: { parent?: string | null; branch?: boolean } = {}) {
  const { user_message, ai_response } = await chat.send({ message, model: GPT, ...position });
  return { question: user_message.id, reply: ai_response?.id ?? "" };
}

const branchOf = (parent: string | null, message: string) => say(message, { parent, branch: true });

async function regenerate(of?: string, more: object = {}, key?: string): Promise<Response> {
  const headers: Record<string, string> = key ? { "idempotency-key": key } : {};
  const body = { mode: "regenerate", model: GPT, ...(of && { of }), ...more };
  return chat.app.call("POST", `/chat/${chat.chatId}/reply`, { token: chat.ada.token, body, headers });
}

const choose = (message: string) => chat.call("POST", "/branch", { message });
const tree = async () => chatTreeSchema.parse(await (await chat.call("GET", "/tree")).json());
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];
const shapeOf = ({ messages }: Chat | ChatTree) => messages.map(({ content }) => content);
const alternatives = async () => (await chat.open()).messages.map((message) => message.alternatives);

describe("edited questions", () => {
  it("an edited question is an alternative of the first version with its own answer, and both are kept", async () => {
    const first = await say("One");
    const second = await say("Two");
    const edited = await branchOf(first.reply, "Two, better");
    expect(chat.provider.chats.at(-1)?.messages.map(({ content }) => content)).toEqual([
      "One",
      "Re: One (1)",
      "Two, better",
    ]);
    expect(await chat.transcript()).toEqual([
      "user: One",
      "assistant: Re: One (1)",
      "user: Two, better",
      "assistant: Re: Two, better (3)",
    ]);
    const beside = [second.question, edited.question];
    expect(await alternatives()).toEqual([undefined, undefined, beside, undefined]);
    expect(shapeOf(await tree())).toEqual([
      "One",
      "Re: One (1)",
      "Two",
      "Re: Two (2)",
      "Two, better",
      "Re: Two, better (3)",
    ]);
  });

  it("the first question can be edited; the chat keeps its title, and no other is requested", async () => {
    const first = await say("One");
    await vi.waitUntil(async () => (await chat.open()).title === chat.provider.title);
    const asked = chat.provider.titles.length;
    chat.provider.title = "Another title";
    const edited = await branchOf(null, "Begin anew");
    expect(await chat.transcript()).toEqual(["user: Begin anew", "assistant: Re: Begin anew (2)"]);
    const opened = await chat.open();
    expect(opened.messages[0]).toMatchObject({ parent: null, alternatives: [first.question, edited.question] });
    await say("And on");
    expect((await chat.open()).title).toBe("A fitting title");
    expect(chat.provider.titles).toHaveLength(asked);
  });

  it("an edit creates one branch for its key, and differs from a send of the same text without a branch", async () => {
    const first = await say("One");
    await say("Two");
    const position = { parent: first.reply, branch: true };
    const sends = Array.from({ length: 4 }, () =>
      whileBusy(chat.app, () => chat.stream({ message: "Edited", model: GPT, key: "k", ...position })),
    );
    const told = await Promise.all((await Promise.all(sends)).map(readReply));
    expect(new Set(told.map(({ reply }) => reply)).size).toBe(1);
    expect((await tree()).messages).toHaveLength(6);
    for (const other of [{ parent: first.reply }, { parent: null, branch: true }, {}]) {
      const answer = await chat.post("", { message: "Edited", model: GPT, key: "k", ...other });
      expect(await codeOf(answer)).toEqual([409, "idempotency-mismatch"]);
    }
  });

  it("an outdated tab can send from its position", async () => {
    const first = await say("One");
    await say("From the other tab");
    const stale = { message: "From the stale tab", model: GPT, parent: first.reply };
    expect(await codeOf(await chat.post("", stale))).toEqual([409, "conversation-moved"]);
    expect((await chat.post("", { ...stale, branch: true })).status).toBe(200);
    expect((await chat.transcript()).slice(2)).toEqual([
      "user: From the stale tab",
      "assistant: Re: From the stale tab (3)",
    ]);
  });

  it("an edited question follows the earlier question if the message before it is an empty reply", async () => {
    chat.provider.next("wrong-key");
    const { reply } = await readReply(await chat.stream({ message: "One", model: GPT }));
    await branchOf(reply, "Two");
    expect(await chat.transcript()).toEqual(["user: One", "user: Two", expect.stringContaining("Two (2)")]);
  });

  it("an edit is refused without a parent, with an unknown parent or one of another chat, and during a reply", async () => {
    const first = await say("One");
    expect(await codeOf(await chat.post("", { branch: true }))).toEqual([400, "invalid-input"]);
    const elsewhere = await chat.createChat();
    const to = (id: string, parent: string) =>
      chat.app.call("POST", `/chat/${id}/send`, {
        token: chat.ada.token,
        body: { message: "x", parent, branch: true },
      });
    const unknown = await to(elsewhere, "nobody-has-it");
    expect(unknown.status).toBe(404);
    expect(await (await to(elsewhere, first.reply)).text()).toBe(await unknown.text());
    expect((await to(elsewhere, "\0")).status).toBe(404);
    const running = await chat.stream({ message: "[scenario:held]", model: GPT });
    chat.provider.release("Held");
    expect(await codeOf(await chat.post("", { parent: first.reply, branch: true }))).toEqual([409, "reply-running"]);
    chat.provider.finish();
    await readReply(running);
    expect((await tree()).messages.filter(({ content }) => content === "x")).toEqual([]);
  });
});

describe("regenerated replies", () => {
  it("a regenerated reply is an alternative of the given one anywhere in the chat, and becomes the leaf", async () => {
    const first = await say("One");
    const second = await say("Two");
    const { reply } = await readReply(await regenerate(first.reply, { parent: second.reply }));
    expect(await chat.transcript()).toEqual(["user: One", "assistant: Re: One (3)"]);
    expect(await alternatives()).toEqual([undefined, [first.reply, reply]]);
    const again = await readReply(await regenerate(first.question));
    expect(await alternatives()).toEqual([undefined, [first.reply, reply, again.reply]]);
    expect(chat.provider.chats.at(-1)?.messages).toEqual([{ role: "user", content: "One" }]);
    expect((await tree()).messages).toHaveLength(6);
  });

  it("a regenerated reply without text is replaced by the earlier reply, and is no alternative", async () => {
    const first = await say("One");
    await say("Two");
    const before = await chat.open();
    chat.provider.next("wrong-key");
    await readReply(await regenerate(first.reply));
    const after = await chat.open();
    expect(after.messages).toEqual(before.messages);
    expect((await tree()).messages).toHaveLength(4);
  });

  it("regenerating does not change a question that follows an unanswered one", async () => {
    chat.provider.next("wrong-key");
    const { question } = await say("One");
    await say("Two");
    chat.provider.next("wrong-key");
    await readReply(await regenerate(question));
    expect(await chat.transcript()).toEqual(["user: One", "user: Two", expect.stringContaining("Two (2)")]);
  });

  it("a regenerated reply is created once for a key, and differs from a retry of the last reply", async () => {
    const first = await say("One");
    await say("Two");
    const again = () => whileBusy(chat.app, () => regenerate(first.reply, {}, "k"));
    const told = await Promise.all([again(), again()]);
    const [one, other] = await Promise.all(told.map(readReply));
    expect(one?.reply).toBe(other?.reply);
    expect(await codeOf(await regenerate(undefined, {}, "k"))).toEqual([409, "idempotency-mismatch"]);
    expect((await tree()).messages).toHaveLength(5);
  });

  it("refuses to regenerate a message that is foreign, running or without a question, or from an outdated position", async () => {
    const first = await say("One");
    expect((await regenerate("nobody-has-it")).status).toBe(404);
    expect(await codeOf(await regenerate(first.reply, { mode: "continue" }))).toEqual([400, "invalid-input"]);
    expect(await codeOf(await regenerate(first.reply, { parent: first.question }))).toEqual([
      409,
      "conversation-moved",
    ]);
    const words = await chat.call("POST", "/message", { role: "assistant", content: "By the way" });
    const { id } = (await words.json()) as Message;
    expect(await codeOf(await regenerate(id))).toEqual([409, "nothing-to-answer"]);
    expect((await tree()).messages).toHaveLength(3);
  });
});

describe("the choice of a branch", () => {
  it("choosing a branch selects the newest message at each level, and does not count as activity", async () => {
    const first = await say("One");
    const second = await say("Two");
    await say("Three");
    const third = await branchOf(second.reply, "Three, better");
    await branchOf(first.reply, "Two, better");
    const { updatedAt } = await chat.open();
    const from = (await chat.app.context.database.selectFrom("chats").selectAll().execute()).find(
      ({ id }) => id === chat.chatId,
    );
    const answer = await choose(second.question);
    expect(answer.status).toBe(200);
    const chosen = (await answer.json()) as Chat;
    expect(chosen).toEqual(await chat.open());
    expect(shapeOf(chosen)).toEqual(["One", "Re: One (1)", "Two", "Re: Two (2)", "Three, better", expect.any(String)]);
    expect(chosen.updatedAt).toBe(updatedAt);
    const now = (await chat.app.context.database.selectFrom("chats").selectAll().execute()).find(
      ({ id }) => id === chat.chatId,
    );
    expect(now?.changed_seq).toBeGreaterThan(from?.changed_seq ?? Number.NaN);
    expect((await tree()).leaf).toBe(third.reply);
    await say("On from here");
    expect((await chat.transcript()).slice(4, 7)).toEqual([
      "user: Three, better",
      expect.stringMatching("assistant: Re: Three, better"),
      "user: On from here",
    ]);
  });

  it("choosing the current branch changes nothing", async () => {
    const { question, reply } = await say("One");
    await vi.waitUntil(async () => (await chat.open()).title === chat.provider.title);
    const rows = () => chat.app.context.database.selectFrom("users").select(["id", "change_seq"]).execute();
    const before = await rows();
    expect((await choose(question)).status).toBe(200);
    expect((await choose(reply)).status).toBe(200);
    expect(await rows()).toEqual(before);
  });

  it("choosing a branch is refused during a reply, and for a message outside the chat's tree", async () => {
    const { question } = await say("One");
    const elsewhere = await chat.createChat();
    const of = (id: string, message: unknown) =>
      chat.app.call("POST", `/chat/${id}/branch`, { token: chat.ada.token, body: { message } });
    const unknown = await of(elsewhere, "nobody-has-it");
    expect(unknown.status).toBe(404);
    expect(await (await of(elsewhere, question)).text()).toBe(await unknown.text());
    expect((await of(elsewhere, "\0")).status).toBe(404);
    expect((await of(chat.chatId, 1)).status).toBe(400);
    expect((await of(chat.chatId, undefined)).status).toBe(400);
    chat.provider.next("wrong-key");
    const { reply: record } = await readReply(await regenerate(question));
    expect((await of(chat.chatId, record)).status).toBe(404);
    const running = await chat.stream({ message: "[scenario:held]", model: GPT });
    chat.provider.release("Held");
    expect(await codeOf(await of(chat.chatId, question))).toEqual([409, "reply-running"]);
    chat.provider.finish();
    await readReply(running);
  });
});

it("the tree of a chat contains the text so far of a running reply", async () => {
  const running = await chat.stream({ message: "[scenario:held]", model: GPT });
  chat.provider.release("So far");
  await vi.waitUntil(async () => (await tree()).messages.at(-1)?.content === "So far");
  expect((await tree()).messages.at(-1)).toMatchObject({ state: "writing", role: "assistant" });
  chat.provider.finish();
  await readReply(running);
});

it("refuses the tree and its branches to other accounts and without a session", async () => {
  const { question } = await say("One");
  const bob = await signUp(chat.app);
  for (const [method, path, body] of [
    ["GET", "/tree", undefined],
    ["POST", "/branch", { message: question }],
    ["POST", "/send", { message: "x", parent: question, branch: true }],
    ["POST", "/reply", { mode: "regenerate", of: question }],
  ] as const) {
    const asBob = (id: string) => chat.app.call(method, `/chat/${id}${path}`, { token: bob.token, body });
    const [others, nobodys] = [await asBob(chat.chatId), await asBob("nobody-has-it")];
    expect([others.status, await others.text()]).toEqual([404, await nobodys.text()]);
    expect((await chat.app.call(method, `/chat/${chat.chatId}${path}`, { body })).status).toBe(401);
  }
  expect((await tree()).messages).toHaveLength(2);
});
