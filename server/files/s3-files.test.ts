import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { type S3Server, startS3Server } from "../../testing/files/s3-server.ts";
import { putFile, uploadFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";

// Detects hanging only: the texts of long files are read by a process.
vi.setConfig({ testTimeout: 300_000 });

const MODEL = "GPT:gpt-5-mini";
/** Longer than a part of a multipart upload. */
const LONG = "A long inlet. ".repeat(400_000);

let opened: AsyncDisposableStack;
let server: S3Server;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  server = await startS3Server(opened);
});
afterEach(() => opened.disposeAsync());

const objects = () => [...server.bucket.objects.keys()];
const textOf = async (app: TestApp, token: string, id: string) => {
  const response = await app.call("GET", filePaths.file(id), { token });
  return response.ok ? await response.text() : response.status;
};

describe("servers with a bucket", () => {
  let chat: ScriptedChat;
  beforeEach(async () => {
    chat = opened.use(await startScriptedChat(server.envFor()));
    await chat.renew();
  });
  const upload = (bytes: string) => uploadFile(chat.app, { ...chat.ada, name: "fjord.txt", bytes });

  it("a server with a bucket stores files there only, sends them to models, and returns them", async () => {
    const [short, long] = [await upload("A fjord is a long inlet."), await upload(LONG)];
    await chat.send({ message: "What is it?", model: MODEL, files: [short.id] });
    expect(JSON.stringify(chat.provider.chats.at(-1)?.body)).toContain("A fjord is a long inlet.");
    const { token } = chat.ada;
    expect([await textOf(chat.app, token, short.id), await textOf(chat.app, token, long.id)]).toEqual([
      "A fjord is a long inlet.",
      LONG,
    ]);
    const { database } = chat.app.context;
    const rows = await database.selectFrom("files").select("key").execute();
    expect(objects().sort()).toEqual(rows.map(({ key }) => `files/${key}`).sort());
    expect(await database.selectFrom("file_objects").selectAll().execute()).toEqual([]);
    await expectExactCounters(database);
  });

  it("M6 deletes the bytes in a bucket with the draft, the last message, and the account", async () => {
    const draft = await upload("A draft");
    await chat.app.call("DELETE", filePaths.file(draft.id), chat.ada);
    expect(objects()).toEqual([]);
    const sent = await upload("A sent file");
    await chat.send({ model: MODEL, files: [sent.id] });
    const { database, sweep } = chat.app.context;
    await database.deleteFrom("chats").where("id", "=", chat.chatId).execute();
    expect(objects()).toHaveLength(1);
    await sweep.run();
    expect(objects()).toEqual([]);
    await upload(LONG);
    const { token, password } = chat.ada;
    await chat.app.call("POST", accountPaths.proof, { token, body: { password } });
    await chat.app.call("POST", accountPaths.accountDeletion, { token, body: { isImmediate: true } });
    await expect.poll(objects).toEqual([]);
    expect(JSON.stringify([...server.bucket.objects, ...server.bucket.uploads])).toBe("[]");
  });

  it("removes objects without a file and parts of killed uploads after an hour, and no others", async () => {
    const { id } = await upload("A file");
    const stray = { bytes: Buffer.from("stray"), storedAt: Date.now(), etag: '"1"' };
    server.bucket.objects.set(`files/${crypto.randomUUID()}`, stray);
    server.bucket.objects.set("files/notes.txt", stray).set(`other/${crypto.randomUUID()}`, stray);
    const name = `files/${crypto.randomUUID()}`;
    server.bucket.uploads.set("1", { id: "1", name, initiatedAt: Date.now(), parts: new Map() });
    const { files } = chat.app.context;
    const signal = new AbortController().signal;
    await files.sweep(Date.now(), signal);
    expect([objects().length, server.bucket.uploads.size]).toEqual([4, 1]);
    await files.sweep(Date.now() + 2 * HOUR, signal);
    expect([objects().length, server.bucket.uploads.size]).toEqual([3, 0]);
    expect(await textOf(chat.app, chat.ada.token, id)).toBe("A file");
  });

  it("answers 503 while the bucket is away, and continues without loss", async () => {
    const { token } = chat.ada;
    const [kept, removed] = [await upload("A kept file"), await upload("A removed file")];
    await server.close();
    const download = await chat.app.call("GET", filePaths.file(kept.id), { token });
    expect([download.status, (await problemOf(download)).code]).toEqual([503, "unavailable"]);
    const id = crypto.randomUUID();
    const refused = await putFile(chat.app, { token, id, bytes: "A new file" });
    expect([refused.status, (await problemOf(refused)).code]).toEqual([503, "unavailable"]);
    expect((await chat.app.call("DELETE", filePaths.file(removed.id), { token })).status).toBe(204);
    expect(await textOf(chat.app, token, removed.id)).toBe(404);
    const log = chat.app.logLines.join("");
    expect(log).toContain("does not answer (ECONNREFUSED)");
    expect(log).not.toContain(server.keys.secretAccessKey);
    expect(log).not.toContain(server.keys.accessKeyId);
    await server.listen();
    expect(objects()).toHaveLength(2);
    await chat.app.context.sweep.run();
    expect(objects()).toHaveLength(1);
    const state = await putFile(chat.app, { token, id, bytes: "", range: "bytes */10" });
    expect(await state.json()).toMatchObject({ stored: 10, file: { size: 10 } });
    expect([await textOf(chat.app, token, kept.id), await textOf(chat.app, token, id)]).toEqual([
      "A kept file",
      "A new file",
    ]);
    await expectExactCounters(chat.app.context.database);
  });

  it("ends a download whose bytes break off in the bucket, so that the client notices", async () => {
    const { id } = await upload(LONG);
    server.faultOf = ({ method }) => (method === "GET" ? { cutAnswerAfter: 200_000 } : undefined);
    const response = await chat.app.call("GET", filePaths.file(id), chat.ada);
    await expect(response.text()).rejects.toThrow();
  });
});

describe("starts with a bucket", () => {
  let harness: TestHarness;
  beforeEach(async () => {
    harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
  });

  /** Starts a server, and returns its log. With a note, uploads a file. */
  async function start(env: Record<string, string>, note?: string): Promise<string> {
    await using app = await startTestApp({ harness, env });
    if (note !== undefined) await uploadFile(app, { ...(await signUp(app)), bytes: note });
    return app.logLines.join("");
  }

  it.each([
    ["keys that are refused", { FILES_SECRET_ACCESS_KEY: "another-secret" }, "refuses FILES_ACCESS_KEY_ID"],
    ["a bucket that does not exist", { bucket: "other" }, "has no such bucket"],
    ["another region", { region: "eu-test-2" }, "expects another region"],
  ])(
    "a start with %s is refused by a sentence",
    async (_name, { bucket, region, ...changed }: Record<string, string>, sentence) => {
      const env = { ...server.envFor(), ...changed };
      const FILES_URL = env.FILES_URL?.replace("attached", bucket ?? "attached").replace(
        "eu-test-1",
        region ?? "eu-test-1",
      );
      await expect(start({ ...env, FILES_URL: FILES_URL ?? "" })).rejects.toThrow(
        expect.objectContaining({ problems: [expect.stringContaining(sentence)] }),
      );
    },
  );

  it("a start is refused if the attached files are in another prefix, in no bucket, or in the folder or database", async () => {
    await start(server.envFor("one"), "A note");
    await expect(start(server.envFor("two"))).rejects.toThrow("The attached files are not in s3://attached/two/");
    await expect(start({})).rejects.toThrow("The attached files are not in the");
    expect(await start(server.envFor("one"))).not.toContain("no bytes");
    const other = opened.use(await createTestHarness(undefined, { isMigrated: true }));
    harness = other;
    await start({}, "A note");
    await expect(start(server.envFor())).rejects.toThrow("npm run admin -- files move");
    await start({});
  });

  it("a start with a bucket that does not answer causes a warning", async () => {
    const env = server.envFor();
    await start(env, "A note");
    await server.close();
    expect(await start(env)).toContain("attached files are not available, and are not checked");
  });

  it("a start with some files without bytes causes an error in the log", async () => {
    const env = server.envFor();
    await start(env, "A note");
    await start(env, "Another note");
    const [first = ""] = objects();
    server.bucket.objects.delete(first);
    expect(await start(env)).toContain("attached files have no bytes");
  });
});
