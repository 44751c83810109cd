import { StatementSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Chat, chatSchema } from "#contract/conversation/conversation.ts";
import { chatTreeSchema } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { FILES_PER_MESSAGE_MAX } from "#contract/limits.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../testing/chats/exported-chats.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { windowBytes } from "../models/prompt-window.ts";
import { candidatesOf } from "./admission/candidates.ts";
import { listBranch, PROMPT_FILES_MAX } from "./branch-store.ts";
import { PAGE_BYTES, readTree, readWithAlternatives } from "./read-pages.ts";

const MESSAGES = 8;
const CHARS = 250_000;
const words = (at: number) => `${at} 峡`.padEnd(CHARS, "x");

let provider: ScriptedProvider;
let app: TestApp;
let ada: TestAccount;
let chatId: string;
beforeAll(async () => {
  provider = await startScriptedProvider();
  app = await startTestApp({ env: { OPENAI_API_KEY: "scripted-key", OPENAI_BASE_URL: provider.baseUrl } });
  ada = await signUp(app);
  const other = (first: string) => message({ role: "assistant", content: "Another answer", parent: first });
  chatId = await importChat(
    Array.from({ length: MESSAGES }, (_, at) => words(at)),
    other,
  );
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** Imports a chat of one branch, optionally with another answer to the first question. @returns its id */
async function importChat(texts: string[], other?: (first: string) => ReturnType<typeof message>): Promise<string> {
  const messages: ReturnType<typeof message>[] = [];
  for (const [at, content] of texts.entries()) {
    const role = at % 2 === 0 ? "user" : "assistant";
    messages.push(message({ role, content, parent: messages.at(-1)?.id ?? null }));
  }
  const leaf = messages.at(-1)?.id ?? "";
  const chat = exported({ messages: [...messages, ...(other ? [other(messages[0]?.id ?? "")] : [])], leaf });
  await app.call("POST", transferPaths.import, { token: ada.token, body: documentOf({ chats: [chat] }) });
  const stored = app.context.database
    .selectFrom("messages")
    .select("chat_id")
    .where("content", "=", texts[0] ?? "");
  return (await stored.executeTakeFirstOrThrow()).chat_id;
}

const get = async (path: string) => {
  const response = await app.call("GET", path, { token: ada.token });
  const { headers, status } = response;
  const text = await response.text();
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
  // A streamed response has no known length.
  return { type: headers.get("content-type"), isStreamed: !headers.has("content-length"), text };
};
const shown = Array.from({ length: MESSAGES }, (_, at) => words(at));

it("K3 a long chat and its tree are streamed in the same format as others", async () => {
  const opened = await get(conversationPaths.chat(chatId));
  expect([opened.type, opened.isStreamed]).toEqual(["application/json; charset=utf-8", true]);
  const chat = chatSchema.parse(JSON.parse(opened.text));
  expect(chat).toEqual(JSON.parse(opened.text));
  expect(chat.messages.map(({ content }) => content)).toEqual(shown);
  expect(chat.messages[1]?.alternatives).toHaveLength(2);
  const read = await get(conversationPaths.chatTree(chatId));
  const tree = JSON.parse(read.text);
  expect(read.isStreamed).toBe(true);
  expect(chatTreeSchema.parse(tree)).toEqual(tree);
  expect(tree.messages).toHaveLength(MESSAGES + 1);
  expect((await get(`${transferPaths.chatExport(chatId)}?format=markdown`)).text).toContain(words(MESSAGES - 1));
  const chosen = await app.call("POST", conversationPaths.chatBranch(chatId), {
    token: ada.token,
    body: { message: chat.messages.at(-1)?.id },
  });
  expect(await chosen.json()).toEqual(chat);
});

it("K3 an empty tree is valid JSON", async () => {
  const { id } = (await (
    await app.call("POST", conversationPaths.chats, { token: ada.token, body: {} })
  ).json()) as Chat;
  expect(JSON.parse((await get(conversationPaths.chatTree(id))).text)).toMatchObject({ id, messages: [] });
});

it("K3 no page of a chat exceeds the page size in bytes", async () => {
  const { database, heavyReads } = app.context;
  const read = heavyReads.of({ network: "", account: ada.user.id });
  const pages: number[] = [];
  for await (const { rows } of readTree({ database, userId: ada.user.id, read }, chatId)) {
    pages.push(rows.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0));
  }
  expect(pages.length).toBeGreaterThan(1);
  for (const bytes of pages) expect(bytes).toBeLessThanOrEqual(PAGE_BYTES);
});

it("K3 every route that reads a message of a million characters returns all of it", async () => {
  const long = "峡👍".repeat(333_334).slice(0, 1_000_000);
  const question = message({ content: long });
  const chat = exported({ title: "A long message", messages: [question], leaf: question.id });
  const body = documentOf({ chats: [chat] });
  const imported = await app.call("POST", transferPaths.import, { token: ada.token, body });
  expect(await imported.json()).toMatchObject({ imported: 1, problems: [] });
  const listed = (await (await app.call("GET", conversationPaths.chatHistory, { token: ada.token })).json()) as Chat[];
  const id = listed.find(({ title }) => title === chat.title)?.id ?? "";
  expect(JSON.parse((await get(conversationPaths.chat(id))).text).messages[0].content).toBe(long);
  expect(JSON.parse((await get(conversationPaths.chatTree(id))).text).messages[0].content).toBe(long);
  expect(JSON.parse((await get(`${transferPaths.chatExport(id)}?format=json`)).text).chats[0].messages[0].content).toBe(
    long,
  );
  expect((await get(`${transferPaths.chatExport(id)}?format=markdown`)).text).toContain(long);
});

it("K3 a send reads only the messages that fit the models' context windows, and sends those", async () => {
  const { leaf } = JSON.parse((await get(conversationPaths.chatTree(chatId))).text);
  const rows = await listBranch(app.context.database, ada.user.id, leaf, 2 * CHARS + 10);
  expect(rows.map(({ content }) => content)).toEqual(shown.slice(-3));
  const sent = await app.call("POST", conversationPaths.chatSend(chatId), {
    token: ada.token,
    body: { message: "And?" },
  });
  expect(sent.status).toBe(200);
  const asked = provider.chats[0]?.messages.map(({ content }) => content);
  expect(asked?.at(-1)).toBe("And?");
  expect(asked?.[0]?.startsWith(`${MESSAGES - (asked.length - 1)} `)).toBe(true);
});

it("K3 a chat with thousands of alternatives is sent in pieces of at most 500 of them", async () => {
  const other = message({ role: "assistant", content: "Another", parent: null });
  const questions = Array.from({ length: 1201 }, (_, at) => message({ content: `${at}`, createdAt: 1_000 + at }));
  const chat = exported({ title: "Alternatives", messages: [other, ...questions], leaf: questions[700]?.id ?? null });
  await app.call("POST", transferPaths.import, { token: ada.token, body: documentOf({ chats: [chat] }) });
  const { database, heavyReads } = app.context;
  const { id } = await database
    .selectFrom("chats")
    .select("id")
    .where("title", "=", chat.title)
    .executeTakeFirstOrThrow();
  const created = await database
    .selectFrom("messages")
    .select("id")
    .where("chat_id", "=", id)
    .where("role", "=", "user")
    .orderBy("created_at")
    .execute();
  const own = created[700]?.id;
  const { messages } = chatSchema.parse(JSON.parse((await get(conversationPaths.chat(id))).text));
  expect(messages).toEqual([
    expect.objectContaining({ id: own, content: "700", alternatives: created.map((row) => row.id) }),
  ]);
  const read = heavyReads.of({ network: "", account: ada.user.id });
  const { alternatives } = await readWithAlternatives(
    { database, userId: ada.user.id, read },
    { id, leaf: own ?? null },
  );
  const runs = [...(alternatives.take({ role: "user", parent: null })?.runs() ?? [])];
  expect(runs.map(({ length }) => length)).toEqual([500, 500, 201]);
  // Nothing of other positions is held, and these no longer.
  expect(alternatives.take({ role: "assistant", parent: null })).toBeUndefined();
  expect(alternatives.take({ role: "user", parent: null })).toBeUndefined();
});

it("K3 a prompt has 5,000 files at most: older messages are not sent, and their files are only named", async () => {
  const facts = { at: 0, kind: "file", ...(await uploadFile(app, { ...ada, name: "a.txt", bytes: "a" })) };
  const parts = Array.from({ length: FILES_PER_MESSAGE_MAX }, (_, seq) => ({ ...facts, seq }));
  const questions: ReturnType<typeof message>[] = [];
  for (let at = 0; at < PROMPT_FILES_MAX / FILES_PER_MESSAGE_MAX + 3; at++) {
    questions.push(message({ content: `Question ${at}`, parts, parent: questions.at(-1)?.id ?? null }));
  }
  const chat = exported({ title: "Many files", messages: questions, leaf: questions.at(-1)?.id ?? null });
  await app.call("POST", transferPaths.import, { token: ada.token, body: documentOf({ chats: [chat] }) });
  const listed = (await (await app.call("GET", conversationPaths.chatHistory, { token: ada.token })).json()) as Chat[];
  const id = listed.find(({ title }) => title === chat.title)?.id ?? "";
  const body = { message: "And?", model: "GPT:gpt-4.1-nano" };
  const sent = await app.call("POST", conversationPaths.chatSend(id), { token: ada.token, body });
  expect(sent.status).toBe(200);
  await sent.text();
  const asked = JSON.stringify(provider.chats.at(-1)?.messages);
  expect(asked.match(/Question \d+/g)).toEqual(questions.slice(3).map(({ content }) => content));
  expect(asked).toContain(`and ${3 * FILES_PER_MESSAGE_MAX - 20} older ones`);
});

// Counts at SQLite's driver, because each statement blocks the event loop.
describe.skipIf(isOnPostgres)("K3 SQL statements", () => {
  /** Returns the rows that each statement returned while `work` ran. */
  async function statementsOf(work: () => Promise<unknown>): Promise<Record<string, unknown>[][]> {
    const all = vi.spyOn(StatementSync.prototype, "all");
    try {
      await work();
      return all.mock.results.map(({ value }) => value as Record<string, unknown>[]);
    } finally {
      all.mockRestore();
    }
  }
  const send = (chat: string) =>
    app.call("POST", conversationPaths.chatSend(chat), {
      token: ada.token,
      body: { message: "And?", model: "GPT:gpt-5" },
    });

  it("SQL statements each read at most a thousand messages of a long chat", async () => {
    const texts = Array.from({ length: 3001 }, (_, at) => `Short ${at}`);
    const chat = await importChat(texts);
    const opened: string[] = [];
    const statements = await statementsOf(async () => {
      opened.push(
        (await get(conversationPaths.chat(chat))).text,
        (await get(`${transferPaths.chatExport(chat)}?format=markdown`)).text,
      );
      expect((await send(chat)).status).toBe(200);
    });
    expect(Math.max(...statements.map((rows) => rows.length))).toBeLessThanOrEqual(1000);
    const { messages } = chatSchema.parse(JSON.parse(opened[0] ?? ""));
    expect(messages.map(({ content }) => content)).toEqual(texts);
    expect(opened[1]?.match(/Short \d+/g)).toEqual(texts);
    expect(provider.chats.at(-1)?.messages.filter(({ content }) => content.startsWith("Short"))).toHaveLength(3001);
  });

  it("SQL statements of a send read about as much text as the model's context window holds", async () => {
    const chat = await importChat(Array.from({ length: MESSAGES }, (_, at) => `Second ${words(at)}`));
    const statements = await statementsOf(() => send(chat));
    const read = statements.flat().reduce((sum, { content }) => sum + String(content ?? "").length, 0);
    const { candidates } = candidatesOf(await app.context.models.choose("GPT:gpt-5"));
    expect(read).toBeGreaterThan(CHARS);
    expect(read).toBeLessThan(windowBytes(candidates) + 2 * CHARS);
    expect(read).toBeLessThan((MESSAGES - 1) * CHARS);
  });
});
