import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { AttachedFile } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { DAY } from "#contract/limits.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import type { ImportResult } from "#contract/transfer/transfer.ts";
import { signUp, signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../../testing/chats/exact-counters.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";
import { filesIn, namedFiles, unpack } from "../../../testing/files/archives.ts";
import { putFile, uploadFile } from "../../../testing/files/upload.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";

const clock = new TestClock();
let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp({ clock, env: { MAX_ACCOUNT_MB: "1" } });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await signUpProved(app);
});

const FILE = { name: "a.txt", type: "text/plain", size: 6 };
const partOf = (file: Partial<AttachedFile>, seq = 0) => ({ seq, at: 0, kind: "file", id: "", ...FILE, ...file });

/** A chat of an export whose question has no text and names these files. */
function chatWith(...files: Partial<AttachedFile>[]) {
  const question = { ...message({ content: "" }), parts: files.map(partOf) };
  return { ...exported({ leaf: question.id, title: "Files" }), messages: [question] };
}

const call = (method: string, path: string, account = ada) => app.call(method, path, { token: account.token });

async function take(chats: readonly unknown[], { token } = ada): Promise<ImportResult> {
  const response = await app.call("POST", transferPaths.import, { token, body: documentOf({ chats }) });
  return (await response.json()) as ImportResult;
}

const upload = (given: { id?: string; name?: string; bytes?: string } = {}, { token } = ada) =>
  uploadFile(app, { token, ...given });

async function partsOf(account = ada): Promise<unknown[]> {
  const [listed] = (await (await call("GET", conversationPaths.chatHistory, account)).json()) as { id: string }[];
  const chat = (await (await call("GET", conversationPaths.chat(listed?.id ?? ""), account)).json()) as {
    messages: { parts?: unknown[] }[];
  };
  return chat.messages.flatMap(({ parts = [] }) => parts);
}

const missing = [{ chat: "Files", reason: "files" }];

describe("imports of chats with files", () => {
  it("an imported chat names files of the account, with the facts that the server has read", async () => {
    const file = await upload({ name: "note.md", bytes: "# Note" });
    const lie = { id: file.id, name: "x.png", type: "image/png", size: 1, width: 99_999 };
    expect(await take([chatWith(lie)])).toMatchObject({ imported: 1, problems: [] });
    expect(await partsOf()).toEqual([{ seq: 0, at: 0, kind: "file", ...file }]);
    expect(await namedFiles(app, ada)).toEqual([file.id]);
    // It is sent.
    expect((await problemOf(await call("DELETE", filePaths.file(file.id)))).code).toBe("file-sent");
    await expectExactCounters(app.context.database);
  });

  it("M1 an imported chat names no file that is foreign, unknown or incomplete, and gives no access to it", async () => {
    const eve = await signUp(app);
    const foreign = await upload({ bytes: "Secret" }, eve);
    const incomplete = crypto.randomUUID();
    await putFile(app, { token: ada.token, id: incomplete, bytes: "a", range: "bytes 0-0/2" });
    const files = [foreign.id, incomplete, crypto.randomUUID()].map((id) => ({ id }));
    for (const file of files) {
      expect(await take([chatWith(file)])).toMatchObject({ imported: 1, problems: missing });
    }
    expect(await namedFiles(app, ada)).toEqual([]);
    expect(await partsOf()).toMatchObject([{ ...FILE }]);
    for (const path of [filePaths.file(foreign.id), filePaths.fileText(foreign.id)]) {
      expect((await call("GET", path)).status).toBe(404);
    }
    expect((await call("GET", transferPaths.export)).headers.get("content-type")).toContain("application/json");
    expect(await (await call("GET", filePaths.file(foreign.id), eve)).text()).toBe("Secret");
    expect(await namedFiles(app, eve)).toEqual([]);
    await expectExactCounters(app.context.database);
  });

  it("M1 an imported chat names the own file under an id that another account has too", async () => {
    const eve = await signUp(app);
    const foreign = await upload({ bytes: "Secret" }, eve);
    await upload({ id: foreign.id, bytes: "Own" });
    await take([chatWith(foreign)]);
    expect(await (await call("GET", filePaths.file(foreign.id))).text()).toBe("Own");
    expect([await namedFiles(app, ada), await namedFiles(app, eve)]).toEqual([[foreign.id], []]);
  });

  it("M5 an import makes names of files harmless, whether their files are here or not", async () => {
    const { id } = await upload({ name: "own.txt" });
    const name = "../../etc/\u202egpj.exe\u0007\r\n";
    await take([
      chatWith({ id, name }, { id: crypto.randomUUID(), name }, { id: crypto.randomUUID(), name: "é".repeat(500) }),
    ]);
    expect(await partsOf()).toMatchObject([{ name: "own.txt" }, { name: "gpj.exe" }, { name: "é".repeat(127) }]);
  });

  it("an import drops files beyond the largest number of a message", async () => {
    const ids = Array.from({ length: 120 }, () => ({ id: crypto.randomUUID() }));
    await take([chatWith(...ids)]);
    expect(await partsOf()).toHaveLength(100);
  });

  it("an import drops a question that has neither text nor files", async () => {
    const blank = message({ content: " " });
    await take([{ ...exported(), messages: [blank, message({ parent: blank.id, content: "Next" })] }]);
    const [listed] = (await (await call("GET", conversationPaths.chatHistory)).json()) as { id: string }[];
    expect(await (await call("GET", conversationPaths.chat(listed?.id ?? ""))).json()).toMatchObject({
      messages: [{ content: "Next" }],
    });
  });
});

describe("repeated imports", () => {
  it("a repeated import names the files that have arrived since, each once", async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const chat = chatWith({ id: first }, { id: second }, { id: first });
    expect(await take([chat])).toMatchObject({ imported: 1, problems: missing });
    await upload({ id: first, bytes: "First" });
    expect(await take([chat])).toMatchObject({ skipped: 1, problems: missing });
    expect(await namedFiles(app, ada)).toEqual([first, first]);
    await upload({ id: second, bytes: "Second" });
    expect(await take([chat, chat])).toMatchObject({ skipped: 2, problems: [] });
    expect(await namedFiles(app, ada)).toEqual([first, first, second].sort());
    await expectExactCounters(app.context.database);
  });

  it("an import into the account of the export changes nothing, and restores a deleted chat with its files", async () => {
    const { id } = await upload({ bytes: "Own" });
    await take([chatWith({ id })]);
    const { document } = await unpack(await call("GET", transferPaths.export));
    expect(filesIn(document)).toMatchObject([{ id }]);
    expect(await take(document.chats)).toMatchObject({ imported: 0, skipped: 1, problems: [] });
    const again = await putFile(app, { token: ada.token, id, bytes: "Own" });
    expect(await again.json()).toMatchObject({ file: { id } });
    expect(await namedFiles(app, ada)).toEqual([id]);
    await call("DELETE", conversationPaths.chat(document.chats[0]?.id ?? ""));
    expect(await take(document.chats)).toMatchObject({ imported: 1, problems: [] });
    await sweep(DAY);
    expect(await (await call("GET", filePaths.file(id))).text()).toBe("Own");
    await expectExactCounters(app.context.database);
  });

  it("a repeated import reaches chats of its account only", async () => {
    const eve = await signUp(app);
    const id = crypto.randomUUID();
    const chat = chatWith({ id });
    await take([chat]);
    await upload({ id, bytes: "Eve's" }, eve);
    await take([chat], eve);
    expect([await namedFiles(app, ada), await namedFiles(app, eve)]).toEqual([[], [id]]);
  });
});

async function sweep(ms: number): Promise<void> {
  clock.advance(ms);
  await app.context.sweep.run();
}

it("M6 files of imported chats are removed with the last of them, and unnamed ones after a day", async () => {
  const marker = `marker-${crypto.randomUUID()}`;
  const named = await upload({ bytes: marker });
  const unnamed = await upload({ bytes: marker });
  await take([chatWith(named), chatWith(named)]);
  const chats = (await (await call("GET", conversationPaths.chatHistory)).json()) as { id: string }[];
  await call("DELETE", conversationPaths.chat(chats[0]?.id ?? ""));
  await sweep(DAY + 1);
  expect((await call("GET", filePaths.file(named.id))).status).toBe(200);
  expect((await call("GET", filePaths.file(unnamed.id))).status).toBe(404);
  await call("DELETE", conversationPaths.chat(chats[1]?.id ?? ""));
  await sweep(DAY + 1);
  expect((await call("GET", filePaths.file(named.id))).status).toBe(404);
  const rows = app.context.database.selectFrom("files").select("key").where("user_id", "=", ada.user.id);
  expect(await rows.execute()).toEqual([]);
  await expectExactCounters(app.context.database);
});

it("K3 an import refuses a file that does not fit into the quota, and stores its chat without the file", async () => {
  const id = crypto.randomUUID();
  const response = await putFile(app, { token: ada.token, id, bytes: "x".repeat(1_000_001) });
  expect((await problemOf(response)).code).toBe("quota-reached");
  expect(await take([chatWith({ id })])).toMatchObject({ imported: 1, problems: missing });
  await expectExactCounters(app.context.database);
});
