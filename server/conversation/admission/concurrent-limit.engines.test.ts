import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { MINUTE } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { whileBusy } from "../../../testing/chats/while-busy.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { readEvents, readReply } from "../../../testing/http/read-events.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { createSharedDatabase, type SharedDatabase } from "../../../testing/servers/shared-database.ts";
import { newId } from "../../database/new-id.ts";

const MODEL = "GPT:gpt-5-mini";

let opened: AsyncDisposableStack;
let provider: ScriptedProvider;
let database: SharedDatabase;
let app: TestApp;
let token: string;

const envOf = () => ({ OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl, SHUTDOWN_GRACE_MS: "0" });

beforeAll(async () => {
  opened = new AsyncDisposableStack();
  provider = opened.use(await startScriptedProvider());
  database = opened.use(await createSharedDatabase());
  app = await database.startServer({ env: envOf() });
});
afterAll(() => opened.disposeAsync());
beforeEach(async () => {
  provider.reset();
  ({ token } = await signUp(app));
});

async function createChat(at = app): Promise<string> {
  return ((await (await whileBusy(at, () => at.call("POST", conversationPaths.chats, { token }))).json()) as Chat).id;
}

const createChats = (count: number) => Promise.all(Array.from({ length: count }, () => createChat()));
const open = async (id: string) =>
  (await (await app.call("GET", conversationPaths.chat(id), { token })).json()) as Chat;
const stop = (id: string) => app.call("POST", conversationPaths.chatStop(id), { token });

/** Starts a reply that runs until it is stopped. */
function send(id: string, at = app, headers: Record<string, string> = {}): Promise<Response> {
  const body = { message: "[scenario:held]", model: MODEL };
  return at.call("POST", `${conversationPaths.chatSend(id)}?stream=1`, { token, body, headers });
}

async function expectRefused(response: Response): Promise<void> {
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(problemSchema.parse(await response.json())).toMatchObject({ code: "too-many-replies" });
}

describe("B2 three replies at once", () => {
  it("B3 exactly three of fifty concurrent sends are started, over all servers", async () => {
    await using other = isOnPostgres ? await database.startServer({ env: envOf() }) : undefined;
    const chats = await createChats(50);
    const answers = await Promise.all(
      chats.map((id, at) => {
        const server = at % 2 ? (other ?? app) : app;
        return whileBusy(server, () => send(id, server));
      }),
    );
    const begun = chats.filter((_, at) => answers[at]?.status === 200);
    expect(begun).toHaveLength(3);
    await Promise.all(begun.map(stop));
    const refused = answers.filter(({ status }) => status !== 200);
    for (const response of refused) await expectRefused(response);
    const messages = app.context.database.selectFrom("messages").select("id").where("chat_id", "in", chats);
    expect(await messages.execute()).toHaveLength(6);
  });

  it("a refused client can repeat its request with the same key when a reply has ended", async () => {
    const [first = "", ...rest] = await createChats(4);
    const waiting = rest.pop() ?? "";
    for (const id of [first, ...rest]) expect((await send(id)).status).toBe(200);
    const key = { "idempotency-key": "waits" };
    for (let count = 0; count < 3; count++) await expectRefused(await send(waiting, app, key));
    expect((await open(waiting)).messages).toEqual([]);
    await stop(first);
    const begun = await send(waiting, app, key);
    expect(begun.status).toBe(200);
    const repeated = await send(waiting, app, key);
    await stop(waiting);
    expect((await readReply(repeated)).reply).toBe((await readReply(begun)).reply);
    await Promise.all(rest.map(stop));
  });

  it("the limit of concurrent replies includes retries and continuations, but not replies of other accounts", async () => {
    provider.reply = "An answer.";
    const [answered = "", ...others] = await createChats(4);
    const message = { message: "A question", model: MODEL };
    expect((await app.call("POST", conversationPaths.chatSend(answered), { token, body: message })).status).toBe(200);
    const before = await open(answered);
    for (const id of others) expect((await send(id)).status).toBe(200);
    for (const mode of ["regenerate", "retry"]) {
      await expectRefused(await app.call("POST", conversationPaths.chatReply(answered), { token, body: { mode } }));
    }
    const interrupted = app.context.database.updateTable("messages").where("chat_id", "=", answered);
    await interrupted.where("role", "=", "assistant").set({ state: "stopped" }).execute();
    await expectRefused(
      await app.call("POST", conversationPaths.chatReply(answered), { token, body: { mode: "continue" } }),
    );
    expect((await open(answered)).messages.map(({ id }) => id)).toEqual(before.messages.map(({ id }) => id));
    const eve = await signUp(app);
    const { id } = (await (await app.call("POST", conversationPaths.chats, { token: eve.token })).json()) as Chat;
    expect((await app.call("POST", conversationPaths.chatSend(id), { token: eve.token, body: message })).status).toBe(
      200,
    );
    await Promise.all(others.map(stop));
  });
});

it("B2 K2 allows 600 refused sends a minute, and refuses one more without reading the chat", async () => {
  await using own = await createTestHarness();
  const clock = new TestClock();
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl, RATE_LIMITS: "on" };
  await using limited = await startTestApp({ harness: own, clock, env });
  const ada = await signUp(limited);
  token = ada.token;
  const running = [await createChat(limited), await createChat(limited), await createChat(limited)];
  const waiting = await createChat(limited);
  for (const id of running) expect((await send(id, limited)).status).toBe(200);
  const { limits } = limited.context;
  for (let count = 0; count < 599; count++) await limits.take("refused-send", ada.user.id);
  await expectRefused(await send(waiting, limited));
  for (const id of [waiting, newId()]) {
    const refused = await send(id, limited);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(problemSchema.parse(await refused.json())).toMatchObject({ code: "too-many-requests" });
  }
  clock.advance(MINUTE);
  for (let count = 0; count < 61; count++) await expectRefused(await send(waiting, limited));
  for (const id of running) await limited.call("POST", conversationPaths.chatStop(id), { token });
});

it("B2 lets an interrupted reply continue automatically beside three others", async () => {
  await using harness = await createTestHarness();
  const before = await startTestApp({ harness, env: envOf() });
  ({ token } = await signUp(before));
  const cut = await createChat(before);
  const reply = await send(cut, before);
  provider.release("The first words");
  for await (const event of readEvents(reply)) if (event !== "[DONE]" && event.token) break;
  await before[Symbol.asyncDispose]();
  await using after = await startTestApp({ harness, env: envOf() });
  const chats = [await createChat(after), await createChat(after), await createChat(after)];
  for (const id of chats) expect((await send(id, after)).status).toBe(200);
  const { messages } = (await (await after.call("GET", conversationPaths.chat(cut), { token })).json()) as Chat;
  const last = messages.at(-1);
  expect(last).toMatchObject({ state: "interrupted", resumes: true });
  provider.reply = " and the rest.";
  const resumed = await after.call("GET", `${conversationPaths.chatReply(cut)}?reply=${last?.id}&from=0`, { token });
  expect(await readReply(resumed)).toMatchObject({ text: "The first words and the rest.", isDone: true });
  for (const id of chats) await after.call("POST", conversationPaths.chatStop(id), { token });
});
