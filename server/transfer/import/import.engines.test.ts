import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { FOLDERS_MAX } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import {
  EXPORT_FORMAT,
  type ExportedMessage,
  IMPORT_CHATS_MAX,
  type ImportResult,
  importResultSchema,
} from "#contract/transfer/transfer.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { loopIterations } from "../../../testing/app/loop-iterations.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported, type LooseDocument, message } from "../../../testing/chats/exported-chats.ts";
import { allRows } from "../../../testing/database/all-rows.ts";
import { importDocument } from "./import-document.ts";

let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUp(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const post = (body: unknown, { token } = ada) => app.call("POST", transferPaths.import, { token, body });

async function importAll(given: LooseDocument, account = ada): Promise<ImportResult> {
  const response = await post(documentOf(given), account);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  return importResultSchema.parse(JSON.parse(text));
}

const get = async <T>(path: string, { token } = ada) => (await (await app.call("GET", path, { token })).json()) as T;

async function chatsOf(account: TestAccount): Promise<{ id: string; title: string }[]> {
  return get(conversationPaths.chatHistory, account);
}

describe("imports", () => {
  it("an import stores chats under new ids, with all branches, so that they can be continued", async () => {
    const eve = await signUp(app);
    const chat = exported();
    const other = message({ parent: chat.messages[0]?.id ?? "", role: "assistant", content: "A bay.", createdAt: 1 });
    chat.messages.push(other);
    expect(await importAll({ chats: [chat] }, eve)).toEqual({
      imported: 1,
      skipped: 0,
      deleted: 0,
      outcomes: ["imported"],
      folders: 0,
      presets: 0,
      problems: [],
    });
    const [listed] = await chatsOf(eve);
    expect(listed).toMatchObject({ title: "Fjords" });
    const opened = await get<Chat>(conversationPaths.chat(listed?.id ?? ""), eve);
    expect(opened.messages).toMatchObject([
      { role: "user", content: "What is a fjord?" },
      { role: "assistant", content: "An inlet.", model: "GPT:gpt-5" },
    ]);
    expect(opened.messages[1]?.alternatives).toHaveLength(2);
    expect(JSON.stringify(opened)).not.toMatch(new RegExp(`"${chat.id}"|"${other.id}"`));
    const sent = await app.call("POST", conversationPaths.chatSend(opened.id), {
      token: eve.token,
      body: { message: "And?" },
    });
    expect(sent.status).toBe(200);
  });

  it("an import skips chats that the account has or has imported, unless they were deleted since", async () => {
    const eve = await signUp(app);
    const chat = exported();
    await importAll({ chats: [chat] }, eve);
    expect(await importAll({ chats: [chat, chat] }, eve)).toMatchObject({ imported: 0, skipped: 2 });
    const [own] = await chatsOf(eve);
    expect(await importAll({ chats: [exported({ id: own?.id ?? "" })] }, eve)).toMatchObject({ skipped: 1 });
    await app.call("DELETE", conversationPaths.chat(own?.id ?? ""), { token: eve.token });
    expect(await importAll({ chats: [chat] }, eve)).toMatchObject({ imported: 1, skipped: 0 });
    expect(await chatsOf(eve)).toHaveLength(1);
    // Chats of one account do not affect the imports of another.
    expect(await importAll({ chats: [chat] })).toMatchObject({ imported: 1 });
  });

  it("an import stores a chat once if it is repeated concurrently", async () => {
    const eve = await signUp(app);
    const chat = exported();
    // Simulates two servers on one database, each of which limits an account to one import at a time.
    const harness = { ...app.context, isDraining: () => false, step: async () => undefined };
    const importHere = () => importDocument(harness, eve.user.id, documentOf({ chats: [chat] }));
    const results = await Promise.all([importHere(), importHere()]);
    expect(results.map(({ imported }) => imported).sort()).toEqual([0, 1]);
    expect(await chatsOf(eve)).toHaveLength(1);
  });

  it("an import uses folders and presets of the same names, and creates missing ones", async () => {
    const eve = await signUp(app);
    const preset = { name: "Poet", instructions: "Rhyme.", model: null, temperature: 1 };
    await app.call("POST", conversationPaths.presets, { token: eve.token, body: preset });
    await app.call("POST", conversationPaths.folders, { token: eve.token, body: { name: "Work" } });
    const given = {
      folders: [
        { id: "f1", name: "Work" },
        { id: "f2", name: "Home" },
      ],
      presets: [
        { id: "p1", ...preset, instructions: "Other." },
        { id: "p2", ...preset, name: "Critic" },
      ],
      chats: [exported({ folder: "f1", preset: "p2" }), exported({ folder: "f2", preset: "nobody's" })],
    };
    expect(await importAll(given, eve)).toMatchObject({ imported: 2, folders: 1, presets: 1 });
    expect(await importAll(given, eve)).toMatchObject({ imported: 0, folders: 0, presets: 0 });
    const presets = await get<{ name: string; instructions: string }[]>(conversationPaths.presets, eve);
    expect(presets.map(({ name, instructions }) => [name, instructions])).toEqual([
      ["Poet", "Rhyme."],
      ["Critic", "Rhyme."],
    ]);
    const rows = await app.context.database
      .selectFrom("chats")
      .leftJoin("folders", "folders.id", "chats.folder_id")
      .leftJoin("presets", "presets.id", "chats.preset_id")
      .select(["folders.name as folder", "presets.name as preset"])
      .where("chats.user_id", "=", eve.user.id)
      .orderBy("chats.id")
      .execute();
    expect(rows).toEqual([
      { folder: "Work", preset: "Critic" },
      { folder: "Home", preset: null },
    ]);
  });

  it("an import creates folders up to the limit of an account, and reports the others", async () => {
    const eve = await signUp(app);
    const folders = Array.from({ length: FOLDERS_MAX + 1 }, (_, at) => ({ id: `f${at}`, name: `Folder ${at}` }));
    const chat = exported({ folder: `f${FOLDERS_MAX}` });
    expect(await importAll({ folders, chats: [chat] }, eve)).toMatchObject({
      imported: 1,
      folders: FOLDERS_MAX,
      problems: [{ chat: `Folder ${FOLDERS_MAX}`, reason: "folder" }],
    });
  });

  it("an import sets the instructions of an account that has none", async () => {
    const eve = await signUp(app);
    await importAll({ account: { instructions: "Be brief." } }, eve);
    await importAll({ account: { instructions: "Be long." } }, eve);
    expect(await get(conversationPaths.instructions, eve)).toEqual({ instructions: "Be brief." });
  });

  it("an import makes chats searchable, and marks them as changed for other clients", async () => {
    const eve = await signUp(app);
    await importAll(
      { chats: [exported({ title: "Zebras", messages: [message({ content: "quagga" })], leaf: null })] },
      eve,
    );
    for (const word of ["zebras", "quagga"]) {
      const answer = await app.call("GET", `${conversationPaths.search}?q=${word}`, { token: eve.token });
      expect([word, await answer.text()]).toEqual([word, expect.stringContaining("Zebras")]);
    }
    const { change_seq } = await app.context.database
      .selectFrom("users")
      .select("change_seq")
      .where("id", "=", eve.user.id)
      .executeTakeFirstOrThrow();
    const { changed_seq } = await app.context.database
      .selectFrom("chats")
      .select("changed_seq")
      .where("user_id", "=", eve.user.id)
      .executeTakeFirstOrThrow();
    expect(changed_seq).toBe(change_seq);
  });

  it("an import is refused without a session", async () => {
    expect((await app.call("POST", transferPaths.import, { body: documentOf() })).status).toBe(401);
  });
});

describe("broken chats in an import", () => {
  const twins = [message({ id: "same" }), message({ id: "same" })];
  const cycle = [message({ id: "a", parent: "b" }), message({ id: "b", parent: "a" })];
  const huge = "x".repeat(1_000_001);
  const cases: [string, unknown, string][] = [
    ["duplicate ids", exported({ messages: twins, leaf: "same" }), "tree"],
    ["a cycle", exported({ messages: cycle, leaf: "a" }), "tree"],
    [
      "a message that is its own parent",
      exported({ messages: [message({ id: "a", parent: "a" })], leaf: "a" }),
      "tree",
    ],
    ["a cycle beside a tree", exported({ messages: [message({ id: "c" }), ...cycle], leaf: "c" }), "tree"],
    ["a foreign parent", exported({ messages: [message({ parent: "elsewhere" })], leaf: null }), "tree"],
    ["an unfinished question", exported({ messages: [message({ state: "stopped" })], leaf: null }), "tree"],
    ["a text beyond the limit", exported({ messages: [message({ content: huge })], leaf: null }), "too-large"],
    ["an unknown role", { ...exported(), messages: [{ ...message(), role: "system" }], leaf: null }, "broken"],
    ["an unknown state", { ...exported(), messages: [{ ...message(), state: "dreaming" }], leaf: null }, "broken"],
    ["a huge time", exported({ createdAt: 1e300 }), "broken"],
    ["a negative time", exported({ updatedAt: -1 }), "broken"],
    ["a huge count", exported({ messages: [message({ inputTokens: 2 ** 53 })], leaf: null }), "broken"],
    ["a fractional number of tokens", exported({ messages: [message({ outputTokens: 0.5 })], leaf: null }), "broken"],
    ["a string instead of a number", { ...exported(), createdAt: "1" }, "broken"],
    ["no messages at all", { ...exported(), messages: undefined }, "broken"],
    ["null", null, "broken"],
    ["a list", [], "broken"],
    ["a string", "chat", "broken"],
  ];

  it.each(cases)("an import reports a broken chat by its reason, and changes no row: %s", async (_, chat, reason) => {
    const before = await allRows(app.context.database);
    const { imported, problems } = await importAll({ chats: [chat] });
    expect([imported, problems.map((problem) => problem.reason)]).toEqual([0, [reason]]);
    expect(await allRows(app.context.database)).toEqual(before);
  });

  it("an import reports a broken chat by its title, else by its position, and stores the others", async () => {
    const eve = await signUp(app);
    const broken = exported({ messages: cycle, leaf: "a" });
    const { imported, problems } = await importAll({ chats: [broken, exported(), 7] }, eve);
    expect(imported).toBe(1);
    expect(problems).toEqual([
      { chat: "Fjords", reason: "tree" },
      { chat: "#3", reason: "broken" },
    ]);
  });
});

describe("untrusted values in an import", () => {
  it("an import replaces unpaired surrogates and NUL by U+FFFD, and accepts ids named like JavaScript properties", async () => {
    const eve = await signUp(app);
    const id = "constructor";
    const question = message({ id, content: "a\0b\ud800 \u202e" });
    const chat = exported({ id: "toString", title: "x\0\n\ud800y", messages: [question], leaf: id });
    expect(await importAll({ chats: [chat] }, eve)).toMatchObject({ imported: 1 });
    const [listed] = await chatsOf(eve);
    expect(listed?.title).toBe("x\uFFFD \uFFFDy");
    const opened = await get<Chat>(conversationPaths.chat(listed?.id ?? ""), eve);
    expect(opened.messages[0]?.content).toBe("a\uFFFDb\uFFFD \u202e");
  });

  it("an import refuses a file with a __proto__ key", async () => {
    const body = `{"format":"${EXPORT_FORMAT}","version":1,"chats":[],"__proto__":{"isAdmin":true}}`;
    const headers = { authorization: `Bearer ${ada.token}`, "content-type": "application/json" };
    const response = await fetch(`${app.url}/api${transferPaths.import}`, { method: "POST", headers, body });
    expect(response.status).toBe(400);
  });

  it("an import stores a reply in progress as interrupted, which does not resume automatically", async () => {
    const eve = await signUp(app);
    const question = message();
    const now = Date.now();
    const answer = message({
      parent: question.id,
      role: "assistant",
      content: "So far",
      state: "writing",
      createdAt: now,
      endedAt: now,
    });
    await importAll({ chats: [exported({ messages: [question, answer], leaf: answer.id })] }, eve);
    const [listed] = await chatsOf(eve);
    const { messages } = await get<Chat>(conversationPaths.chat(listed?.id ?? ""), eve);
    expect(messages[1]).toMatchObject({ state: "interrupted", content: "So far" });
    expect(messages[1]?.resumes).toBeUndefined();
  });

  it("an import replaces future times by the current time", async () => {
    const eve = await signUp(app);
    await importAll({ chats: [exported({ updatedAt: 8_000_000_000_000_000 })] }, eve);
    const [listed] = await get<{ updatedAt: number }[]>(conversationPaths.chatHistory, eve);
    expect(listed?.updatedAt).toBeLessThanOrEqual(Date.now());
  });
});

describe("invalid exports", () => {
  const cases: [string, unknown, string][] = [
    ["ChatGPT's", [{ title: "Chat", mapping: {} }], "not-an-export"],
    ["an empty object", {}, "not-an-export"],
    ["another format", { ...documentOf(), format: "other" }, "not-an-export"],
    ["a format without chats", { format: EXPORT_FORMAT, version: 1 }, "not-an-export"],
    ["a later version", { format: EXPORT_FORMAT, version: 2, chats: [] }, "newer-export"],
    ["version 0", { format: EXPORT_FORMAT, version: 0, chats: [] }, "not-an-export"],
    ["too many chats", documentOf({ chats: Array(IMPORT_CHATS_MAX + 1).fill(1) }), "too-large"],
  ];

  it.each(cases)("refuses the invalid export %s by its own error code", async (_, body, code) => {
    const response = await post(body);
    expect(problemSchema.parse(await response.json())).toMatchObject({ code });
    expect(response.status).toBe(code === "too-large" ? 413 : 400);
  });

  it("refuses an invalid export with the name of the expected format", async () => {
    expect(await (await post([])).text()).toContain("parley-export");
  });

  it("refuses an import of more than 16 MB", async () => {
    const padding = "x".repeat(1_000_000);
    const chats = Array.from({ length: 15 }, () => ({ ...exported(), padding }));
    expect(await importAll({ chats }, await signUp(app))).toMatchObject({ imported: 15 });
    const response = await post(documentOf({ chats: Array(17).fill({ padding }) })).catch(() => undefined);
    if (response) expect(response.status).toBe(413);
  });
});

it("an import that a shutdown interrupted can be repeated with the same file", async () => {
  await using ending = await startTestApp();
  const eve = await signUp(ending);
  vi.spyOn(ending.context.replies, "isDraining", "get").mockReturnValue(true);
  const chat = exported();
  const send = () =>
    ending.call("POST", transferPaths.import, { token: eve.token, body: documentOf({ chats: [chat] }) });
  expect((await send()).status).toBe(503);
  vi.restoreAllMocks();
  expect(importResultSchema.parse(await (await send()).json())).toMatchObject({ imported: 1 });
});

// The last test, because others compare all rows.
it("an import stores a chat of 10,000 messages completely, without blocking the event loop", async () => {
  const eve = await signUp(app);
  const messages: ExportedMessage[] = [];
  for (let at = 0; at < 10_000; at++) {
    const parent = messages.at(-1)?.id ?? null;
    messages.push(message({ parent, role: at % 2 ? "assistant" : "user", content: `Message ${at}` }));
  }
  const chat = exported({ messages, leaf: messages.at(-1)?.id ?? null });
  const { result, iterations } = await loopIterations(() => importAll({ chats: [chat] }, eve));
  expect(result).toMatchObject({ imported: 1, problems: [] });
  // An iteration at least for each hundred messages that are stored.
  expect(iterations).toBeGreaterThan(100);
  const [listed] = await chatsOf(eve);
  const opened = await get<Chat>(conversationPaths.chat(listed?.id ?? ""), eve);
  expect(opened.messages).toHaveLength(10_000);
  expect(opened.messages.at(-1)?.content).toBe("Message 9999");
});
