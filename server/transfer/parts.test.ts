import { afterAll, beforeAll, expect, it } from "vitest";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { type ExportDocument, exportSchema } from "#contract/transfer/transfer.ts";
import { signUpProved, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { documentOf, exported, message } from "../../testing/chats/exported-chats.ts";
import { ReplyView } from "../../testing/chats/reply-view.ts";
import { readEvents } from "../../testing/http/read-events.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const CONTENT = "An inlet.";

/** Imports a chat with an answer that has these parts. @returns its messages as stored, its id and its account */
async function importParts(parts: unknown, account?: TestAccount, content = CONTENT) {
  const ada = account ?? (await signUpProved(app));
  const question = message();
  const answer = { ...message({ parent: question.id, role: "assistant", content }), parts };
  const chats = [{ ...exported({ leaf: answer.id }), messages: [question, answer] }];
  const response = await app.call("POST", transferPaths.import, { token: ada.token, body: documentOf({ chats }) });
  expect(await response.json()).toMatchObject({ imported: 1 });
  const [listed] = (await (
    await app.call("GET", conversationPaths.chatHistory, { token: ada.token })
  ).json()) as Chat[];
  const chatId = listed?.id ?? "";
  const chat = (await (await app.call("GET", conversationPaths.chat(chatId), { token: ada.token })).json()) as Chat;
  return { ada, chatId, answer: chat.messages[1] as Message };
}

async function exportOf({ token }: TestAccount): Promise<ExportDocument> {
  return exportSchema.parse(await (await app.call("GET", transferPaths.export, { token })).json());
}

const parts = [
  { seq: 0, at: 0, kind: "notice", code: "cut", params: { messages: 12 } },
  { seq: 1, at: 0, kind: "reasoning", text: 'Hm 😀 "quoted"', durationMs: 1200 },
  { seq: 2, at: 3, kind: "hologram", nested: { a: [1, null, "x"] }, text: "of a later version", label: "\u0000" },
  { seq: 3, at: 9, kind: "reasoning", text: "cut off" },
  {
    seq: 4,
    at: 9,
    kind: "file",
    id: "0197c7a0-1b2c-7d3e-8f4a-5b6c7d8e9f00",
    name: "a.pdf",
    type: "application/pdf",
    size: 3,
  },
];

it("parts survive an import and an export unchanged, those of unknown kinds too", async () => {
  const first = await importParts(parts);
  expect(first.answer.parts).toEqual(parts);
  const document = await exportOf(first.ada);
  const [chat] = document.chats;
  expect(chat?.messages[1]?.parts).toEqual(parts);
  const second = await signUpProved(app);
  await app.call("POST", transferPaths.import, { token: second.token, body: document });
  expect((await exportOf(second)).chats[0]?.messages[1]?.parts).toEqual(parts);
  await expectExactCounters(app.context.database);
});

it("K3 an imported reply without text has no parts, which would not count against the quota", async () => {
  const [, reasoning] = parts;
  const { ada, chatId } = await importParts([{ ...reasoning, seq: 0 }], undefined, "");
  const rows = app.context.database.selectFrom("message_parts").innerJoin("messages", "messages.id", "message_id");
  expect(await rows.select("seq").where("user_id", "=", ada.user.id).execute()).toEqual([]);
  expect(chatId).not.toBe("");
});

it("a reader of an imported reply receives its parts", async () => {
  const { ada, chatId, answer } = await importParts(parts);
  const response = await app.call("GET", `/chat/${chatId}/reply?reply=${answer.id}&run=1`, { token: ada.token });
  const view = new ReplyView();
  for await (const event of readEvents(response)) if (event !== "[DONE]") view.take(event);
  expect(view).toMatchObject({ text: CONTENT, parts, rev: answer.rev });
});

it.each([
  ["no list", "nonsense", []],
  ["a number", [7, parts[1]], [{ ...parts[1], seq: 0 }]],
  ["no position", [{ kind: "x" }, parts[0]], [parts[0]]],
  ["a position behind the text", [{ ...parts[2], at: 10 }], []],
  ["an invalid known kind", [{ seq: 0, at: 0, kind: "reasoning", text: 3 }, parts[1]], [{ ...parts[1], seq: 0 }]],
  ["a kind of a million characters", [{ seq: 0, at: 0, kind: "x".repeat(1_000_000) }], []],
  ["a kind with U+0000", [{ seq: 0, at: 0, kind: "\u0000" }], []],
  ["too large a body", [{ seq: 0, at: 0, kind: "x", field: "x".repeat(100_000) }, parts[0]], [parts[0]]],
  ["equal numbers", [parts[0], { ...parts[4], seq: 0 }], [parts[0], { ...parts[4], seq: 1 }]],
  [
    "another order",
    [parts[3], parts[1]].map((part) => ({ ...part })),
    [
      { ...parts[1], seq: 0 },
      { ...parts[3], seq: 1 },
    ],
  ],
  [
    "reasoning beyond its limit",
    ["a", "b", "c"].map((letter, seq) => ({ seq, at: 0, kind: "reasoning", text: letter.repeat(400_000) })),
    ["a", "b"].map((letter, seq) => ({ seq, at: 0, kind: "reasoning", text: letter.repeat(400_000) })),
  ],
  [
    "more than a thousand",
    Array.from({ length: 1500 }, (_, seq) => ({ seq, at: 0, kind: "x" })),
    Array.from({ length: 1000 }, (_, seq) => ({ seq, at: 0, kind: "x" })),
  ],
])("an import drops invalid parts with nothing else lost: %s", async (_what, given, expected) => {
  const { answer } = await importParts(given);
  expect(answer.content).toBe(CONTENT);
  expect(answer.parts ?? []).toEqual(expected);
  await expectExactCounters(app.context.database);
});

it("imported parts count against the quota", async () => {
  const bytes = async ({ ada }: { ada: TestAccount }) => {
    const users = app.context.database.selectFrom("users").select("stored_bytes").where("id", "=", ada.user.id);
    return (await users.executeTakeFirstOrThrow()).stored_bytes;
  };
  const without = await bytes(await importParts([]));
  const reasoning = { seq: 0, at: 0, kind: "reasoning", text: "x".repeat(50_000) };
  expect(await bytes(await importParts([reasoning]))).toBeGreaterThan(without + 50_000);
});
