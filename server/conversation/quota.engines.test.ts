import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { type Storage, storageSchema } from "#contract/files/storage.ts";
import { HOUR, MEGABYTE, MINUTE } from "#contract/limits.ts";
import type { Problem } from "#contract/problem.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { importResultSchema } from "#contract/transfer/transfer.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { documentOf, exported, message } from "../../testing/chats/exported-chats.ts";
import { whileBusy } from "../../testing/chats/while-busy.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { countedBytes } from "../text/stored-bytes.ts";

const MESSAGE_CHARS = 100_000;
/** Counted size: with the quotes of the JSON string and the fixed size of the other fields. */
const MESSAGE_BYTES = MESSAGE_CHARS + 302;
const IN_A_CHAT = Math.floor(MEGABYTE / MESSAGE_BYTES);
const IN_AN_ACCOUNT = Math.floor((2 * MEGABYTE) / MESSAGE_BYTES);
const text = "x".repeat(MESSAGE_CHARS);

let provider: ScriptedProvider;
let clock: TestClock;
let app: TestApp;
let ada: TestAccount;
const envOf = ({ baseUrl }: ScriptedProvider) => ({
  OPENAI_API_KEY: "scripted-key",
  OPENAI_BASE_URL: baseUrl,
  MAX_CHAT_MB: "1",
  MAX_ACCOUNT_MB: "2",
});
beforeAll(async () => {
  provider = await startScriptedProvider();
  clock = new TestClock();
  app = await startTestApp({ env: envOf(provider), clock });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(async () => {
  provider.reset();
  ada = await signUp(app);
});

const call = (method: string, path: string, body?: unknown) => app.call(method, path, { token: ada.token, body });
const insist = (calling: () => Promise<Response>) => whileBusy(app, calling);
const newChat = async () => ((await (await insist(() => call("POST", conversationPaths.chats, {}))).json()) as Chat).id;
const append = (chat: string, content = text, role = "user") =>
  call("POST", conversationPaths.chatMessage(chat), { role, content });
const send = (chat: string, words = "And?") => call("POST", conversationPaths.chatSend(chat), { message: words });
const storage = async (): Promise<Storage> => storageSchema.parse(await (await call("GET", filePaths.storage)).json());
const codeOf = async (response: Response) => [response.status, ((await response.json()) as Problem).code];
const REFUSED = [409, "quota-reached"];

async function fill(chat: string, count = IN_A_CHAT): Promise<void> {
  for (let at = 0; at < count; at++) expect((await append(chat)).status).toBe(201);
}

describe("K3 full chats", () => {
  it("a full chat accepts no more text, stays readable, and does not affect other chats", async () => {
    const chat = await newChat();
    await append(chat, "An answer.", "assistant");
    await fill(chat, IN_A_CHAT - 1);
    await append(chat, "x".repeat(MEGABYTE - (IN_A_CHAT - 1) * MESSAGE_BYTES - 312 - 302));
    expect((await storage()).largest).toEqual([{ id: chat, title: expect.any(String), bytes: MEGABYTE }]);
    expect(await codeOf(await append(chat, "x"))).toEqual(REFUSED);
    expect(await codeOf(await send(chat))).toEqual(REFUSED);
    expect(await codeOf(await call("POST", conversationPaths.chatReply(chat), { mode: "retry" }))).toEqual(REFUSED);
    expect(provider.chats).toEqual([]);
    const { messages } = (await (await call("GET", conversationPaths.chat(chat))).json()) as Chat;
    expect(messages).toHaveLength(IN_A_CHAT + 1);
    expect((await send(await newChat())).status).toBe(200);
    await expectExactCounters(app.context.database);
  });

  it("a quota that is reached does not interrupt a running reply, and then Continue is refused", async () => {
    const chat = await newChat();
    await fill(chat);
    provider.reply = text;
    const streamed = await call("POST", `${conversationPaths.chatSend(chat)}?stream=1`, { message: "[scenario:held]" });
    provider.release(text);
    provider.finish("length");
    expect((await readReply(streamed)).text).toBe(text);
    expect((await storage()).largest[0]?.bytes).toBeGreaterThan(MEGABYTE);
    expect(await codeOf(await call("POST", conversationPaths.chatReply(chat), { mode: "continue" }))).toEqual(REFUSED);
    await expectExactCounters(app.context.database);
  });
});

describe("K3 full accounts", () => {
  it("a full account accepts no more text in any chat, also in concurrent requests", async () => {
    const chats = await Promise.all(Array.from({ length: 50 }, newChat));
    const answers = await Promise.all(chats.map((chat) => insist(() => append(chat))));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(IN_AN_ACCOUNT);
    const refused = answers.filter(({ ok }) => !ok).map(codeOf);
    expect(new Set((await Promise.all(refused)).map(String))).toEqual(new Set([REFUSED.join()]));
    // Space for two short questions.
    const room = 2 * MEGABYTE - IN_AN_ACCOUNT * MESSAGE_BYTES;
    expect((await append(chats[0] ?? "", "x".repeat(room - 302 - 700))).status).toBe(201);
    const asked = "[scenario:held]";
    const sends = await Promise.all(
      chats.map((chat) =>
        insist(() => call("POST", `${conversationPaths.chatSend(chat)}?stream=1`, { message: asked })),
      ),
    );
    expect(sends.filter(({ ok }) => ok)).toHaveLength(2);
    expect((await storage()).bytes).toBeLessThanOrEqual(2 * MEGABYTE);
    await provider.untilHeld(2);
    for (const _ of [1, 2]) provider.release("Yes.");
    await provider.untilHeld(2);
    for (const _ of [1, 2]) provider.finish();
    await Promise.all(sends.filter(({ ok }) => ok).map(readReply));
    await expectExactCounters(app.context.database);
  });

  it("a full account refuses to regenerate or continue an answer", async () => {
    const [answered, cut] = [await newChat(), await newChat()];
    await send(answered);
    const asked = call("POST", `${conversationPaths.chatSend(cut)}?stream=1`, { message: "[scenario:held]" });
    provider.release("The first half ");
    provider.finish("length");
    await readReply(await asked);
    for (let rest = 2 * MEGABYTE - (await storage()).bytes; rest > 0; ) {
      const size = rest > 150_000 ? 100_000 : rest;
      expect((await append(await newChat(), "x".repeat(size - 302))).status).toBe(201);
      rest -= size;
    }
    expect(await storage()).toMatchObject({ bytes: 2 * MEGABYTE });
    const { length: before } = provider.chats;
    expect(await codeOf(await call("POST", conversationPaths.chatReply(answered), { mode: "regenerate" }))).toEqual(
      REFUSED,
    );
    expect(await codeOf(await call("POST", conversationPaths.chatReply(cut), { mode: "continue" }))).toEqual(REFUSED);
    expect(provider.chats).toHaveLength(before);
  });

  it("a full account accepts text again once a deleted chat is removed for good, not before", async () => {
    const [old, later] = [await newChat(), await newChat()];
    await fill(old);
    await fill(later);
    const last = await newChat();
    await fill(last, IN_AN_ACCOUNT - 2 * IN_A_CHAT);
    await call("DELETE", conversationPaths.chat(old));
    expect(await codeOf(await append(last))).toEqual(REFUSED);
    expect(await storage()).toMatchObject({ bytes: IN_AN_ACCOUNT * MESSAGE_BYTES, largest: [{ id: later }, {}] });
    clock.advance(HOUR + MINUTE + 1);
    await app.context.sweep.run();
    expect(await storage()).toMatchObject({ bytes: (IN_AN_ACCOUNT - IN_A_CHAT) * MESSAGE_BYTES });
    expect((await append(last)).status).toBe(201);
    await expectExactCounters(app.context.database);
  });

  it("imports each chat of a file completely or not at all, and reports the refused ones", async () => {
    const chat = await newChat();
    await fill(chat);
    const sized = (title: string, count: number) =>
      exported({ title, leaf: null, messages: Array.from({ length: count }, () => message({ content: text })) });
    const given = [sized("Large", IN_A_CHAT + 1), sized("Fits", IN_A_CHAT), sized("Rest", 3), exported()];
    const answer = await call("POST", transferPaths.import, documentOf({ chats: given }));
    expect(importResultSchema.parse(await answer.json())).toMatchObject({
      imported: 2,
      problems: [
        { chat: "Large", reason: "too-large" },
        { chat: "Rest", reason: "quota" },
      ],
    });
    const titles = (await (await call("GET", conversationPaths.chatHistory)).json()) as { title: string }[];
    expect(titles.map(({ title }) => title)).toEqual(expect.not.arrayContaining(["Large", "Rest"]));
    await expectExactCounters(app.context.database);
  });
});

describe("K3 counters of stored bytes", () => {
  it("the counters are exact after replies were stopped, continued, retried, failed or imported", async () => {
    const chat = await newChat();
    provider.reply = '“Quoted” \n\t\\ 峡湾 😀 "plain"';
    await send(chat);
    const cut = call("POST", `${conversationPaths.chatSend(chat)}?stream=1`, { message: "[scenario:held]" });
    provider.release("The first half ");
    provider.finish("length");
    await readReply(await cut);
    await expectExactCounters(app.context.database);
    // The second continuation begins with the seam of the first.
    for (const rest of ["The second half ", "The third half "]) {
      provider.next("held");
      const continued = call("POST", conversationPaths.chatReply(chat), { mode: "continue" });
      provider.release(rest);
      provider.finish("length");
      await readReply(await continued);
      await expectExactCounters(app.context.database);
    }
    const stopped = await call("POST", `${conversationPaths.chatSend(chat)}?stream=1`, { message: "[scenario:held]" });
    provider.release("Stopped ");
    await provider.untilHeld(1);
    await call("POST", conversationPaths.chatStop(chat));
    await readReply(stopped);
    await send(chat, "[scenario:too-long]");
    await call("POST", conversationPaths.chatReply(chat), { mode: "retry" }).then(readReply);
    const seams = message({ role: "assistant", content: "Sewn", seams: [1, 2, 9000], parent: null });
    await call("POST", transferPaths.import, documentOf({ chats: [exported({ leaf: null, messages: [seams] })] }));
    await expectExactCounters(app.context.database);
    expect((await storage()).bytes).toBeGreaterThan(0);
  });

  it("the counters are exact after a process was killed during a reply", async () => {
    await using harness = await createTestHarness();
    const id = await (async () => {
      await using first = await startTestApp({ harness, env: envOf(provider) });
      const { token } = await signUp(first);
      const { id: chat } = (await (await first.call("POST", conversationPaths.chats, { token })).json()) as Chat;
      provider.release("The first half ");
      provider.finish("length");
      provider.reply = "and the second";
      const body = { message: "[scenario:held]" };
      await readReply(await first.call("POST", `${conversationPaths.chatSend(chat)}?stream=1`, { token, body }));
      await readReply(
        await first.call("POST", conversationPaths.chatReply(chat), { token, body: { mode: "continue" } }),
      );
      // The state after a kill: the row as at the start of the second run, with its text in chunks.
      const { database } = first.context;
      const reply = database.updateTable("messages").where("role", "=", "assistant");
      const before = "The first half ";
      await reply.set({ state: "writing", content: before }).execute();
      const row = await database.selectFrom("messages").selectAll().where("role", "=", "assistant").executeTakeFirst();
      const piece = { message_id: row?.id ?? "", at: before.length, text: "and the second" };
      await database.insertInto("reply_chunks").values(piece).execute();
      const questions = await database.selectFrom("messages").selectAll().where("role", "=", "user").execute();
      const stored_bytes = [...questions, ...(row ? [row] : [])].reduce((sum, one) => sum + countedBytes(one, []), 0);
      await database.updateTable("chats").set({ stored_bytes }).where("id", "=", chat).execute();
      await database.updateTable("users").set({ stored_bytes }).execute();
      return chat;
    })();
    await using second = await startTestApp({ harness, env: envOf(provider) });
    const { database } = second.context;
    const chat = await database.selectFrom("chats").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const { content } = await database
      .selectFrom("messages")
      .select("content")
      .where("role", "=", "assistant")
      .executeTakeFirstOrThrow();
    expect(content).toBe("The first half and the second");
    expect(chat.stored_bytes).toBeGreaterThan(0);
    await expectExactCounters(database);
  });
});
