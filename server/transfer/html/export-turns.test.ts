import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import { defaultShareOptions } from "#contract/shares/shares.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { waitFor } from "../../../testing/app/wait-for.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";
import { KeyedSemaphore } from "../../concurrency/keyed-semaphore.ts";
import { LimitedProcess } from "../../concurrency/limited-process.ts";
import { RENDER_LIMITS } from "./export-html.ts";
import type { RenderAnswer, RenderRequest } from "./render-process.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => app[Symbol.asyncDispose]());

/** Imports a chat with one question. @returns its id */
async function importChat({ token }: TestAccount, content: string): Promise<string> {
  const question = message({ content });
  const chat = exported({ messages: [question], leaf: question.id });
  await app.call("POST", transferPaths.import, { token, body: documentOf({ chats: [chat] }) });
  const [imported] = (await (await app.call("GET", conversationPaths.chatHistory, { token })).json()) as {
    id: string;
  }[];
  return imported?.id ?? "";
}

const htmlOf = (chatId: string) => `${transferPaths.chatExport(chatId)}?format=html`;

/** A render process that answers when the test lets it. Which export takes a slot then depends on no time. */
function holdRendering() {
  const held: { text: string; end: () => void }[] = [];
  const ask = vi.spyOn(LimitedProcess.prototype, "ask").mockImplementation(async (send) => {
    let text = "";
    const request = Promise.withResolvers<void>();
    await send(async (message) => {
      text = (message as RenderRequest).markdown;
    });
    held.push({ text, end: request.resolve });
    await request.promise;
    return { answer: { sections: [`<p>${text}</p>`] } satisfies RenderAnswer };
  });
  const acquire = vi.spyOn(KeyedSemaphore.prototype, "acquire");
  return {
    held,
    /** Waits until an account has asked for `count` slots. Only exports ask with the signal of their request. */
    hasAsked: ({ user }: TestAccount, count: number) =>
      waitFor(
        `${count} exports to ask for a slot`,
        () => acquire.mock.calls.filter(([{ account }, signal]) => account === user.id && signal).length === count,
      ),
    /** Ends the renders, also those that begin later. */
    endAll: () => {
      ask.mockImplementation(async () => ({ answer: { sections: ["<p></p>"] } satisfies RenderAnswer }));
      for (const { end } of held) end();
    },
  };
}

it("K10 a flood of HTML exports of two accounts begins at most two of each before another person's", async () => {
  const [eve, bob, ada] = [await signUp(app), await signUp(app), await signUp(app)];
  const [ofEve, ofBob, ofAda] = [
    htmlOf(await importChat(eve, "of Eve")),
    htmlOf(await importChat(bob, "of Bob")),
    htmlOf(await importChat(ada, "of Ada")),
  ];
  const { held, hasAsked, endAll } = holdRendering();
  const exportAs = async ({ token }: TestAccount, path: string) => (await app.call("GET", path, { token })).status;
  const flood = Array.from({ length: 8 }, () => [exportAs(eve, ofEve), exportAs(bob, ofBob)]).flat();
  await Promise.all([hasAsked(eve, 8), hasAsked(bob, 8)]);
  const another = exportAs(ada, ofAda);
  await hasAsked(ada, 1);
  for (let ended = 0; ended < flood.length; ended += 1) {
    await waitFor("both slots to be taken", () => held.length === ended + RENDER_LIMITS.atOnce);
    if (held.some(({ text }) => text === "of Ada")) break;
    held[ended]?.end();
  }
  const begun = held.map(({ text }) => text);
  expect(begun).toContain("of Ada");
  for (const name of ["of Eve", "of Bob"]) expect(begun.filter((text) => text === name).length).toBeLessThanOrEqual(2);
  endAll();
  expect(await another).toBe(200);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
});

it("K10 at most two exports of each account of a flood begin before another person's", async () => {
  const slots = new KeyedSemaphore(RENDER_LIMITS);
  const begun: string[] = [];
  const exportAs = (account: string) =>
    slots.run({ network: "198.51.100.1", account }, async () => {
      begun.push(account);
      await setImmediate();
    });
  const flood = Array.from({ length: 8 }, () => ["eve", "bob"].map(exportAs)).flat();
  await Promise.all([exportAs("ada"), ...flood]);
  const before = begun.slice(0, begun.indexOf("ada"));
  for (const name of ["eve", "bob"]) expect(before.filter((each) => each === name).length).toBeLessThanOrEqual(2);
});

it("K10 refuses the oldest waiting exports of an account that asks for too many, and no one else's", async () => {
  const [eve, ada] = [await signUp(app), await signUp(app)];
  const [ofEve, ofAda] = [htmlOf(await importChat(eve, "of Eve")), htmlOf(await importChat(ada, "of Ada"))];
  const { held, hasAsked, endAll } = holdRendering();
  const flood = Array.from({ length: 23 }, () => app.call("GET", ofEve, { token: eve.token }));
  await hasAsked(eve, 23);
  const another = app.call("GET", ofAda, { token: ada.token });
  await waitFor("the other person's export to begin", () => held.some(({ text }) => text === "of Ada"));
  expect(held).toHaveLength(2);
  endAll();
  expect((await another).status).toBe(200);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(11);
  expect(statuses.filter((status) => status === 429)).toHaveLength(12);
});

it("K10 a draft of a link waits among the exports of its account", async () => {
  const eve = await signUp(app);
  const chatId = await importChat(eve, "of Eve");
  const { hasAsked, endAll } = holdRendering();
  const exports = Array.from({ length: 11 }, () => app.call("GET", htmlOf(chatId), { token: eve.token }));
  await hasAsked(eve, 11);
  const draft = app.call("POST", sharePaths.drafts(chatId), { token: eve.token, body: defaultShareOptions });
  await hasAsked(eve, 12);
  endAll();
  await draft;
  const statuses = (await Promise.all(exports)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});
