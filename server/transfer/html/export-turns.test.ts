import { afterAll, beforeAll, expect, it } from "vitest";
import { paths } from "#contract/paths.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Imports a chat with one question. @returns the path of its HTML file */
async function importChat({ token }: TestAccount, content: string): Promise<string> {
  const question = message({ content });
  const chat = exported({ messages: [question], leaf: question.id });
  await app.call("POST", paths.import, { token, body: documentOf({ chats: [chat] }) });
  const [imported] = (await (await app.call("GET", paths.chatHistory, { token })).json()) as { id: string }[];
  return `${paths.chatExport(imported?.id ?? "")}?format=html`;
}

it("K10 a flood of costly HTML exports of two accounts delays another person's by at most two of each", async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => signUp(app)));
  const ended: string[] = [];
  const exportAs = async (account: TestAccount, path: string) => {
    const response = await app.call("GET", path, { token: account.token });
    await response.text();
    ended.push(account.user.id);
    return response.status;
  };
  const [eve, bob, ada] = people;
  if (!eve || !bob || !ada) throw new Error("Three people were signed up");
  const costly = "*a _b ".repeat(3000);
  const [ofEve, ofBob, ofAda] = [
    await importChat(eve, costly),
    await importChat(bob, costly),
    await importChat(ada, "Fine"),
  ];
  const flood = [0, 1, 2, 3].flatMap(() => [exportAs(eve, ofEve), exportAs(bob, ofBob)]);
  expect(await exportAs(ada, ofAda)).toBe(200);
  const before = ended.slice(0, ended.indexOf(ada.user.id));
  for (const { user } of [eve, bob]) expect(before.filter((id) => id === user.id).length).toBeLessThanOrEqual(2);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
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
