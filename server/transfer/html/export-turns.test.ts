import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";
import { KeyedSemaphore } from "../../concurrency/keyed-semaphore.ts";
import { RENDER_LIMITS } from "./export-html.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Imports a chat with one question. @returns the path of its HTML file */
async function importChat({ token }: TestAccount, content: string): Promise<string> {
  const question = message({ content });
  const chat = exported({ messages: [question], leaf: question.id });
  await app.call("POST", transferPaths.import, { token, body: documentOf({ chats: [chat] }) });
  const [imported] = (await (await app.call("GET", conversationPaths.chatHistory, { token })).json()) as {
    id: string;
  }[];
  return `${transferPaths.chatExport(imported?.id ?? "")}?format=html`;
}

it("K10 a flood of costly HTML exports of two accounts lets another person's take its turn", async () => {
  const [eve, bob, ada] = [await signUp(app), await signUp(app), await signUp(app)];
  const ended: string[] = [];
  const exportAs = async ({ token, user }: TestAccount, path: string) => {
    const response = await app.call("GET", path, { token });
    await response.text();
    ended.push(user.id);
    return response.status;
  };
  const costly = "*a _b ".repeat(3000);
  const [ofEve, ofBob] = [await importChat(eve, costly), await importChat(bob, costly)];
  const ofAda = await importChat(ada, "Fine");
  const flood = Array.from({ length: 8 }, () => [exportAs(eve, ofEve), exportAs(bob, ofBob)]).flat();
  expect(await exportAs(ada, ofAda)).toBe(200);
  expect(ended.indexOf(ada.user.id)).toBeLessThan(flood.length / 2);
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
  const [ofEve, ofAda] = [await importChat(eve, "*a _b ".repeat(1000)), await importChat(ada, "Fine")];
  const flood = Array.from({ length: 23 }, () => app.call("GET", ofEve, { token: eve.token }));
  expect((await app.call("GET", ofAda, { token: ada.token })).status).toBe(200);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(11);
});
