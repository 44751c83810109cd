import { expect, it, vi } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp } from "../../../testing/app/start-test-app.ts";
import { readFirstWords } from "../../../testing/chats/first-words.ts";
import { startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";

/** Starts a server with a running reply whose first words were read. */
async function startWriting(graceMs: number) {
  await using opened = new AsyncDisposableStack();
  const provider = opened.use(await startScriptedProvider());
  const harness = opened.use(await createTestHarness());
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl, SHUTDOWN_GRACE_MS: String(graceMs) };
  const app = await startTestApp({ env, harness });
  const { token } = await signUp(app);
  const { id } = (await (await app.call("POST", "/chat", { token })).json()) as Chat;
  const body = { message: "[scenario:held]" };
  const response = await app.call("POST", `/chat/${id}/send?stream=1`, { token, body });
  provider.release("First words");
  const { events } = await readFirstWords(response);
  const resources = opened.move();
  const open = async (server: typeof app) =>
    (await (await server.call("GET", `/chat/${id}`, { token })).json()) as Chat;
  return {
    app,
    env,
    harness,
    provider,
    token,
    id,
    events,
    open,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

it("R4 a shutdown stores an unfinished reply to the last character and lets its readers reconnect", async () => {
  await using scene = await startWriting(0);
  const { app, provider, events } = scene;
  provider.release(", and the last ones");
  await vi.waitUntil(async () => (await scene.open(app)).messages[1]?.content === "First words, and the last ones");
  await app[Symbol.asyncDispose]();
  const left: unknown[] = [];
  const readRest = async () => {
    for await (const event of events) left.push(event);
  };
  await readRest().catch(() => undefined);
  expect(left).not.toContain("[DONE]");

  await using next = await startTestApp({ env: scene.env, harness: scene.harness });
  expect((await scene.open(next)).messages[1]).toMatchObject({
    content: "First words, and the last ones",
    state: "interrupted",
  });
});

it("R4 a shutdown lets running replies end within the grace period, and refuses new sends meanwhile", async () => {
  await using scene = await startWriting(30_000);
  const { app, provider, token, events } = scene;
  const draining = app.context.replies.drain();
  expect((await fetch(`${app.url}/readyz`)).status).toBe(503);
  const other = (await (await app.call("POST", "/chat", { token })).json()) as Chat;
  const refused = await app.call("POST", `/chat/${other.id}/send`, { token, body: { message: "Hello" } });
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  provider.finish();
  await draining;
  const left = [];
  for await (const event of events) left.push(event);
  expect(left.at(-1)).toBe("[DONE]");
  expect((await scene.open(app)).messages[1]).toMatchObject({ content: "First words", state: "complete" });
  await app[Symbol.asyncDispose]();
});

it("R4 a shutdown that interrupts a reply answers its send without streaming, and its late readers", async () => {
  await using provider = await startScriptedProvider();
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: provider.baseUrl, SHUTDOWN_GRACE_MS: "0" };
  await using app = await startTestApp({ env });
  const { token } = await signUp(app);
  const { id } = (await (await app.call("POST", "/chat", { token })).json()) as Chat;
  const whole = app.call("POST", `/chat/${id}/send`, { token, body: { message: "[scenario:held]" } });
  await provider.chat(1);
  await app.context.replies.drain();
  expect((await whole).status).toBe(503);
  expect((await app.call("GET", `/chat/${id}/reply`, { token })).status).toBe(204);
  const { messages } = (await (await app.call("GET", `/chat/${id}`, { token })).json()) as Chat;
  const late = await app.call("GET", `/chat/${id}/reply?reply=${messages[1]?.id}`, { token });
  expect(late.status).toBe(503);
  expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
});
