import { setImmediate } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { transferPaths } from "#contract/transfer/paths.ts";
import type { ExportedMessage } from "#contract/transfer/transfer.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";
import { importDocument } from "./import-document.ts";

it("K9 the validation of a long chat may yield to the event loop after each message", async () => {
  await using app = await startTestApp();
  const ada = await signUp(app);
  const chat = exported({
    messages: [...Array<ExportedMessage>(20_000).fill(message()), message({ createdAt: -1 })],
  });
  const step = vi.fn(async () => undefined);
  const deps = { ...app.context, isDraining: () => false, step };
  const result = await importDocument(deps, ada.user.id, documentOf({ chats: [chat] }));
  expect(result.problems).toHaveLength(1);
  expect(step).toHaveBeenCalledTimes(20_000);
});

it("K1 other queries run while a long text is tokenised", async () => {
  await using app = await startTestApp();
  const { database } = app.context;
  const ada = await signUp(app);
  const question = message({ content: "峡".repeat(1_000_000) });
  const file = documentOf({ chats: [exported({ messages: [question], leaf: question.id })] });
  let reads = 0;
  let isOver = false;
  const stored = importDocument(
    { ...app.context, isDraining: () => false, step: setImmediate },
    ada.user.id,
    file,
  ).finally(() => {
    isOver = true;
  });
  for (; !isOver; reads++) {
    await database.selectFrom("users").select("id").execute();
    await setImmediate();
  }
  expect((await stored).imported).toBe(1);
  expect(reads).toBeGreaterThan(30);
});

it("imports of an account run one at a time, and are rate-limited before their body is read", async () => {
  await using limited = await startTestApp({ env: { RATE_LIMITS: "on" } });
  const { token } = await signUp(limited);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const leaving = new AbortController();
  const sendHalf = () => {
    const body = new ReadableStream({ start: (half) => half.enqueue(new TextEncoder().encode("[")) });
    const init = { method: "POST", headers, body, duplex: "half", signal: leaving.signal } as RequestInit;
    return fetch(`${limited.url}/api${transferPaths.import}`, init).catch(() => undefined);
  };
  // Retried, because a request from below may have taken the slot.
  const held = vi.waitUntil(async () => (await sendHalf())?.status !== 429);
  const ask = (body: unknown) => limited.call("POST", transferPaths.import, { token, body });
  await expect.poll(async () => (await ask([])).status).toBe(429);
  expect((await ask([])).headers.get("retry-after")).toBe("2");
  leaving.abort();
  await held;
  await expect.poll(async () => (await ask(documentOf())).status).toBe(200);
  // Each request releases its slot, whatever its result.
  const statuses: number[] = [];
  for (let at = 0; at < 120; at++) statuses.push((await ask([])).status);
  const [first = 0, last = 0] = [statuses.indexOf(429), statuses.lastIndexOf(400)];
  expect([statuses[0], first > 20, last]).toEqual([400, true, first - 1]);
});
