import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { API_BASE } from "#contract/http.ts";
import type { ImportSum } from "#contract/transfer/import/chat-batches.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { IMPORT_BODY_MAX, type ImportOutcome, type ImportResult } from "#contract/transfer/transfer.ts";
import { ApiError } from "../api/client.ts";
import { problem } from "../testing/fakes/fake-api.ts";
import { FakeFiles, plainTransport } from "../testing/fakes/fake-files.ts";
import { withField, zipOf } from "../testing/zip-files.ts";
import { importFile } from "./import-file.ts";

const none: ImportSum = { imported: 0, skipped: 0, deleted: 0, folders: 0, presets: 0, problems: [] };
const HEAD = { format: "parley-export", version: 1 };

/** Chats of each import; `answers` replaces the usual ones, in order. */
let imports: { chats: { title: string }[]; uploaded: number }[] = [];
let answers: (Partial<ImportResult> | Response | "lost")[] = [];
let files = new FakeFiles();
beforeEach(() => {
  imports = [];
  answers = [];
  files = new FakeFiles();
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    if (url !== `${API_BASE}${transferPaths.import}`) return files.fetch(url, init);
    init.signal?.throwIfAborted();
    const { chats } = JSON.parse(String(init.body));
    imports.push({ chats, uploaded: files.stored.size });
    const answer = answers.shift();
    if (answer === "lost") throw new TypeError("Failed to fetch");
    if (answer instanceof Response) return answer;
    return Response.json({ ...none, outcomes: chats.map(() => "imported"), imported: chats.length, ...answer });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const shares: number[] = [];
const take = (file: Blob, signal = new AbortController().signal) => {
  shares.length = 0;
  return importFile(file, signal, (share) => shares.push(share), plainTransport);
};

const idOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
const partOf = (at: number) => ({
  seq: 0,
  at: 0,
  kind: "file",
  id: idOf(at),
  name: `${at}.txt`,
  type: "text/plain",
  size: 1,
});
const chatWith = (title: string, ...numbers: number[]) => ({ title, messages: [{ parts: numbers.map(partOf) }] });
const textOf = (at: number) => `Text ${at} `.repeat(200);

/** The zip of an export whose files are those with these numbers. */
function zipWith(chats: readonly unknown[], ...numbers: number[]) {
  const entries = numbers.map((at) => [`files/${idOf(at)}-${at}.txt`, textOf(at)] as const);
  return zipOf({ "chats.json": JSON.stringify({ ...HEAD, chats }), ...Object.fromEntries(entries) });
}
const blobOf = (zip: Uint8Array) => new Blob([new Uint8Array(zip)]);
const range = (count: number) => Array.from({ length: count }, (_, at) => at);

it("the import reports a chat that is larger than one request may be, and imports the others", async () => {
  // Three bytes per character in UTF-8.
  const long = JSON.stringify({ title: "漢".repeat(IMPORT_BODY_MAX / 3) });
  const file = new Blob([`{"format":"parley-export","version":1,"chats":[${long},{"title":"Short"}]}`]);
  expect(await take(file)).toEqual({
    ...{ ...none, imported: 1, problems: [{ chat: "#1", reason: "too-large" }] },
    ...{ files: 0, lostFiles: [] },
  });
  expect(imports.map(({ chats }) => chats)).toEqual([[{ title: "Short" }]]);
});

describe("imports of a zip", () => {
  it("a zip is imported with its files, each uploaded once and before the chats that name it", async () => {
    const chats = [chatWith("One", 1, 2), chatWith("Two", 2, 3), { title: "None", messages: [{}] }];
    const report = await take(blobOf(zipWith(chats, 1, 2, 3, 4)));
    expect(report).toEqual({ ...none, imported: 3, files: 3, lostFiles: [] });
    expect(imports).toEqual([{ chats, uploaded: 3 }]);
    expect([...files.stored].map(([id, { name }]) => [id, name, files.bytesOf(id)])).toEqual(
      [1, 2, 3].map((at) => [idOf(at), `${at}.txt`, textOf(at)]),
    );
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares[0]).toBeLessThan(0.9);
  });

  it("a zip with more files than the server stores without a message is imported in batches", async () => {
    const chats = range(30).map((at) => chatWith(`Chat ${at}`, 4 * at, 4 * at + 1, 4 * at + 2, 4 * at + 3));
    await take(blobOf(zipWith(chats, ...range(120))));
    const named = imports.map((sent, at) => sent.uploaded - (imports[at - 1]?.uploaded ?? 0));
    expect(Math.max(...named)).toBeLessThanOrEqual(50);
    expect(imports.flatMap(({ chats: sent }) => sent)).toEqual(chats);
    expect(files.stored.size).toBe(120);
  });

  it("an imported chat with very many files is sent again, and counted once", async () => {
    answers = [
      { problems: [{ chat: "Many", reason: "files" }] },
      { imported: 0, skipped: 1, problems: [{ chat: "Many", reason: "files" }] },
      { imported: 0, skipped: 1 },
    ];
    const report = await take(blobOf(zipWith([chatWith("Many", ...range(120))], ...range(120))));
    expect(imports.map(({ uploaded }) => uploaded)).toEqual([50, 100, 120]);
    expect(report).toEqual({ ...none, imported: 1, files: 120, lostFiles: [] });
  });

  it("the import names files that the server refuses or that are damaged, and imports all else", async () => {
    const zip = withField(zipWith([chatWith("One", 1, 2, 3)], 1, 2, 3), "entry", {
      index: 2,
      at: 16,
      size: 4,
      value: 7,
    });
    files.faults.push(problem(403, "quota-reached"));
    const report = await take(blobOf(zip));
    expect(report.lostFiles).toEqual([
      { name: "1.txt", code: "quota-reached" },
      { name: "2.txt", code: "file-broken" },
    ]);
    expect([report.imported, report.files, [...files.stored.keys()]]).toEqual([1, 1, [idOf(3)]]);
    expect(shares.at(-1)).toBe(1);
  });

  it("files of chats that were not imported are removed, and uploaded again for the next chat that names them", async () => {
    // A request has 50 chats.
    const first = [
      chatWith("Here", 1, 2),
      chatWith("Full", 2, 3),
      chatWith("Deleted", 4),
      ...range(47).map(() => ({})),
    ];
    const rest = range(47).map((): ImportOutcome => "imported");
    answers = [{ imported: 48, deleted: 1, outcomes: ["imported", "refused", "deleted", ...rest] }];
    files.isSent = (id) => imports.length > 0 && [1, 2].map(idOf).includes(id);
    const report = await take(blobOf(zipWith([...first, chatWith("Later", 3)], 1, 2, 3, 4)));
    expect(imports.map(({ uploaded }) => uploaded)).toEqual([4, 3]);
    expect([...files.stored.keys()]).toEqual([1, 2, 3].map(idOf));
    expect([report.files, report.imported]).toEqual([3, 49]);
  });

  it("a chat with very many files that is refused uploads no more of them, and leaves none", async () => {
    answers = [{ imported: 0, outcomes: ["refused"], problems: [{ chat: "Many", reason: "quota" }] }];
    const report = await take(blobOf(zipWith([chatWith("Many", ...range(120))], ...range(120))));
    expect(imports).toHaveLength(1);
    expect([files.stored.size, report.files, report.imported]).toEqual([0, 0, 0]);
  });

  it("an import that the server ends leaves no files", async () => {
    answers = [Response.json({ detail: "Full", error: "Full", code: "storage-full" }, { status: 507 })];
    await expect(take(blobOf(zipWith([chatWith("One", 1, 2)], 1, 2)))).rejects.toThrow(ApiError);
    expect(files.stored.size).toBe(0);
  });

  it("an import without an answer leaves its files, because the server may still import the chats", async () => {
    answers = ["lost"];
    await expect(take(blobOf(zipWith([chatWith("One", 1)], 1)))).rejects.toThrow(ApiError);
    expect(files.stored.size).toBe(1);
  });

  it("the import tries one file if the server accepts no files", async () => {
    files.faults.push(problem(403, "files-off"));
    const report = await take(blobOf(zipWith([chatWith("One", 1, 2)], 1, 2)));
    expect(report.lostFiles.map(({ code }) => code)).toEqual(["files-off", "files-off"]);
    expect(files.log).toHaveLength(1);
    expect(report.imported).toBe(1);
  });

  it.each([
    ["the session has ended", problem(401, "not-signed-in")],
    ["the server forbids it", problem(403, "account-disabled")],
  ])("a zip is imported no further if %s", async (_what, fault) => {
    files.faults.push(fault, fault);
    await expect(take(blobOf(zipWith([chatWith("One", 1)], 1)))).rejects.toThrow(ApiError);
    expect(imports).toEqual([]);
  });

  it("the import continues after an upload was interrupted", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    files.faults.push("lost after storing");
    expect((await take(blobOf(zipWith([chatWith("One", 1)], 1)))).files).toBe(1);
    expect(files.bytesOf(idOf(1))).toBe(textOf(1));
  });

  it("the import stops when it is stopped during an upload, and leaves no files", async () => {
    const stop = new AbortController();
    const onProgress = () => {
      if (files.stored.size > 0) stop.abort();
    };
    const work = importFile(blobOf(zipWith([chatWith("One", 1, 2)], 1, 2)), stop.signal, onProgress, plainTransport);
    await expect(work).rejects.toThrow("aborted");
    expect([imports, files.stored.size]).toEqual([[], 0]);
    expect(files.log).toContain("DELETE");
  });

  it("the import ignores parts without a file of the zip, and messages of any form", async () => {
    const strange = [{ title: "a", messages: "file" }, { title: '"file"', messages: [{ parts: 7 }] }, "file", null];
    const odd = {
      title: "b",
      messages: [{ parts: [{ kind: "file", id: 7 }, { kind: "file", id: idOf(9), name: "x" }, "file"] }],
    };
    const report = await take(blobOf(zipWith([...strange, odd, chatWith("c", 1)], 1)));
    expect([report.files, report.lostFiles]).toEqual([1, []]);
    expect(imports[0]?.chats).toHaveLength(6);
  });

  it.each([
    ["broken-archive", blobOf(zipWith([], 1)).slice(0, 60)],
    ["not-an-export", blobOf(zipOf({ "other.json": "{}" }))],
    ["not-an-export", blobOf(zipOf({ "chats.json": "[]" }))],
    ["newer-export", blobOf(zipOf({ "chats.json": JSON.stringify({ ...HEAD, version: 2, chats: [] }) }))],
  ])("a zip that is no export is refused (%#): %s", async (reason, zip) => {
    await expect(take(zip)).rejects.toMatchObject({ reason });
    expect([imports, files.log]).toEqual([[], []]);
  });
});
