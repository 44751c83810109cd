import { sql } from "kysely";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { readFirstWords } from "../../../testing/chats/first-words.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";

const MAX_UNSTORED_CHARS = 100_000;
const TICK_MS = 150;

let opened: AsyncDisposableStack;
/** One provider for each of two replies, so that a release is for a known one. */
let gpt: ScriptedProvider;
let claude: ScriptedProvider;
let app: TestApp;
let ada: TestAccount;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  gpt = opened.use(await startScriptedProvider());
  claude = opened.use(await startScriptedProvider());
  const keys = { OPENAI_API_KEY: "key", ANTHROPIC_API_KEY: "key" };
  const env = { ...keys, OPENAI_BASE_URL: gpt.baseUrl, ANTHROPIC_BASE_URL: claude.baseUrl };
  app = opened.use(await startTestApp({ env, maxUnstoredChars: MAX_UNSTORED_CHARS }));
  ada = await signUp(app);
});
afterEach(() => opened.disposeAsync());

/** Starts a reply in a new chat. */
async function startWriting(provider: ScriptedProvider, words: string) {
  const { id } = (await (await app.call("POST", conversationPaths.chats, { token: ada.token })).json()) as Chat;
  const body = {
    message: "[scenario:held]",
    model: provider === gpt ? "GPT:gpt-5-mini" : "CLAUDE:claude-sonnet-4-5-20250929",
  };
  const response = await app.call("POST", `${conversationPaths.chatSend(id)}?stream=1`, { token: ada.token, body });
  provider.release(words);
  await readFirstWords(response);
  const answer = async () => {
    const chat = (await (await app.call("GET", `/chat/${id}`, { token: ada.token })).json()) as Chat;
    return chat.messages.at(-1);
  };
  await vi.waitUntil(async () => (await answer())?.content === words);
  return { answer };
}

/** Makes further writes fail; stored data remains. */
async function fillDisk(): Promise<void> {
  const { database } = app.context;
  if (isOnPostgres) {
    await sql`create function fill() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`.execute(database);
    await sql`create trigger full_disk before insert or update on reply_chunks for each row execute function fill()`.execute(
      database,
    );
  } else await sql`pragma max_page_count = 1`.execute(database);
}

async function freeDisk(): Promise<void> {
  const { database } = app.context;
  if (isOnPostgres) await sql`drop function fill cascade`.execute(database);
  else await sql`pragma max_page_count = 1000000`.execute(database);
}

const logged = (words: string) => app.logLines.filter((line) => line.includes(words));

it("R16 a full disk is logged once, interrupts only as many replies as memory requires, and loses no text", async () => {
  const short = await startWriting(claude, "Few words");
  const long = await startWriting(gpt, "Many words");
  // Fake timers, so that many ticks pass at once.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  opened.defer(() => void vi.useRealTimers());
  await fillDisk();
  // More than the free pages of the file can hold.
  const some = "x".repeat(MAX_UNSTORED_CHARS / 5);
  const much = "x".repeat(MAX_UNSTORED_CHARS);
  claude.release(some);
  await vi.waitUntil(() => logged("buffered in memory").length > 0);
  gpt.release(much);
  await vi.waitUntil(() => logged("reply interrupted").length > 0);
  vi.advanceTimersByTime(20 * TICK_MS);
  expect(logged("disk is full: replies are buffered in memory")).toHaveLength(1);
  expect(logged("checkpoint failed")).toEqual([]);
  expect(logged("reply interrupted")).toHaveLength(1);
  await freeDisk();
  claude.finish();
  await vi.waitUntil(async () => (await long.answer())?.state === "interrupted");
  await vi.waitUntil(async () => (await short.answer())?.state === "complete");
  expect((await long.answer())?.content).toBe(`Many words${much}`);
  expect((await short.answer())?.content).toBe(`Few words${some}`);
});

it.runIf(isOnPostgres)("one reply that cannot be stored does not block the others, and is logged once", async () => {
  const { database } = app.context;
  const bad = await startWriting(gpt, "Bad");
  await startWriting(claude, "Good");
  await sql`alter table reply_chunks add constraint no_bad_words check (text not like '%bad%')`.execute(database);
  gpt.release(" and bad");
  await vi.waitUntil(() => logged("checkpoint failed").length > 0);
  claude.release(" and good");
  // Reads the table, because the API also returns text that is only in memory.
  const stored = async () => {
    const { rows } = await sql<{ text: string }>`select text from reply_chunks order by at`.execute(database);
    return rows.map(({ text }) => text).join("");
  };
  for (let content = "Good and good"; content.length < 17; content += ".") {
    await vi.waitUntil(async () => (await stored()).replace("Bad", "") === content);
    claude.release(".");
  }
  expect(logged("checkpoint failed")).toHaveLength(1);
  for (const provider of [gpt, claude]) provider.finish();
  await vi.waitUntil(async () => (await bad.answer())?.state === "complete");
  expect((await bad.answer())?.content).toBe("Bad and bad");
});
