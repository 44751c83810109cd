import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { Message } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { putFile, uploadFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { readReply } from "../../testing/http/read-events.ts";

const MODEL = "GPT:gpt-5-mini";
let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({ MAX_FILES_PER_MESSAGE: "3" });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.renew());

const upload = (name: string, bytes: string) => uploadFile(chat.app, { ...chat.ada, name, bytes });
const stored = async () => (await chat.open()).messages;
const fileParts = ({ parts = [] }: Message) => parts.filter(({ kind }) => kind === "file");
const asked = () => JSON.stringify(chat.provider.chats.at(-1)?.body);

describe("messages with files", () => {
  it("a message lists its files in their order, and the model receives their text", async () => {
    const first = await upload("fjord.txt", "A fjord is a long inlet.");
    const second = await upload("list.csv", "name,depth\nSogne,1308");
    const files = [second.id, first.id];
    const { user_message: question } = await chat.send({ message: "What is deepest?", model: MODEL, files });
    const parts = [
      { seq: 0, at: 0, kind: "file", ...second },
      { seq: 1, at: 0, kind: "file", ...first },
    ];
    expect(question.parts).toEqual(parts);
    expect((await stored())[0]?.parts).toEqual(parts);
    for (const words of ["fjord.txt", "A fjord is a long inlet.", "list.csv", "Sogne,1308", "What is deepest?"]) {
      expect(asked()).toContain(words);
    }
    await expectExactCounters(chat.app.context.database);
  });

  it("a message with files may have no text, and a blank one without files is refused", async () => {
    const { id } = await upload("fjord.txt", "A fjord is a long inlet.");
    const response = await chat.post("", { message: "", model: MODEL, files: [id] });
    expect(response.status).toBe(200);
    expect((await stored()).map(({ content }) => content === "")).toEqual([true, false]);
    expect((await chat.post("", { message: " ", files: [] })).status).toBe(400);
  });

  it("a message with files is stored once for its key, and the key with other files is refused", async () => {
    const { id } = await upload("fjord.txt", "A fjord is a long inlet.");
    const other = await upload("other.txt", "Other");
    const key = crypto.randomUUID();
    const sent = await chat.send({ model: MODEL, files: [id], key });
    expect(await chat.send({ model: MODEL, files: [id], key })).toEqual(sent);
    expect((await chat.post("", { model: MODEL, files: [other.id], key })).status).toBe(409);
    expect((await chat.post("", { model: MODEL, key })).status).toBe(409);
    expect(await stored()).toHaveLength(2);
  });

  it("M1 refuses a message with a foreign, unknown, incomplete or removed file, and changes nothing", async () => {
    const eve = await signUp(chat.app);
    const foreign = await uploadFile(chat.app, eve);
    const incomplete = crypto.randomUUID();
    await putFile(chat.app, { ...chat.ada, id: incomplete, bytes: "a", range: "bytes 0-0/2" });
    const removed = await upload("a.txt", "Removed");
    await chat.app.call("DELETE", filePaths.file(removed.id), chat.ada);
    const own = await upload("b.txt", "Own");
    for (const id of [foreign.id, crypto.randomUUID(), incomplete, removed.id]) {
      const response = await chat.post("", { model: MODEL, files: [own.id, id] });
      expect([response.status, (await problemOf(response)).code]).toEqual([404, "file-gone"]);
    }
    expect(await stored()).toEqual([]);
    expect(chat.provider.chats).toEqual([]);
    // It was not marked as sent.
    expect((await chat.app.call("DELETE", filePaths.file(own.id), chat.ada)).status).toBe(204);
  });

  it("refuses a message with too many files, or with the same file twice", async () => {
    const ids: string[] = [];
    for (const name of ["a", "b", "c", "d"]) ids.push((await upload(`${name}.txt`, name)).id);
    const response = await chat.post("", { model: MODEL, files: ids });
    expect((await problemOf(response)).code).toBe("too-many-files");
    expect((await chat.post("", { model: MODEL, files: [ids[0] ?? "", ids[0] ?? ""] })).status).toBe(400);
  });

  it("a message keeps its files when it is edited and answered again", async () => {
    const { id } = await upload("fjord.txt", "A fjord is a long inlet.");
    await chat.send({ message: "First", model: MODEL, files: [id] });
    const { parent } = (await stored())[0] ?? {};
    await chat.send({ message: "Edited", model: MODEL, files: [id], parent: parent ?? null, branch: true });
    expect((await stored()).map(fileParts)).toMatchObject([[{ id }], []]);
    await readReply(await chat.call("POST", "/reply", { mode: "regenerate", model: MODEL }));
    expect(asked()).toContain("A fjord is a long inlet.");
    await chat.send({ message: "Further", model: MODEL });
    expect(asked()).toContain("A fjord is a long inlet.");
  });
});

describe("M6 removal of attached files", () => {
  it("an attached file cannot be removed alone, and is removed with its chat once that cannot be restored", async () => {
    const { id } = await upload("canary.txt", "A canary file.");
    await chat.send({ model: MODEL, files: [id] });
    const { token } = chat.ada;
    const removal = await chat.app.call("DELETE", filePaths.file(id), { token });
    expect([removal.status, (await problemOf(removal)).code]).toEqual([409, "file-sent"]);
    await chat.call("DELETE", "");
    const { database, sweep } = chat.app.context;
    await sweep.run();
    expect((await chat.app.call("GET", filePaths.file(id), { token })).status).toBe(200);
    const deleted = database.updateTable("chats").where("id", "=", chat.chatId);
    await deleted.set({ deleted_at: Date.now() - 2 * HOUR }).execute();
    await sweep.run();
    expect((await chat.app.call("GET", filePaths.file(id), { token })).status).toBe(404);
    for (const table of ["files", "file_texts", "message_files", "file_removals"] as const) {
      const rows = JSON.stringify(await database.selectFrom(table).selectAll().execute());
      expect([table, rows.includes(id) || rows.includes("canary")]).toEqual([table, false]);
    }
    await expectExactCounters(database);
  });

  it("a file of two messages stays until the last of them is removed", async () => {
    const { id } = await upload("fjord.txt", "A fjord is a long inlet.");
    await chat.send({ model: MODEL, files: [id] });
    const { token } = chat.ada;
    const other = await chat.createChat();
    const body = { message: "Again", model: MODEL, files: [id] };
    await (await chat.app.call("POST", `${conversationPaths.chatSend(other)}`, { token, body })).text();
    const { database } = chat.app.context;
    await database.deleteFrom("chats").where("id", "=", chat.chatId).execute();
    expect((await chat.app.call("GET", filePaths.file(id), { token })).status).toBe(200);
    await database.deleteFrom("chats").where("id", "=", other).execute();
    expect((await chat.app.call("GET", filePaths.file(id), { token })).status).toBe(404);
  });

  it("an attached file is removed with its account", async () => {
    await upload("fjord.txt", "A fjord is a long inlet.");
    const { token, user, password } = chat.ada;
    await chat.app.call("POST", accountPaths.proof, { token, body: { password } });
    await chat.app.call("POST", accountPaths.accountDeletion, { token, body: { isImmediate: true } });
    const { database } = chat.app.context;
    const rows = () => database.selectFrom("files").selectAll().where("user_id", "=", user.id).execute();
    await expect.poll(rows).toEqual([]);
    expect(await database.selectFrom("file_removals").selectAll().execute()).toEqual([]);
  });
});
