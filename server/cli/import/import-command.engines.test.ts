import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { strToU8, zipSync } from "fflate";
import { v5 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { converters } from "#contract/transfer/services/converters.ts";
import { FILES_NAMESPACE } from "#contract/transfer/services/survey.ts";
import { importServiceNames } from "#contract/transfer/transfer.ts";
import { followAccount } from "../../../testing/accounts/follow-account.ts";
import { PASSWORD, signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  type TestHarness,
} from "../../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../../testing/chats/exact-counters.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";
import { chatgptChat, serviceChats, withInstructions } from "../../../testing/chats/service-exports.ts";
import { admin, spawnAdmin } from "../../../testing/cli/run-admin.ts";
import { namedFiles } from "../../../testing/files/archives.ts";
import { uploadFile } from "../../../testing/files/upload.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let opened: AsyncDisposableStack;
let harness: TestHarness;
let app: TestApp;
let ada: TestAccount;
let folder: string;
beforeAll(async () => {
  opened = new AsyncDisposableStack();
  folder = await mkdtemp(join(tmpdir(), "imports-"));
  opened.defer(() => rm(folder, { recursive: true }));
  harness = opened.use(await createTestHarness());
  app = opened.use(await startTestApp({ harness }));
});
afterAll(() => opened.disposeAsync());
beforeEach(async () => {
  ada = await signUp(app);
});

let files = 0;
/** Writes a file. @returns its path, whose name says nothing about its content */
async function fileOf(content: object | string | Uint8Array): Promise<string> {
  const path = join(folder, `export-${++files}`);
  const isPlain = typeof content === "string" || content instanceof Uint8Array;
  await writeFile(path, isPlain ? content : JSON.stringify(content));
  return path;
}

const zipOf = (entries: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([name, content]) => [
        name,
        typeof content === "string" ? strToU8(content) : content,
      ]),
    ),
  );

const words = (path: string, ...more: string[]) => ["import", path, "--for", ada.user.username, ...more];
const run = (path: string, ...more: string[]) => admin(harness, words(path, ...more, "--json"));
const chatsOf = async ({ token } = ada) =>
  (await (await app.call("GET", conversationPaths.chatHistory, { token })).json()) as { id: string; title: string }[];
const readyFiles = async () =>
  (await app.context.database.selectFrom("files").select("id").where("user_id", "=", ada.user.id).execute()).length;
const auditOf = async () => {
  const rows = app.context.database.selectFrom("audit_events").selectAll().where("subject", "=", ada.user.id);
  return (await rows.execute()).map(({ kind, actor, before, after }) => [kind, actor, before, after]);
};
async function exportOf(): Promise<Response> {
  await app.call("POST", accountPaths.proof, { token: ada.token, body: { password: PASSWORD } });
  return app.call("GET", transferPaths.export, { token: ada.token });
}

describe("admin import", () => {
  it.each(Object.entries(serviceChats))(
    "imports a chat of %s, and the same file again adds nothing",
    async (service, content) => {
      const path = await fileOf(content);
      const first = await run(path);
      expect(first.json.error).toBeUndefined();
      expect([first.code, first.json]).toEqual([
        0,
        expect.objectContaining({ ok: true, service, ending: "done", imported: 1, skipped: 0, refused: 0 }),
      ]);
      const again = await run(path);
      expect([again.code, again.json]).toEqual([0, expect.objectContaining({ imported: 0, skipped: 1 })]);
      expect(await chatsOf()).toEqual([expect.objectContaining({ title: "Fjords" })]);
      expect(await auditOf()).toEqual([["chats-imported", null, null, null]]);
    },
  );

  it("prints the report in the words of the page, and the progress on stderr", async () => {
    const path = await fileOf(serviceChats.chatgpt);
    const { out, err } = await admin(harness, words(path));
    expect(out).toMatch(
      new RegExp(`^Import from ${importServiceNames.chatgpt}\nFile: export-\\d+\nThe import is finished\n`),
    );
    expect(out).toContain("Imported chats: 1\n");
    expect(out).toMatch(/Every entry of the file\nMessages: 2\nHidden or empty: 1\nTotal: 3\n$/);
    expect(err).toContain("100% imported");
  });

  it("imports an export of Parley as JSON and as zip with its files", async () => {
    const json = await fileOf(documentOf({ chats: [exported(), exported({ title: "Bays" })] }));
    expect((await run(json)).json).toMatchObject({ ok: true, service: "parley", imported: 2 });
    const eve = ada;
    const file = await uploadFile(app, { ...eve, bytes: "A note about fjords" });
    const question = message({ parts: [{ seq: 0, at: 0, kind: "file", ...file }] });
    const chat = exported({ title: "With file", messages: [question], leaf: question.id });
    await app.call("POST", transferPaths.import, { token: eve.token, body: documentOf({ chats: [chat] }) });
    const zip = await fileOf(new Uint8Array(await (await exportOf()).arrayBuffer()));
    ada = await signUp(app);
    expect((await run(zip)).json).toMatchObject({ ok: true, imported: 3, files: 1, lostFiles: [], problems: [] });
    expect((await run(zip)).json).toMatchObject({ ok: true, imported: 0, skipped: 3 });
    expect(await namedFiles(app, ada)).toEqual([file.id]);
    await expectExactCounters(app.context.database);
  });

  it("stores the files of an archive under the ids that the page derives", async () => {
    const chats = [chatgptChat("67f0-f", { file: "file-Ab12" })];
    const zip = zipOf({ "conversations.json": JSON.stringify(chats), "file-Ab12-note.txt": "A note", "x.png": "no" });
    const path = await fileOf(zip);
    expect((await run(path)).json).toMatchObject({ ok: true, imported: 1, files: 1, missingFiles: 0 });
    const [named] = await namedFiles(app, ada);
    expect(named).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    expect((await run(path)).json).toMatchObject({ ok: true, skipped: 1, problems: [] });
    expect([await namedFiles(app, ada), await readyFiles()]).toEqual([[named], 1]);
  });

  it("adds nothing to what the page has imported", async () => {
    const chat = chatgptChat("67f0-p", { file: "file-Ab12" });
    const context = { fileIdOf: (key: string) => v5(key, FILES_NAMESPACE), now: Date.now() };
    const [converted] = converters.flatMap((one) => (one.recognises(chat) ? [one.convert(chat, context)] : []));
    const id = converted?.files[0]?.id ?? "";
    await uploadFile(app, { ...ada, id, bytes: "A note" });
    await app.call("POST", transferPaths.import, {
      token: ada.token,
      body: documentOf({ chats: [converted?.chat] }),
    });
    const zip = zipOf({ "conversations.json": JSON.stringify([chat]), "file-Ab12-note.txt": "A note" });
    expect((await run(await fileOf(zip))).json).toMatchObject({ ok: true, imported: 0, skipped: 1, problems: [] });
    expect([await namedFiles(app, ada), await readyFiles()]).toEqual([[id], 1]);
    expect(await auditOf()).toEqual([]);
  });

  it("leaves a deleted chat deleted, and stores none of its files, unless --again is given", async () => {
    const chats = [chatgptChat("67f0-d", { file: "file-Ab12" })];
    const path = await fileOf(zipOf({ "conversations.json": JSON.stringify(chats), "file-Ab12-note.txt": "A note" }));
    expect((await run(await fileOf(chats))).json).toMatchObject({ imported: 1, missingFiles: 1 });
    for (const { id } of await chatsOf()) await app.call("DELETE", conversationPaths.chat(id), { token: ada.token });
    const second = await run(path);
    expect([second.code, second.json]).toEqual([0, expect.objectContaining({ imported: 0, deleted: 1, files: 0 })]);
    expect([await chatsOf(), await readyFiles()]).toEqual([[], 0]);
    expect((await run(path, "--again")).json).toMatchObject({ imported: 1, deleted: 0, files: 1 });
    expect(await chatsOf()).toHaveLength(1);
  });

  it("imports the chats that fit into the quota, and a repeat adds the others", async () => {
    await admin(harness, ["users", "quota", ada.user.username, "--mb", "1"]);
    const messages = [message({ content: "fjord ".repeat(100_000) }), message({ content: "fjord ".repeat(100_000) })];
    const large = exported({ title: "Large", messages });
    const path = await fileOf(documentOf({ chats: [exported({ title: "A" }), large, exported({ title: "B" })] }));
    const first = await run(path);
    expect([first.code, first.json]).toEqual([
      4,
      expect.objectContaining({
        ok: false,
        code: "unsound",
        imported: 2,
        problems: [{ chat: "Large", reason: "quota" }],
      }),
    ]);
    await admin(harness, ["users", "quota", ada.user.username, "--mb", "100"]);
    expect((await run(path)).json).toMatchObject({ ok: true, imported: 1, skipped: 2 });
  });

  it("removes the files of a chat that is refused", async () => {
    await admin(harness, ["users", "quota", ada.user.username, "--mb", "1"]);
    const given = { uuid: "q", name: "Large", created_at: "2024-01-01T00:00:00Z", updated_at: "2024-01-02T00:00:00Z" };
    const attachments = [{ file_name: "a.txt", extracted_content: "A note" }];
    const question = { uuid: "1", sender: "human", text: "fjord ".repeat(250_000), attachments };
    const { code, json } = await run(await fileOf([{ ...given, chat_messages: [question] }]));
    expect([code, json.imported, json.files, json.lostFiles]).toEqual([4, 0, 0, []]);
    expect(json.problems).toEqual([{ chat: "Large", reason: "quota" }]);
    expect(await readyFiles()).toBe(0);
    await expectExactCounters(app.context.database);
  });

  it("names a broken chat, and imports the others", async () => {
    const path = await fileOf(documentOf({ chats: [exported(), { id: "x", title: "Broken" }, exported()] }));
    const own = await run(path);
    expect([own.code, own.json]).toEqual([
      4,
      expect.objectContaining({ imported: 2, problems: [{ chat: "Broken", reason: "broken" }] }),
    ]);
    const foreign = await run(await fileOf([chatgptChat("1"), { mapping: 7 }, chatgptChat("2")]));
    expect([foreign.code, foreign.json]).toEqual([4, expect.objectContaining({ imported: 2, brokenChats: 1 })]);
  });

  it("puts the chats into a folder, and takes over instructions by choice only", async () => {
    const path = await fileOf([withInstructions(chatgptChat("67f0-i"), "Answer briefly.")]);
    const instructions = async () => {
      const document = (await (await exportOf()).json()) as { account: { instructions: string } };
      return document.account.instructions;
    };
    expect((await run(path)).json).toMatchObject({ imported: 1, folders: 0 });
    expect(await instructions()).toBe("");
    const other = await fileOf([withInstructions(chatgptChat("67f0-j"), "Answer briefly.")]);
    expect((await run(other, "--folder", "Moved", "--instructions")).json).toMatchObject({ imported: 1, folders: 1 });
    expect(await instructions()).toContain("Answer briefly.");
    const document = await (await exportOf()).json();
    expect(document).toMatchObject({ folders: [{ name: "Moved" }] });
  });

  it("refuses a file that is none, that is no export, and an unknown account", async () => {
    const path = await fileOf(serviceChats.chatgpt);
    const missing = await run(join(folder, "none.zip"));
    expect([missing.code, missing.json.error]).toEqual([3, expect.stringContaining("cannot be read")]);
    for (const content of ["Dear diary", "[]", zipOf({ "a.txt": "A" })]) {
      const { code, json } = await run(await fileOf(content));
      expect([code, json.error]).toEqual([3, expect.stringContaining("not a file of exported chats")]);
    }
    const nobody = await admin(harness, ["import", path, "--for", "nobody", "--json"]);
    expect([nobody.code, nobody.json.error]).toEqual([3, "There is no account “nobody”."]);
    expect((await admin(harness, ["import", path, "--json"])).code).toBe(2);
    expect(await auditOf()).toEqual([]);
  });

  it("notifies an open page of the account", async () => {
    await using page = await followAccount(app, ada.token);
    const seen = page.until((event) => "chat" in event && event.chat.title === "Fjords");
    await run(await fileOf(serviceChats.claude));
    expect((await seen).length).toBeGreaterThan(0);
  });

  it("stops between chats at SIGINT, and a repeat adds the rest", async () => {
    const chats = Array.from({ length: 600 }, (_, at) =>
      chatgptChat(`chat-${at}`, { answer: "An inlet. ".repeat(400) }),
    );
    const path = await fileOf(chats);
    const child = spawnAdmin(harness, words(path, "--json"));
    child.stderr.setEncoding("utf8").on("data", (lines: string) => {
      if (lines.includes("10% imported")) child.kill("SIGINT");
    });
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
    const report = JSON.parse(out) as Record<string, number>;
    expect([code, report]).toEqual([1, expect.objectContaining({ ok: false, ending: "stopped" })]);
    const imported = Number(report.imported);
    expect(imported).toBeGreaterThan(0);
    expect(imported).toBeLessThan(600);
    expect((await run(path)).json).toMatchObject({ imported: 600 - imported, skipped: imported });
  });
});
