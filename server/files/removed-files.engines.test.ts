import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { DAY, HOUR } from "#contract/limits.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { docxOf, runOf } from "../../testing/files/documents.ts";
import { tracesOf } from "../../testing/files/traces-of.ts";
import { putFile, uploadFile } from "../../testing/files/upload.ts";

const MODEL = "GPT:gpt-5-mini";
let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.renew());

let files = 0;

/** Files whose names, bytes and readable texts have markers, which are compressed in none of them. */
function markedFiles() {
  const n = ++files;
  // Without their first letters, because the index of the search may store a common prefix once.
  const markers = [`markname${n}q`, `markbytes${n}q`, `markwords${n}q`];
  const [name, bytes, words] = markers.map((marker) => `x${marker}`);
  const types = `<Types><Override PartName="/x" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
  const document = docxOf(`<w:p>${runOf(`${words}`)}</w:p>`, { "[Content_Types].xml": types, [`${bytes}.xml`]: "" });
  return { markers, name: `${name}.docx`, bytes: document };
}

/** Returns where any of the markers is found. */
async function allTraces(markers: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const marker of markers) found.push(...(await tracesOf(chat.app, marker)));
  return found;
}

const isMarked = async (markers: readonly string[]) => {
  for (const marker of markers) expect([marker, (await tracesOf(chat.app, marker)).length > 0]).toEqual([marker, true]);
};
const sweep = () => chat.app.context.sweep.run();
const remove = (id: string) => chat.app.call("DELETE", filePaths.file(id), chat.ada);

describe("M6 traces of removed files in the data folder and the tables", () => {
  it("M6 a file leaves no trace after the chat of its message was removed", async () => {
    const { markers, ...file } = markedFiles();
    const { id } = await uploadFile(chat.app, { ...chat.ada, ...file });
    // Without an answer, which could quote it.
    const body = { role: "user", content: "Noted", files: [id] };
    expect((await chat.call("POST", "/message", body)).status).toBe(201);
    await isMarked(markers);
    await chat.call("DELETE", "");
    const deleted = chat.app.context.database.updateTable("chats").where("id", "=", chat.chatId);
    await deleted.set({ deleted_at: Date.now() - 2 * HOUR }).execute();
    await sweep();
    expect(await allTraces(markers)).toEqual([]);
    await expectExactCounters(chat.app.context.database);
  });

  it("M6 a file leaves no trace after its account was removed, sent or not", async () => {
    const [sent, unsent] = [markedFiles(), markedFiles()];
    const { id } = await uploadFile(chat.app, { ...chat.ada, name: sent.name, bytes: sent.bytes });
    await chat.send({ model: MODEL, files: [id] });
    await uploadFile(chat.app, { ...chat.ada, name: unsent.name, bytes: unsent.bytes });
    const { token, password, user } = chat.ada;
    await chat.app.call("POST", accountPaths.proof, { token, body: { password } });
    await chat.app.call("POST", accountPaths.accountDeletion, { token, body: { isImmediate: true } });
    const { database } = chat.app.context;
    await expect.poll(() => database.selectFrom("users").select("id").where("id", "=", user.id).execute()).toEqual([]);
    await sweep();
    expect(await allTraces([...sent.markers, ...unsent.markers])).toEqual([]);
  });

  it("M6 a file leaves no trace after its removal from a draft, whole, half uploaded or refused", async () => {
    const [whole, half, refused] = [markedFiles(), markedFiles(), markedFiles()];
    const { id } = await uploadFile(chat.app, { ...chat.ada, name: whole.name, bytes: whole.bytes });
    const halfId = crypto.randomUUID();
    const range = `bytes 0-${half.bytes.length - 1}/${half.bytes.length + 1}`;
    await putFile(chat.app, { ...chat.ada, id: halfId, name: half.name, bytes: half.bytes, range });
    await isMarked([...whole.markers, ...half.markers.slice(0, 2)]);
    const program = Buffer.concat([Buffer.from("4d5a900003000000", "hex"), refused.bytes]);
    expect((await putFile(chat.app, { ...chat.ada, name: refused.name, bytes: program })).status).toBe(415);
    for (const one of [id, halfId]) expect((await remove(one)).status).toBe(204);
    await sweep();
    expect(await allTraces([...whole.markers, ...half.markers, ...refused.markers])).toEqual([]);
    await expectExactCounters(chat.app.context.database);
  });

  it("M6 a file leaves no trace after it was not sent for a day", async () => {
    const { markers, ...file } = markedFiles();
    const { id } = await uploadFile(chat.app, { ...chat.ada, ...file });
    const old = chat.app.context.database.updateTable("files").where("id", "=", id);
    await old.set({ created_at: Date.now() - 2 * DAY }).execute();
    await sweep();
    expect(await allTraces(markers)).toEqual([]);
  });

  it("M6 a file leaves no trace after the chat of its last message was removed, but not before", async () => {
    const { markers, ...file } = markedFiles();
    const { id } = await uploadFile(chat.app, { ...chat.ada, ...file });
    await chat.send({ model: MODEL, files: [id] });
    const other = await chat.createChat();
    const body = { message: "Again", model: MODEL, files: [id] };
    await (await chat.app.call("POST", conversationPaths.chatSend(other), { token: chat.ada.token, body })).text();
    const { database } = chat.app.context;
    await database.deleteFrom("chats").where("id", "=", chat.chatId).execute();
    await sweep();
    await isMarked(markers.slice(0, 2));
    await database.deleteFrom("chats").where("id", "=", other).execute();
    await sweep();
    expect(await allTraces(markers)).toEqual([]);
  });
});
