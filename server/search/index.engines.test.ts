import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { SearchHit } from "#contract/conversation/search.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { searchAll } from "../../testing/chats/search-for.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import { readReply } from "../../testing/http/read-events.ts";
import { continuing } from "../../testing/provider/continuing.ts";
import { nameChat } from "../chats/name-chat.ts";
import { search } from "../database/migrations/0005-search.ts";
import { searchableFiles } from "../database/migrations/0015-searchable-files.ts";
import { removeEntries } from "./search-index-store.ts";

const model = "GPT:gpt-5-mini";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.renew());

const hits = (q: string) => searchAll(chat.app, chat.ada.token, { q });
/** Searches in sequence, because an account runs one search at a time. */
async function hitsOfEach(queries: string[]) {
  const found: SearchHit[][] = [];
  for (const query of queries) found.push(await hits(query));
  return found;
}
const find = async (q: string) => (await hits(q)).map(({ snippet }) => snippet);

it("indexes existing messages and attached files when migrations add the index", async () => {
  chat.provider.reply = () => "Größe, 東京都 and q";
  await chat.createChat();
  const upload = async (name: string, bytes: string) => (await uploadFile(chat.app, { ...chat.ada, name, bytes })).id;
  const files = [await upload("Maße.txt", "大阪城 Länge"), await upload("empty.txt", "…")];
  await chat.send({ message: "Wie groß?", model, files });
  await chat.call("PATCH", "", { title: "Wie und wo" });
  const queries = ["wie", "grosse", "東京都", "q", "new", "masse länge", "empty", "大阪城"];
  const before = await hitsOfEach(queries);
  expect(before.map(({ length }) => length)).toEqual([2, 1, 1, 1, 0, 1, 1, 1]);
  expect(before[5]).toMatchObject([{ role: "user", file: { name: "Maße.txt" } }]);
  const { database } = chat.app.context;
  await sql`drop table search_entries`.execute(database);
  if (!isOnPostgres) await sql`drop table search_tokens`.execute(database);
  await sql`drop trigger message_files_unindexed ${sql.raw(isOnPostgres ? "on message_files" : "")}`.execute(database);
  expect(await hits("wie").catch(() => "no index")).toBe("no index");
  await search.up(database);
  await searchableFiles.up(database);
  expect(await hitsOfEach(queries)).toEqual(before);
  await database.deleteFrom("files").execute();
  expect(await hits("masse")).toEqual([]);
});

it("finds a chat only by its current title, set by the model or by a person", async () => {
  await chat.call("POST", "/message", { role: "user", content: "Albatross" });
  expect(await find("albatross")).toEqual(["Albatross", "Albatross"]);
  await nameChat(chat.app.context, chat.ada.user.id, chat.chatId, "Large seabirds");
  expect([await find("albatross"), await find("seabirds")]).toEqual([["Albatross"], ["Large seabirds"]]);
  await chat.call("PATCH", "", { title: "Wandering birds" });
  expect([await find("seabirds"), await find("wandering")]).toEqual([[], ["Wandering birds"]]);
});

it("finds a broken-off reply by its stored words, and a continued reply by all its words", async () => {
  const text = "One two three four five six seven eight nine ten";
  chat.provider.reply = continuing(text);
  chat.provider.next("broken-off");
  await readReply(await chat.stream({ model }));
  const [had = ""] = await find("one");
  expect(text.startsWith(had) && had !== text).toBe(true);
  expect(await find("ten")).toEqual([]);
  await readReply(await chat.call("POST", "/reply", { mode: "continue" }));
  expect([await find("one"), await find("ten")]).toEqual([[text], [text]]);
});

it("finds nothing of a deleted chat, and the same as before after the deletion is undone", async () => {
  await chat.call("POST", "/message", { role: "user", content: "Albatross" });
  const before = await hits("albatross");
  await chat.call("DELETE", "");
  expect(await find("albatross")).toEqual([]);
  const { token } = chat.ada;
  const body = { ids: [chat.chatId], change: { isDeleted: false } };
  expect((await chat.app.call("POST", conversationPaths.chatBatch, { token, body })).status).toBe(200);
  expect(await hits("albatross")).toEqual(before);
});

it("finds an archived chat, with its folder and a mark that it is archived", async () => {
  await chat.call("POST", "/message", { role: "user", content: "Albatross" });
  const { token } = chat.ada;
  const made = await chat.app.call("POST", conversationPaths.folders, { token, body: { name: "Birds" } });
  const { id: folderId } = (await made.json()) as { id: string };
  await chat.call("PATCH", "", { folderId, isArchived: true });
  const found = await searchAll(chat.app, token, { q: "albatross", folder: folderId });
  expect(found).toMatchObject([
    { isArchived: true, folderId },
    { isArchived: true, folderId },
  ]);
  expect(await searchAll(chat.app, token, { q: "albatross", folder: "another" })).toEqual([]);
  await chat.app.call("DELETE", conversationPaths.folder(folderId), { token });
  expect((await hits("albatross"))[0]?.folderId).toBeUndefined();
  expect(await searchAll(chat.app, token, { q: "albatross", folder: folderId })).toEqual([]);
});

it("removes search entries in batches: on SQLite a few short ones, or one long one", async () => {
  const { database } = chat.app.context;
  const userId = chat.ada.user.id;
  const long = "Albatross ".repeat(1000);
  for (const content of ["one", "two", "three", long, long, "six"]) {
    await chat.call("POST", "/message", { role: "assistant", content });
  }
  const steps: number[] = [];
  const countLeft = async () =>
    (await hits("albatross")).length + (await hits("t")).length + (await hits("six")).length;
  for (let left = await countLeft(); await removeEntries(database, userId); ) {
    const after = await countLeft();
    steps.push(left - after);
    left = after;
  }
  expect(steps).toEqual(isOnPostgres ? [5] : [2, 1, 1, 1]);
});
