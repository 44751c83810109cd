import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { Upload } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { MEGABYTE } from "#contract/limits.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { admin } from "../../testing/cli/run-admin.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { avifPicture, bmpOf, icoOf, tiffOf } from "../../testing/files/foreign-pictures.ts";
import { putFile, uploadFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { newId } from "../database/new-id.ts";
import { openStores } from "./stores/open-stores.ts";
import { verifyFiles } from "./verify-files.ts";

let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp({ env: { MAX_FILE_MB: "1", MAX_ACCOUNT_MB: "3" } });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await signUp(app);
});

const get = (id: string, { token } = ada) => app.call("GET", filePaths.file(id), { token });
const progress = async (id: string, { token } = ada) => {
  const { status, headers } = await app.call("HEAD", filePaths.file(id), { token });
  return [status, headers.get("upload-offset"), headers.get("upload-length")];
};
const refusalOf = async (response: Response | Promise<Response>) => {
  const answer = await response;
  return [answer.status, (await problemOf(answer)).code];
};

describe("uploads", () => {
  it("a whole file is uploaded, and downloaded with the same bytes as a harmless attachment", async () => {
    const id = crypto.randomUUID();
    const response = await putFile(app, { ...ada, id, name: "Fjörds <b>.md", bytes: "# Fjörds" });
    const file = { id, name: "Fjörds <b>.md", type: "text/markdown", size: 9 };
    expect([response.status, await response.json()]).toEqual([200, { stored: 9, file }]);
    const download = await get(id);
    expect(await download.text()).toBe("# Fjörds");
    expect(Object.fromEntries(download.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": "9",
      "content-disposition": expect.stringMatching(/^attachment; .*filename\*=UTF-8''Fj%C3%B6rds%20%3Cb%3E\.md$/),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    });
    const text = await app.call("GET", filePaths.fileText(id), ada);
    expect(await text.json()).toEqual({ text: "# Fjörds" });
    await expectExactCounters(app.context.database);
  });

  it("an upload continues where it was, and is repeated without harm", async () => {
    const id = crypto.randomUUID();
    const send = async (bytes: string, range: string) =>
      (await (await putFile(app, { ...ada, id, bytes, range })).json()) as Upload;
    expect(await progress(id)).toEqual([404, null, null]);
    expect(await send("One ", "bytes 0-3/11")).toEqual({ stored: 4 });
    expect(await progress(id)).toEqual([200, "4", "11"]);
    expect(await send("", "bytes */11")).toEqual({ stored: 4 });
    expect(await refusalOf(putFile(app, { ...ada, id, bytes: "two", range: "bytes 5-7/11" }))).toEqual([
      409,
      "upload-moved",
    ]);
    expect(await refusalOf(get(id))).toEqual([404, "not-found"]);
    expect(await send("two ", "bytes 4-7/11")).toEqual({ stored: 8 });
    const last = await send("six", "bytes 8-10/11");
    expect(last).toMatchObject({ stored: 11, file: { id, size: 11 } });
    expect(await send("six", "bytes 8-10/11")).toEqual(last);
    expect(await send("", "bytes */11")).toEqual(last);
    expect(await progress(id)).toEqual([200, "11", "11"]);
    expect(await (await get(id)).text()).toBe("One two six");
  });

  it("a file whose upload several requests finish at once is stored once", async () => {
    const id = crypto.randomUUID();
    await putFile(app, { ...ada, id, bytes: "One ", range: "bytes 0-3/4" });
    const other = crypto.randomUUID();
    await putFile(app, { ...ada, id: other, bytes: "Two", range: "bytes 0-2/7" });
    const last = () => putFile(app, { ...ada, id: other, bytes: " two", range: "bytes 3-6/7" });
    const asking = () => putFile(app, { ...ada, id: other, bytes: "", range: "bytes */7" });
    const answers = await Promise.all([last(), last(), asking(), asking(), asking()]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(await (await asking()).json()).toMatchObject({ stored: 7, file: { id: other, size: 7 } });
    await expectExactCounters(app.context.database);
  });

  it("an upload whose connection breaks keeps the bytes that have arrived", async () => {
    const id = crypto.randomUUID();
    const type = { "content-type": "application/octet-stream" };
    const headers = { authorization: `Bearer ${ada.token}`, "content-length": "10", ...type };
    const call = request(app.url + API_BASE + filePaths.file(id), { method: "PUT", headers });
    call.on("error", () => {});
    call.write("Half ");
    // Bytes that the server has not read when the connection breaks are lost. On PostgreSQL they are in memory first.
    await vi.waitFor(async () =>
      expect(await progress(id)).toEqual([200, isOnPostgres ? expect.anything() : "5", "10"]),
    );
    call.destroy();
    await vi.waitFor(async () => expect((await progress(id))[1]).toBe("5"));
    const rest = await putFile(app, { ...ada, id, bytes: "whole", range: "bytes 5-9/10" });
    expect(await rest.json()).toMatchObject({ stored: 10, file: { size: 10 } });
    expect(await (await get(id)).text()).toBe("Half whole");
  });

  it("refuses an empty or too large upload, or one beyond the quota, before its first byte", async () => {
    expect(await refusalOf(putFile(app, { ...ada, bytes: "" }))).toEqual([400, "file-empty"]);
    const large = { bytes: "a", range: `bytes 0-0/${MEGABYTE + 1}` };
    expect(await refusalOf(putFile(app, { ...ada, ...large }))).toEqual([413, "file-too-large"]);
    const half = { bytes: "a", range: `bytes 0-0/${MEGABYTE}` };
    const ids = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    for (const id of ids) expect((await putFile(app, { ...ada, id, ...half })).status).toBe(200);
    expect(await refusalOf(putFile(app, { ...ada, bytes: "a" }))).toEqual([409, "quota-reached"]);
    await expectExactCounters(app.context.database);
    await app.call("DELETE", filePaths.file(ids[0] ?? ""), ada);
    expect((await putFile(app, { ...ada, bytes: "a" })).status).toBe(200);
    await expectExactCounters(app.context.database);
  });

  it.each([
    ["a program", Buffer.from("7f454c4602010100", "hex")],
    ["an archive", Buffer.from("504b0304140000000000000000000000000000000000", "hex")],
    ["binary content under the name of a text", Buffer.from([65, 0, 66, 1])],
  ])("refuses an upload of %s, which then counts no more", async (_, bytes) => {
    const id = crypto.randomUUID();
    expect(await refusalOf(putFile(app, { ...ada, id, bytes, name: "notes.txt" }))).toEqual([415, "file-type"]);
    expect(await progress(id)).toEqual([404, null, null]);
    await expectExactCounters(app.context.database);
  });

  it.each([
    ["TIFF", tiffOf(4, 3)],
    ["AVIF", avifPicture],
    ["BMP", bmpOf(4, 3)],
    ["ICO", icoOf(4, 3)],
  ])("refuses a picture that the server does not accept, and names the kinds that it does: %s", async (_, bytes) => {
    const response = await putFile(app, { ...ada, bytes, name: "picture.png" });
    expect(response.status).toBe(415);
    const { code, detail } = await problemOf(response);
    expect(code).toBe("file-type");
    for (const kind of ["JPEG", "PNG", "WebP", "GIF", "PDF", "Word", "OpenDocument", "text"])
      expect(detail).toContain(kind);
  });

  it("refuses an upload of a damaged picture", async () => {
    const header = "89504e470d0a1a0a0000000d494844520000000100000001080600000";
    const bytes = Buffer.from(`${header}01f15c48900000100494441540000`, "hex");
    expect(await refusalOf(putFile(app, { ...ada, bytes, name: "a.png" }))).toEqual([400, "file-broken"]);
  });

  it.each([
    ["bytes 0-5/3", 400],
    ["bytes 0-1/6", 400],
    ["bytes x-1/6", 400],
    ["lines 0-5/6", 400],
  ])("answers an upload with the range %s with %i", async (range, status) => {
    expect(await refusalOf(putFile(app, { ...ada, bytes: "A note", range }))).toEqual([status, "invalid-input"]);
  });

  it("an upload needs a UUID and a name that can be decoded", async () => {
    expect((await putFile(app, { ...ada, id: "..%2F..%2Fsecret-key" })).status).toBe(400);
    const headers = { "x-file-name": "%E0%A4%A" };
    const body = Buffer.from("A note");
    const response = await app.call("PUT", filePaths.file(crypto.randomUUID()), { ...ada, headers, body });
    expect(await refusalOf(response)).toEqual([400, "invalid-input"]);
  });

  it("refuses a file of a client that begins too many uploads without sending them", async () => {
    for (let count = 0; count < 100; count++) await putFile(app, { ...ada, bytes: "a", range: "bytes 0-0/2" });
    expect(await refusalOf(putFile(app, { ...ada }))).toEqual([409, "too-many-files"]);
  });
});

it("M1 a file of another account is not found, and its id behaves like a fresh one", async () => {
  const eve = await signUp(app);
  const { id } = await uploadFile(app, { ...ada, bytes: "Ada's note" });
  expect(await refusalOf(get(id, eve))).toEqual([404, "not-found"]);
  expect(await progress(id, eve)).toEqual([404, null, null]);
  expect(await refusalOf(app.call("GET", filePaths.fileText(id), eve))).toEqual([404, "not-found"]);
  expect(await refusalOf(app.call("DELETE", filePaths.file(id), eve))).toEqual([404, "not-found"]);
  await uploadFile(app, { ...eve, id, bytes: "Eve's note" });
  await app.call("DELETE", filePaths.file(id), eve);
  expect(await (await get(id)).text()).toBe("Ada's note");
});

it("attachments that are switched off are absent from the configuration and refused", async () => {
  await using off = await startTestApp({ env: { MAX_FILE_MB: "0" } });
  const { token } = await signUp(off);
  expect(await (await off.call("GET", accountPaths.authConfig)).json()).not.toHaveProperty("files");
  expect(await refusalOf(putFile(off, { token }))).toEqual([403, "files-off"]);
  const config = await (await app.call("GET", accountPaths.authConfig)).json();
  expect(config).toMatchObject({ files: { maxBytes: MEGABYTE, maxPerMessage: 10 } });
});

/** Names of the files with bytes of attachments in a data folder. */
async function storedObjects({ dataDir }: TestApp): Promise<string[]> {
  const names = await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true }).catch(() => []);
  return names.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe("bytes of uploads", () => {
  it("an upload survives a restart, after which it continues", async () => {
    await using harness = await createTestHarness();
    const id = crypto.randomUUID();
    let token = "";
    {
      await using first = await startTestApp({ harness });
      ({ token } = await signUp(first));
      await putFile(first, { token, id, bytes: "One ", range: "bytes 0-3/7" });
    }
    await using second = await startTestApp({ harness });
    const { headers } = await second.call("HEAD", filePaths.file(id), { token });
    expect(headers.get("upload-offset")).toBe("4");
    const rest = await putFile(second, { token, id, bytes: "two", range: "bytes 4-6/7" });
    expect(await rest.json()).toMatchObject({ file: { size: 7 } });
  });

  it("an uploaded file that was not sent is removed after a day", async () => {
    const clock = new TestClock();
    await using server = await startTestApp({ clock });
    const { token } = await signUp(server);
    const { id } = await uploadFile(server, { token });
    await putFile(server, { token, bytes: "a", range: "bytes 0-0/2" });
    clock.advance(23 * 60 * 60 * 1000);
    await server.context.sweep.run();
    expect((await server.call("GET", filePaths.file(id), { token })).status).toBe(200);
    clock.advance(2 * 60 * 60 * 1000);
    await server.context.sweep.run();
    expect((await server.call("GET", filePaths.file(id), { token })).status).toBe(404);
    await expectExactCounters(server.context.database);
    if (!isOnPostgres) expect(await storedObjects(server)).toEqual([]);
  });

  it("bytes that a killed process has left are removed after an hour, and reported before", async () => {
    await using harness = await createTestHarness();
    await using server = await startTestApp({ harness });
    const { token } = await signUp(server);
    const { id } = await uploadFile(server, { token });
    const { config, database } = server.context;
    const { files, uploads } = await openStores({ database, dataDir: config.dataDir, isShared: isOnPostgres });
    const [row] = await database.selectFrom("files").selectAll().where("id", "=", id).execute();
    const key = row?.key ?? "";
    // The process was killed before it removed the upload of a ready file.
    await uploads.append(key, 0, Readable.from([Buffer.from("A note")]));
    const stray = newId();
    await files.put(stray, Readable.from([Buffer.from("stray")]));
    const verified = async () => (await admin(harness, ["files", "verify", "--json"])).json;
    expect(await verified()).toMatchObject({ files: 1, missing: [], damaged: [], strays: 0 });
    const later = Date.now() + 2 * 60 * 60 * 1000;
    expect(await verifyFiles({ database, files }, later)).toMatchObject({ files: 1, missing: [], strays: 1 });
    await server.context.files.sweep(later, new AbortController().signal);
    expect([await files.sizeOf(stray), await uploads.size(key)]).toEqual([undefined, 0]);
    expect(await (await server.call("GET", filePaths.file(id), { token })).text()).toBe("A note");
    await files.delete(key);
    const { code } = await admin(harness, ["files", "verify", "--json"]);
    expect([code, (await verified()).missing]).toEqual([4, [key]]);
  });

  it("the bytes of a deleted file are deleted at once", async () => {
    await using server = await startTestApp();
    const { token } = await signUp(server);
    const { id } = await uploadFile(server, { token });
    if (!isOnPostgres) expect(await storedObjects(server)).toHaveLength(1);
    expect((await server.call("DELETE", filePaths.file(id), { token })).status).toBe(204);
    const { database } = server.context;
    expect(await database.selectFrom("file_removals").selectAll().execute()).toEqual([]);
    if (!isOnPostgres) expect(await storedObjects(server)).toEqual([]);
  });
});
