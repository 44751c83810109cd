import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { problemSchema } from "#contract/problem.ts";
import { chatOf, followAccount } from "../../../testing/accounts/follow-account.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from "../../../testing/app/start-test-app.ts";
import { readFirstWords } from "../../../testing/chats/first-words.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { readReply } from "../../../testing/http/read-events.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { type FaultProxy, type ProxyMode, startFaultProxy } from "../../../testing/servers/fault-proxy.ts";
import { createSharedDatabase } from "../../../testing/servers/shared-database.ts";
import { REDIS_PORT, testRedisUrl } from "../../../testing/servers/test-redis.ts";

const POSTGRES_PORT = 5432;

let opened: AsyncDisposableStack;
let provider: ScriptedProvider;
let ada: TestAccount;
let chatId: string;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  provider = opened.use(await startScriptedProvider());
});
afterEach(() => opened.disposeAsync());

const models = () => ({ OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl });

async function signIn(app: TestApp): Promise<void> {
  ada = await signUp(app);
  chatId = ((await (await app.call("POST", conversationPaths.chats, { token: ada.token })).json()) as { id: string })
    .id;
}

/** Starts a reply and reads its first words. */
async function startWriting(app: TestApp, words: string) {
  const body = { message: "[scenario:held]", model: "GPT:gpt-5-mini" };
  const response = await app.call("POST", `${conversationPaths.chatSend(chatId)}?stream=1`, { token: ada.token, body });
  provider.release(words);
  return readFirstWords(response);
}

async function nextToken(events: AsyncGenerator<{ token?: string } | "[DONE]">): Promise<string | undefined> {
  for (let event = await events.next(); !event.done; event = await events.next()) {
    if (event.value !== "[DONE]" && event.value.token) return event.value.token;
  }
  return undefined;
}

const lastMessage = async (app: TestApp) => {
  const chat = (await (await app.call("GET", `/chat/${chatId}`, { token: ada.token })).json()) as {
    messages: { content: string; state: string }[];
  };
  return chat.messages.at(-1);
};
const readiness = async (app: TestApp) => (await fetch(`${app.url}/readyz`)).status;
const warnings = (app: TestApp, words: string) =>
  app.logLines
    .map((line) => JSON.parse(line) as { msg: string; level: number })
    .filter(({ msg }) => msg.includes(words));

describe.runIf(isOnPostgres && testRedisUrl !== undefined)("R9 while Redis is away", () => {
  it.each<ProxyMode>(["refuse", "swallow"])(
    "while Redis fails by “%s”, readers of other processes get every word, and events arrive",
    async (mode) => {
      const front = await startFaultProxy(testRedisUrl ?? "", REDIS_PORT);
      const redis: FaultProxy = opened.use(front.proxy);
      const servers = opened.use(await createSharedDatabase());
      const env = { ...models(), REDIS_URL: front.url };
      const one = await servers.startServer({ env });
      await signIn(one);
      const other = await servers.startServer({ env });
      const { reply } = await startWriting(one, "First words");
      const path = `/chat/${chatId}/reply?reply=${reply}&from=0`;
      const followed = readReply(await other.call("GET", path, { token: ada.token }));
      await redis.set(mode);
      await vi.waitUntil(() => !one.context.bus.hearsAll && !other.context.bus.hearsAll);
      provider.release(", and those without Redis");
      await using events = await followAccount(other, ada.token);
      const { id } = (await (await one.call("POST", conversationPaths.chats, { token: ada.token })).json()) as {
        id: string;
      };
      await events.until((event) => chatOf(event) === id);
      expect([await readiness(one), await readiness(other)]).toEqual([200, 200]);
      provider.finish();
      expect(await followed).toMatchObject({ text: "First words, and those without Redis", isDone: true });
      await redis.set("pass");
      await vi.waitUntil(() => one.context.bus.hearsAll && other.context.bus.hearsAll);
      for (const app of [one, other]) {
        expect(warnings(app, "Redis").map(({ msg }) => msg)).toEqual([
          "Redis is unavailable: changes by other servers arrive later",
          "Redis is available again",
        ]);
      }
    },
  );
});

describe.runIf(isOnPostgres)("R9 while PostgreSQL is away", () => {
  let database: FaultProxy;
  let startServer: (options?: TestAppOptions) => Promise<TestApp>;
  beforeEach(async () => {
    const harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
    const front = await startFaultProxy(harness.env.DATABASE_URL ?? "", POSTGRES_PORT);
    database = opened.use(front.proxy);
    const env = { ...models(), DATABASE_URL: front.url };
    startServer = async (options) => opened.use(await startTestApp({ ...options, harness, env }));
  });

  it.each<ProxyMode>(["refuse", "swallow", "reset"])(
    "while PostgreSQL fails by “%s”, calls are refused clearly, and a running reply goes on and is stored later",
    async (mode) => {
      const app = await startServer();
      await signIn(app);
      const { events } = await startWriting(app, "First words");
      await database.set(mode);
      provider.release(", then words that nobody can store");
      expect(await nextToken(events)).toBe(", then words that nobody can store");
      expect(await readiness(app)).toBe(503);
      const refused = await app.call("POST", conversationPaths.chats, { token: ada.token });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
      const problem = problemSchema.parse(await refused.json());
      expect(problem.code).toBe("unavailable");
      provider.release(", and an end");
      expect(await nextToken(events)).toBe(", and an end");
      provider.finish();
      await vi.waitUntil(() => warnings(app, "could not be stored yet").length > 0);
      await database.set("pass");
      await vi.waitUntil(async () => (await readiness(app)) === 200);
      // Readers receive the end after it is stored.
      for await (const event of events) if (event === "[DONE]") break;
      expect(await lastMessage(app)).toMatchObject({
        content: "First words, then words that nobody can store, and an end",
        state: "complete",
      });
      expect(warnings(app, "replies are buffered in memory").length).toBeLessThanOrEqual(1);
    },
  );

  it("an outage of PostgreSQL logs once that replies are buffered in memory, and once that they are stored again", async () => {
    const app = await startServer();
    await signIn(app);
    const { events } = await startWriting(app, "First words");
    await vi.waitUntil(async () => (await lastMessage(app))?.content === "First words");
    await database.set("refuse");
    provider.release(", and more");
    await vi.waitUntil(() => warnings(app, "buffered in memory").length > 0);
    for (let piece = 0; piece < 5; piece++) {
      provider.release(` ${piece}`);
      await nextToken(events);
    }
    await database.set("pass");
    await vi.waitUntil(() => warnings(app, "replies are stored").length > 0);
    provider.finish();
    for await (const _ of events);
    expect(await lastMessage(app)).toMatchObject({ content: "First words, and more 0 1 2 3 4", state: "complete" });
    expect([warnings(app, "buffered in memory").length, warnings(app, "checkpoint failed").length]).toEqual([1, 0]);
  });

  it("a reply is buffered up to a limit while PostgreSQL is away, loses nothing of it, and continues", async () => {
    const app = await startServer({ maxUnstoredChars: 1000 });
    await signIn(app);
    const { events, reply } = await startWriting(app, "First words. ");
    await database.set("refuse");
    const much = "x".repeat(1200);
    provider.release(much);
    expect(await nextToken(events)).toBe(much);
    await (await provider.chat(1)).closed;
    expect((await provider.chat(1)).isAborted).toBe(true);
    await database.set("pass");
    await vi.waitUntil(async () => (await readiness(app)) === 200);
    await vi.waitUntil(async () => (await lastMessage(app))?.state === "interrupted");
    provider.reply = " And the rest.";
    provider.next("fast");
    const path = `/chat/${chatId}/reply?reply=${reply}&from=0`;
    const resumed = await readReply(await app.call("GET", path, { token: ada.token }));
    expect(resumed).toMatchObject({ text: `First words. ${much} And the rest.`, isDone: true });
  });
});
