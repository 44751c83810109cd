import { afterAll, beforeAll, expect, it } from "vitest";
import { type Chat, chatSchema } from "#contract/conversation.ts";
import { chatTreeSchema } from "#contract/conversation-calls.ts";
import { paths } from "#contract/paths.ts";
import { documentOf, exported, message } from "../../testing/exported-chats.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/scripted-provider.ts";
import { signUp, type TestAccount } from "../../testing/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/start-test-app.ts";
import { listBranch, PAGE_BYTES, readMessages } from "./message-store.ts";
import { listTreeSizes } from "./tree-store.ts";

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
  const messages: ReturnType<typeof message>[] = [];
  for (let at = 0; at < MESSAGES; at++) {
    const role = at % 2 === 0 ? "user" : "assistant";
    messages.push(message({ role, content: words(at), parent: messages.at(-1)?.id ?? null }));
  }
  const other = message({ role: "assistant", content: "Another answer", parent: messages[0]?.id ?? "" });
  const chat = exported({ messages: [...messages, other], leaf: messages.at(-1)?.id ?? "" });
  await app.call("POST", paths.import, { token: ada.token, body: documentOf({ chats: [chat] }) });
  const [listed] = (await (await app.call("GET", paths.chatHistory, { token: ada.token })).json()) as Chat[];
  chatId = listed?.id ?? "";
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const get = async (path: string) => {
  const response = await app.call("GET", path, { token: ada.token });
  const { headers, status } = response;
  const text = await response.text();
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
  // What is written from pages has no known length.
  return { type: headers.get("content-type"), isStreamed: !headers.has("content-length"), text };
};
const shown = Array.from({ length: MESSAGES }, (_, at) => words(at));

it("K3 a long chat and its tree come in the shape of any other", async () => {
  const opened = await get(paths.chat(chatId));
  expect([opened.type, opened.isStreamed]).toEqual(["application/json; charset=utf-8", true]);
  const chat = chatSchema.parse(JSON.parse(opened.text));
  expect(chat).toEqual(JSON.parse(opened.text));
  expect(chat.messages.map(({ content }) => content)).toEqual(shown);
  expect(chat.messages[1]?.alternatives).toHaveLength(2);
  const read = await get(paths.chatTree(chatId));
  const tree = JSON.parse(read.text);
  expect(read.isStreamed).toBe(true);
  expect(chatTreeSchema.parse(tree)).toEqual(tree);
  expect(tree.messages).toHaveLength(MESSAGES + 1);
  expect((await get(`${paths.chatExport(chatId)}?format=markdown`)).text).toContain(words(MESSAGES - 1));
  const chosen = await app.call("POST", paths.chatBranch(chatId), {
    token: ada.token,
    body: { message: chat.messages.at(-1)?.id },
  });
  expect(await chosen.json()).toEqual(chat);
});

it("K3 an empty tree is whole JSON", async () => {
  const { id } = (await (await app.call("POST", paths.chats, { token: ada.token, body: {} })).json()) as Chat;
  expect(JSON.parse((await get(paths.chatTree(id))).text)).toMatchObject({ id, messages: [] });
});

it("K3 no page of a chat holds more than its bytes", async () => {
  const { database } = app.context;
  const sizes = await listTreeSizes(database, ada.user.id, chatId);
  const pages: number[] = [];
  for await (const rows of readMessages(database, ada.user.id, sizes)) {
    pages.push(rows.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0));
  }
  expect(pages.length).toBeGreaterThan(1);
  for (const bytes of pages) expect(bytes).toBeLessThanOrEqual(PAGE_BYTES);
});

it("K3 a message of a million characters comes whole, by every way of reading it", async () => {
  const long = "峡👍".repeat(333_334).slice(0, 1_000_000);
  const question = message({ content: long });
  const chat = exported({ title: "A long message", messages: [question], leaf: question.id });
  const body = documentOf({ chats: [chat] });
  const imported = await app.call("POST", paths.import, { token: ada.token, body });
  expect(await imported.json()).toMatchObject({ imported: 1, problems: [] });
  const listed = (await (await app.call("GET", paths.chatHistory, { token: ada.token })).json()) as Chat[];
  const id = listed.find(({ title }) => title === chat.title)?.id ?? "";
  expect(JSON.parse((await get(paths.chat(id))).text).messages[0].content).toBe(long);
  expect(JSON.parse((await get(paths.chatTree(id))).text).messages[0].content).toBe(long);
  expect(JSON.parse((await get(`${paths.chatExport(id)}?format=json`)).text).chats[0].messages[0].content).toBe(long);
  expect((await get(`${paths.chatExport(id)}?format=markdown`)).text).toContain(long);
});

it("K3 a send reads no further back than the models' windows, and the prompt is what fits", async () => {
  const { leaf } = JSON.parse((await get(paths.chatTree(chatId))).text);
  const rows = await listBranch(app.context.database, ada.user.id, leaf, 2 * CHARS + 10);
  expect(rows.map(({ content }) => content)).toEqual(shown.slice(-3));
  const sent = await app.call("POST", paths.chatSend(chatId), { token: ada.token, body: { message: "And?" } });
  expect(sent.status).toBe(200);
  const asked = provider.chats[0]?.messages.map(({ content }) => content);
  expect(asked?.at(-1)).toBe("And?");
  expect(asked?.[0]?.startsWith(`${MESSAGES - (asked.length - 1)} `)).toBe(true);
});
