import { sql } from "kysely";
import { expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import type { ShareAudience } from "#contract/shares/shares.ts";
import { moveToGroup, newGroup } from "../../testing/accounts/groups.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../testing/app/dispose-after-all.ts";
import { createTestHarness, startTestApp } from "../../testing/app/start-test-app.ts";
import { message } from "../../testing/chats/exported-chats.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import {
  draftOf,
  importChat,
  openShared,
  readShared,
  shareChat,
  sharesOf,
  tokenOf,
} from "../../testing/shares/share-chat.ts";

const app = disposeAfterAll(await startTestApp({ env: { RATE_LIMITS: "off" } }));
const owner = await signUpAs(app, "owner");

it("H6 a link shows the snapshot of the selected branch, and no later message, edit or title", async () => {
  const ada = await signUp(app);
  const chat = await importChat(app, ada, { title: "Fjords" });
  const share = await shareChat(app, ada, chat);
  expect(tokenOf(share)).toMatch(/^[\w-]{22}$/);
  const page = await readShared(app, share);
  expect(page.page).toMatchObject({
    title: "Fjords",
    messages: [
      { role: "user", body: [["p", {}, "What is a fjord?"]] },
      { role: "assistant", model: "gpt-5", body: [["p", {}, "An inlet."]] },
    ],
  });
  expect(page.page).not.toHaveProperty("author");
  const body = { role: "user", content: "And a later one" };
  await app.call("POST", conversationPaths.chatMessage(chat), { token: ada.token, body });
  await app.call("PATCH", conversationPaths.chat(chat), { token: ada.token, body: { title: "Renamed" } });
  expect(await readShared(app, share)).toEqual(page);
  const replaced = await shareChat(app, ada, chat, { replaces: share.id });
  expect(replaced).toMatchObject({ id: share.id, url: share.url });
  expect((await readShared(app, share)).page).toMatchObject({ title: "Renamed", messages: { length: 3 } });
});

it("reasoning, tools, files, instructions and the author are in a snapshot only if its owner has chosen them", async () => {
  const ada = await signUp(app, { firstname: "Ada", lastname: "Lovelace" });
  const question = message({ content: "Ask" });
  const tool = { server: "shop", name: "order", call: "c1", step: 0, state: "succeeded", digest: "d" };
  const parts = [
    { seq: 0, at: 0, kind: "reasoning", text: "Secret thought" },
    { seq: 1, at: 0, kind: "tool", ...tool, arguments: '{"secret":"argument"}', result: "secret result" },
  ];
  const answer = message({ role: "assistant", parent: question.id, content: "Told", model: "GPT:gpt-5", parts });
  const given = { messages: [question, answer], leaf: answer.id, instructions: "Secret instructions" };
  const chat = await importChat(app, ada, given);
  const plain = JSON.stringify(await readShared(app, await shareChat(app, ada, chat)));
  expect(plain).toContain("Told");
  expect(plain).not.toMatch(/secret|order|Lovelace/i);
  const options = { reasoning: true, tools: true, author: true };
  const full = JSON.stringify(await readShared(app, await shareChat(app, ada, chat, { options })));
  for (const words of ["Secret thought", "secret result", "argument", "Ada Lovelace"]) expect(full).toContain(words);
  expect(full).not.toContain("instructions");
});

it("a call of a tool is shown with its name, its server and its state, in words of the reader", async () => {
  const ada = await signUp(app);
  const question = message({ content: "Ask" });
  const call = (seq: number, change: object) => {
    const facts = { server: "s1", name: "order", call: `c${seq}`, step: 0, state: "succeeded", digest: "d" };
    return { seq, at: 0, kind: "tool", ...facts, arguments: "{}", ...change };
  };
  const from = { name: "Shop", host: "shop.internal" };
  const parts = [
    call(0, { server: "web", name: "search_web", state: "failed" }),
    call(1, { title: "Order tea", from }),
    call(2, { title: " ", state: "declined", from }),
  ];
  const answer = message({ role: "assistant", parent: question.id, content: "", parts });
  const chat = await importChat(app, ada, { messages: [question, answer], leaf: answer.id });
  const { page } = await readShared(app, await shareChat(app, ada, chat, { options: { tools: true } }));
  const phrase = (key: string, values = {}) => ["phrase", { key, ...values }];
  const shop = ["bdi", {}, "Shop"];
  expect(page.messages[1]?.body.map((node) => node[2])).toEqual([
    ["summary", {}, phrase("web/search_web"), " · ", phrase("tool-failed")],
    ["summary", {}, phrase("tool", { name: "Order tea" }), " · ", shop],
    ["summary", {}, phrase("tool", { name: "order" }), " · ", shop, " · ", phrase("tool-declined")],
  ]);
  expect(JSON.stringify(page)).not.toContain("shop.internal");
});

it("H6 absent, revoked and expired links, and those for others, answer with the same bytes", async () => {
  const [ada, bob] = [await signUp(app), await signUp(app)];
  const group = await newGroup(app, owner);
  await moveToGroup(app, group.id, ada);
  const chat = await importChat(app, ada);
  const absent = await (await openShared(app, "A".repeat(22))).text();
  const expectAbsent = async (token: string, bearer?: string) => {
    const response = await openShared(app, token, bearer);
    expect([response.status, await response.text()]).toEqual([404, absent]);
  };
  const share = await shareChat(app, ada, chat, { audience: "signed-in" });
  const token = tokenOf(share);
  const { database } = app.context;
  const change = (columns: { audience?: ShareAudience; group_id?: string; expires_at?: number | null }) =>
    database.updateTable("shares").set(columns).where("id", "=", share.id).execute();
  await expectAbsent(token);
  expect((await openShared(app, token, bob.token)).status).toBe(200);
  await change({ audience: "group", group_id: group.id });
  await expectAbsent(token);
  await expectAbsent(token, bob.token);
  await moveToGroup(app, group.id, bob);
  expect((await openShared(app, token, bob.token)).status).toBe(200);
  await moveToGroup(app, null, bob);
  await expectAbsent(token, bob.token);
  await change({ audience: "anyone", expires_at: app.context.clock.now() - HOUR });
  await expectAbsent(token);
  await expectAbsent(token, ada.token);
  await change({ expires_at: null });
  expect((await openShared(app, token)).status).toBe(200);
  expect((await app.call("DELETE", sharePaths.share(share.id), { token: ada.token })).status).toBe(204);
  await expectAbsent(token);
  await expectAbsent(token, ada.token);
  const draft = await draftOf(app, ada, chat);
  await expectAbsent(draft.id);
});

it("H5 the deletion of a chat ends its links, and Undo revives those that were not revoked", async () => {
  const ada = await signUp(app);
  const chat = await importChat(app, ada);
  const [share, revoked] = [await shareChat(app, ada, chat), await shareChat(app, ada, chat)];
  const change = (isDeleted: boolean) =>
    app.call("POST", conversationPaths.chatBatch, { token: ada.token, body: { ids: [chat], change: { isDeleted } } });
  await change(true);
  expect((await openShared(app, tokenOf(share))).status).toBe(404);
  expect((await sharesOf(app, ada)).shares).toEqual([]);
  expect((await app.call("DELETE", sharePaths.shares, { token: ada.token })).status).toBe(200);
  await change(false);
  expect((await openShared(app, tokenOf(revoked))).status).toBe(404);
});

it.runIf(isOnPostgres)("an update of a link whose draft is removed meanwhile leaves the link as it was", async () => {
  const ada = await signUp(app);
  const chat = await importChat(app, ada);
  const share = await shareChat(app, ada, chat);
  const draft = await draftOf(app, ada, chat);
  const { database } = app.context;
  const { updating } = await database.transaction().execute(async (db) => {
    await db.deleteFrom("shares").where("id", "=", draft.id).execute();
    const body = { audience: "anyone", days: null, replaces: share.id };
    const updating = app.call("POST", sharePaths.publication(draft.id), { token: ada.token, body });
    const waiting = sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(database)).rows[0]?.count).toBe(1);
    return { updating };
  });
  expect((await updating).status).toBe(404);
  expect((await openShared(app, tokenOf(share))).status).toBe(200);
});

it("a chat with links has a mark in the list, visits of others are counted, and all links are revoked at once", async () => {
  const ada = await signUp(app);
  const chat = await importChat(app, ada);
  const marked = async () => {
    const response = await app.call("GET", conversationPaths.chatHistory, { token: ada.token });
    return ((await response.json()) as { isShared?: boolean }[]).map(({ isShared }) => isShared === true);
  };
  expect(await marked()).toEqual([false]);
  const share = await shareChat(app, ada, chat);
  expect(await marked()).toEqual([true]);
  await openShared(app, tokenOf(share));
  await openShared(app, tokenOf(share));
  await openShared(app, tokenOf(share), ada.token);
  await expect.poll(async () => (await sharesOf(app, ada)).shares[0]?.visits).toBe(2);
  const revoked = await app.call("DELETE", sharePaths.shares, { token: ada.token });
  expect(await revoked.json()).toEqual({ revoked: 1 });
  expect(await marked()).toEqual([false]);
});

it("visits of the last second are counted when the server stops", async () => {
  await using harness = await createTestHarness();
  const env = { RATE_LIMITS: "off" };
  const ada = await (async () => {
    await using first = await startTestApp({ harness, env });
    const account = await signUp(first);
    const share = await shareChat(first, account, await importChat(first, account));
    await first.call("GET", sharePaths.sharedPage(tokenOf(share)));
    return account;
  })();
  await using second = await startTestApp({ harness, env });
  expect((await sharesOf(second, ada)).shares[0]?.visits).toBe(1);
});

it("a chat without messages and one that is too large cannot be shared, and pages count in the storage", async () => {
  const ada = await signUp(app);
  const body = { reasoning: false, tools: false, files: false, author: false };
  const draft = (id: string) => app.call("POST", sharePaths.drafts(id), { token: ada.token, body });
  const empty = (await (await app.call("POST", conversationPaths.chats, { token: ada.token })).json()) as {
    id: string;
  };
  expect((await problemOf(await draft(empty.id))).code).toBe("nothing-to-share");
  const stored = async () =>
    (
      await app.context.database
        .selectFrom("users")
        .select("stored_bytes")
        .where("id", "=", ada.user.id)
        .executeTakeFirst()
    )?.stored_bytes ?? 0;
  const chat = await importChat(app, ada);
  const before = await stored();
  const share = await shareChat(app, ada, chat);
  const withOne = await stored();
  expect(withOne).toBeGreaterThan(before);
  await shareChat(app, ada, chat, { replaces: share.id });
  expect(await stored()).toBe(withOne);
  await app.call("DELETE", sharePaths.share(share.id), { token: ada.token });
  expect(await stored()).toBe(before);
  const question = message({ content: "x".repeat(900_000) });
  const messages = [question];
  for (let at = 0; at < 3; at++) {
    messages.push(message({ content: "y".repeat(900_000), parent: messages.at(-1)?.id ?? null }));
  }
  const large = await importChat(app, ada, { messages, leaf: messages.at(-1)?.id ?? null });
  expect((await problemOf(await draft(large))).code).toBe("share-too-large");
});
