import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { filePaths } from "#contract/files/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat({ MAX_FILES_PER_MESSAGE: "2" });
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.renew());

const upload = (name: string, bytes: string) => uploadFile(chat.app, { ...chat.ada, name, bytes });
const append = (body: object) => chat.call("POST", "/message", { role: "user", content: "Look", ...body });

describe("appended messages with files", () => {
  it("an appended message lists its files before its other parts, and the model receives them with the next question", async () => {
    const first = await upload("fjord.txt", "A fjord is a long inlet.");
    const second = await upload("list.csv", "name,depth");
    const others = [
      { seq: 0, at: 0, kind: "file", ...second, name: "A name that it does not have" },
      { seq: 1, at: 4, kind: "later-kind", words: "kept" },
    ];
    const response = await append({ files: [second.id, first.id], parts: others });
    expect(response.status).toBe(201);
    const parts = [
      { seq: 0, at: 0, kind: "file", ...second },
      { seq: 1, at: 0, kind: "file", ...first },
      { seq: 2, at: 4, kind: "later-kind", words: "kept" },
    ];
    expect(await response.json()).toMatchObject({ content: "Look", parts });
    expect((await chat.open()).messages).toMatchObject([{ content: "Look", parts }]);
    await append({ role: "assistant", content: "I see." });
    await chat.send({ message: "How long?", model: "GPT:gpt-5-mini" });
    expect(JSON.stringify(chat.provider.chats.at(-1)?.body)).toContain("A fjord is a long inlet.");
    await expectExactCounters(chat.app.context.database);
  });

  it("an appended message with files may have no text, and its chat is named after the files", async () => {
    const { id } = await upload("fjord.txt", "A fjord");
    expect((await append({ content: "", files: [id] })).status).toBe(201);
    expect((await chat.open()).title).toBe("fjord.txt");
    for (const body of [{ content: "" }, { content: " ", files: [] }, { role: "assistant", files: [id] }]) {
      expect([body, (await append(body)).status]).toEqual([body, 400]);
    }
    expect((await append({ files: [id, id] })).status).toBe(400);
  });

  it("M1 refuses to append a message with foreign, unknown or too many files, and changes nothing", async () => {
    const foreign = await uploadFile(chat.app, await signUp(chat.app));
    const own = await upload("a.txt", "Own");
    for (const id of [foreign.id, crypto.randomUUID()]) {
      const response = await append({ files: [own.id, id] });
      expect([response.status, (await problemOf(response)).code]).toEqual([404, "file-gone"]);
    }
    const more = await Promise.all(["b", "c"].map((name) => upload(`${name}.txt`, name)));
    const response = await append({ files: [own.id, ...more.map(({ id }) => id)] });
    expect([response.status, (await problemOf(response)).code]).toEqual([409, "too-many-files"]);
    expect((await chat.open()).messages).toEqual([]);
    // It was not marked as sent.
    expect((await chat.app.call("DELETE", filePaths.file(own.id), chat.ada)).status).toBe(204);
  });
});
