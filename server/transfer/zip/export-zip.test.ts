import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { AttachedFile } from "#contract/files/files.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported, message } from "../../../testing/chats/exported-chats.ts";
import { unpack } from "../../../testing/files/archives.ts";
import { uploadFile } from "../../../testing/files/upload.ts";
import { Failure } from "../../failure.ts";
import { MissingObject } from "../../files/stores/file-store.ts";

let app: TestApp;
let ada: TestAccount;
let files: AttachedFile[] = [];
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  vi.restoreAllMocks();
  ada = await signUpProved(app);
  files = [];
  for (const name of ["a.txt", "b.txt", "c.txt"]) files.push(await uploadFile(app, { ...ada, name, bytes: name }));
  const parts = files.map((file, seq) => ({ seq, at: 0, kind: "file", ...file }));
  const chats = [{ ...exported(), messages: [{ ...message(), parts }] }];
  await app.call("POST", transferPaths.import, { token: ada.token, body: documentOf({ chats }) });
});

const exportAll = (signal?: AbortSignal) =>
  app.call("GET", transferPaths.export, { token: ada.token, ...(signal && { signal }) });

/** Replaces the bytes of the second file. */
function replaceSecond(open: () => AsyncIterable<Uint8Array>): void {
  const original = app.context.files.open.bind(app.context.files);
  vi.spyOn(app.context.files, "open").mockImplementation(async (userId, id) => {
    const opened = await original(userId, id);
    return id === files[1]?.id ? { ...opened, bytes: open() } : opened;
  });
}

describe("files removed during an export", () => {
  it.each([
    ["its row", new Failure("not-found")],
    ["its bytes", new MissingObject("Gone")],
  ])("an export leaves out a file that is removed during the export: %s", async (_what, failure) => {
    replaceSecond(() => {
      if (failure instanceof Failure) throw failure;
      // biome-ignore lint/correctness/useYield: fails before its first piece, as stores do
      return (async function* () {
        throw failure;
      })();
    });
    const { document, files: archived } = await unpack(await exportAll());
    expect([...archived.values()].map(String).sort()).toEqual(["a.txt", "c.txt"]);
    expect(document.chats[0]?.messages[0]?.parts).toHaveLength(3);
  });

  it("a file that is removed while its bytes are sent ends the download, which is not complete then", async () => {
    replaceSecond(async function* () {
      yield Buffer.from("b");
      throw new Error("The bytes are gone");
    });
    await expect(exportAll().then((response) => response.arrayBuffer())).rejects.toThrow();
  });
});

it("a client that leaves closes the file that is sent, which is read only as fast as the client receives", async () => {
  const piece = Buffer.alloc(1_000_000);
  let pieces = 0;
  let isClosed = false;
  replaceSecond(async function* () {
    try {
      while (pieces < 1000) {
        pieces++;
        yield piece;
      }
    } finally {
      isClosed = true;
    }
  });
  const leave = new AbortController();
  const reader = (await exportAll(leave.signal)).body?.getReader();
  let received = 0;
  while (received < 5_000_000) received += (await reader?.read())?.value?.length ?? Number.NaN;
  leave.abort();
  await expect.poll(() => isClosed).toBe(true);
  expect(pieces).toBeLessThan(200);
});
