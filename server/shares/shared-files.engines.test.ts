import { expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import { message } from "../../testing/chats/exported-chats.ts";
import { taggedPictures } from "../../testing/files/pictures.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import { importChat, readShared, shareChat, tokenOf } from "../../testing/shares/share-chat.ts";

const app = disposeAfterAll(await startTestApp({ env: { RATE_LIMITS: "off" } }));

/** Imports a chat whose question names a file. */
async function chatWithFile(
  account: TestAccount,
  name = "notes.txt",
  bytes: Uint8Array | string = "Words of the file",
) {
  const id = crypto.randomUUID();
  const file = await uploadFile(app, { token: account.token, id, name, bytes });
  const parts = [{ seq: 0, at: 0, kind: "file", ...file }];
  const question = message({ content: "Read this", parts });
  const answer = message({ role: "assistant", parent: question.id, content: "Read.", model: "GPT:gpt-5" });
  return { id, chat: await importChat(app, account, { messages: [question, answer], leaf: answer.id }) };
}

const readFile = (token: string, position: number | string, bearer?: string) =>
  app.call("GET", sharePaths.sharedFile(token, position), bearer === undefined ? {} : { token: bearer });

it("H6 files of a snapshot are served by their number in it, as attachments, and no id opens them", async () => {
  const ada = await signUp(app);
  const { id, chat } = await chatWithFile(ada);
  const share = await shareChat(app, ada, chat);
  const { page } = await readShared(app, share);
  expect(page.messages[0]?.files).toEqual([{ position: 0, name: "notes.txt", kind: "text", size: 17 }]);
  expect(JSON.stringify(page)).not.toContain(id);
  const response = await readFile(tokenOf(share), 0);
  expect([response.status, await response.text()]).toEqual([200, "Words of the file"]);
  expect(response.headers.get("content-disposition")).toContain("attachment");
  expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
  expect(response.headers.get("cache-control")).toBe("no-store");
  for (const position of [1, -1, id, "0x0", "1e0"]) {
    expect((await readFile(tokenOf(share), position)).status).toBe(404);
  }
  expect((await app.call("GET", filePaths.file(id))).status).toBe(401);
});

it("H6 every way to a file of a link ends with the link: ranges, HEAD, conditional requests", async () => {
  const ada = await signUp(app);
  const { chat } = await chatWithFile(ada);
  const share = await shareChat(app, ada, chat);
  const paths = [sharePaths.sharedPage(tokenOf(share)), sharePaths.sharedFile(tokenOf(share), 0)];
  const ways: [string, Record<string, string>][] = [
    ["GET", {}],
    ["HEAD", {}],
    ["GET", { range: "bytes=0-3" }],
    ["GET", { "if-none-match": "*" }],
    ["GET", { "if-modified-since": new Date(0).toUTCString() }],
  ];
  const statuses = async () => {
    const all: number[] = [];
    for (const path of paths) {
      for (const [method, headers] of ways) {
        const response = await app.call(method, path, { headers });
        await response.arrayBuffer();
        all.push(response.status);
      }
    }
    return new Set(all);
  };
  expect(await statuses()).toEqual(new Set([200]));
  await app.call("DELETE", sharePaths.share(share.id), { token: ada.token });
  expect(await statuses()).toEqual(new Set([404]));
});

it("a page that was read before an update of its link does not get files of the new snapshot", async () => {
  const ada = await signUp(app);
  const { chat } = await chatWithFile(ada);
  const share = await shareChat(app, ada, chat);
  const { page } = await readShared(app, share);
  const read = async (snapshot: number) =>
    (await app.call("GET", sharePaths.sharedFile(tokenOf(share), 0, snapshot))).status;
  expect(await read(page.createdAt)).toBe(200);
  await shareChat(app, ada, chat, { replaces: share.id });
  const updated = await readShared(app, share);
  expect([await read(page.createdAt), await read(updated.page.createdAt)]).toEqual([404, 200]);
});

it("a link without files names none, and one whose chat was deleted has its files again after Undo", async () => {
  const ada = await signUp(app);
  const { chat } = await chatWithFile(ada);
  const without = await shareChat(app, ada, chat, { options: { files: false } });
  expect((await readShared(app, without)).page.messages[0]).not.toHaveProperty("files");
  expect((await readFile(tokenOf(without), 0)).status).toBe(404);
  const share = await shareChat(app, ada, chat);
  const change = (isDeleted: boolean) =>
    app.call("POST", conversationPaths.chatBatch, { token: ada.token, body: { ids: [chat], change: { isDeleted } } });
  await change(true);
  expect((await readFile(tokenOf(share), 0)).status).toBe(404);
  await change(false);
  expect((await readFile(tokenOf(share), 0)).status).toBe(200);
});

it("a file stays as long as a link names it, and is removed with the last link", async () => {
  const ada = await signUp(app);
  const { id, chat } = await chatWithFile(ada);
  const share = await shareChat(app, ada, chat);
  const { database } = app.context;
  await database.deleteFrom("messages").where("chat_id", "=", chat).execute();
  expect((await readFile(tokenOf(share), 0)).status).toBe(200);
  await app.call("DELETE", sharePaths.share(share.id), { token: ada.token });
  expect(await database.selectFrom("files").selectAll().where("id", "=", id).execute()).toEqual([]);
});

it("Continue copies the snapshot with its files into the reader's account once, without what it does not contain", async () => {
  const [ada, bob] = [await signUp(app), await signUp(app)];
  const [picture] = taggedPictures();
  if (!picture) throw new Error("There is no picture");
  const { id, chat } = await chatWithFile(ada, picture.name, picture.tagged);
  const share = await shareChat(app, ada, chat, { audience: "signed-in" });
  const copy = (token?: string) =>
    app.call("POST", sharePaths.sharedCopy(tokenOf(share)), token === undefined ? {} : { token });
  expect((await copy()).status).toBe(401);
  const response = await copy(bob.token);
  expect(response.status).toBe(200);
  const made = (await response.json()) as { id: string };
  expect(await (await copy(bob.token)).json()).toEqual(made);
  const branch = await (await app.call("GET", conversationPaths.chat(made.id), { token: bob.token })).text();
  expect(branch).toContain("Read.");
  expect(branch).not.toContain(id);
  const [file] = await app.context.database
    .selectFrom("files")
    .selectAll()
    .where("user_id", "=", bob.user.id)
    .execute();
  expect(file).toMatchObject({ is_sent: 1, type: expect.stringContaining("image/") });
  const bytes = await app.call("GET", filePaths.file(file?.id ?? ""), { token: bob.token });
  expect(bytes.status).toBe(200);
  await app.call("DELETE", sharePaths.share(share.id), { token: ada.token });
  expect((await copy(bob.token)).status).toBe(404);
});

it("the copy of a chat has the addresses of its sources without credentials, as the page has them", async () => {
  const [ada, bob] = [await signUp(app), await signUp(app)];
  const source = { source: "1", url: "https://svc:hunter2@wiki.example/x", title: "Wi\u202eki\n", checked: "found" };
  const question = message();
  const answer = message({
    ...{ role: "assistant", parent: question.id, content: "See [1]." },
    parts: [{ seq: 0, at: 3, kind: "source", ...source }],
  });
  const share = await shareChat(
    app,
    ada,
    await importChat(app, ada, { messages: [question, answer], leaf: answer.id }),
  );
  expect(JSON.stringify(await readShared(app, share))).toContain("https://wiki.example/x");
  const copied = await app.call("POST", sharePaths.sharedCopy(tokenOf(share)), { token: bob.token });
  const { id } = (await copied.json()) as { id: string };
  const branch = await (await app.call("GET", conversationPaths.chat(id), { token: bob.token })).text();
  expect(branch).toContain('"url":"https://wiki.example/x","title":"Wiki"');
  expect(branch).not.toContain("hunter2");
});
