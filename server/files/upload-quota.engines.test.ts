import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { filePaths } from "#contract/files/paths.ts";
import { MEGABYTE } from "#contract/limits.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { whileBusy } from "../../testing/chats/while-busy.ts";
import { putFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";

let app: TestApp;
let ada: TestAccount;
let freeBytes = Number.POSITIVE_INFINITY;
beforeAll(async () => {
  const env = { MAX_FILE_MB: "3", MAX_ACCOUNT_MB: "3", MIN_FREE_DISK_MB: "100" };
  app = await startTestApp({ env, freeSpace: async () => freeBytes });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  freeBytes = Number.POSITIVE_INFINITY;
  ada = await signUp(app);
});

const outcomeOf = async (response: Response) =>
  response.ok ? response.status : [response.status, (await problemOf(response)).code];
/** Begins an upload of a size in bytes with its first byte. */
const begin = async (size: number, id = crypto.randomUUID(), { token } = ada) =>
  outcomeOf(await whileBusy(app, () => putFile(app, { token, id, bytes: "a", range: `bytes 0-0/${size}` })));
const FULL = [409, "quota-reached"];

describe("K3 quotas of accounts", () => {
  it("the quota of an account is used to its last byte, and not beyond", async () => {
    expect(await begin(3 * MEGABYTE - 10)).toBe(200);
    expect(await begin(11)).toEqual(FULL);
    const id = crypto.randomUUID();
    expect(await begin(10, id)).toBe(200);
    expect(await begin(1)).toEqual(FULL);
    // The upload itself is continued at the limit.
    expect(await outcomeOf(await putFile(app, { ...ada, id, bytes: " text end", range: "bytes 1-9/10" }))).toBe(200);
    await expectExactCounters(app.context.database);
  });

  it("uploads that begin at once do not exceed the quota", async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => begin(MEGABYTE)));
    expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome !== 200)).toEqual(Array(5).fill(FULL));
    await expectExactCounters(app.context.database);
  });

  it("a file counts once towards the quota, although several requests begin it at once", async () => {
    const id = crypto.randomUUID();
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => begin(2 * MEGABYTE, id)));
    for (const outcome of outcomes) expect([200, 409]).toContain([outcome].flat()[0]);
    expect(await begin(MEGABYTE)).toBe(200);
    await expectExactCounters(app.context.database);
  });

  it("an account's own quota takes precedence, and a deletion or refusal gives bytes back", async () => {
    const { database } = app.context;
    await database.updateTable("users").set({ quota_mb: 1 }).where("id", "=", ada.user.id).execute();
    const id = crypto.randomUUID();
    expect(await begin(MEGABYTE, id)).toBe(200);
    expect(await begin(1)).toEqual(FULL);
    await app.call("DELETE", filePaths.file(id), ada);
    const refused = await putFile(app, { ...ada, bytes: Buffer.alloc(MEGABYTE), name: "zeros.txt" });
    expect(await outcomeOf(refused)).toEqual([415, "file-type"]);
    expect(await begin(MEGABYTE)).toBe(200);
    await expectExactCounters(database);
  });

  it.each([
    ["an empty body", undefined],
    ["a question about its state", "bytes */0"],
  ])("the quota counts no file of 0 bytes, sent as %s", async (_, range) => {
    const empty = putFile(app, { ...ada, bytes: "", ...(range && { range }) });
    expect(await outcomeOf(await empty)).toEqual([400, "file-empty"]);
    expect(await outcomeOf(await putFile(app, { ...ada, bytes: "", range: "bytes 0-0/0" }))).toEqual([
      400,
      "invalid-input",
    ]);
  });
});

it("K4 below the reserve of the disk no upload begins or grows, and each continues once there is space", async () => {
  const id = crypto.randomUUID();
  const piece = (bytes: string, range: string) => putFile(app, { ...ada, id, bytes, range });
  expect(await outcomeOf(await piece("One ", "bytes 0-3/8"))).toBe(200);
  freeBytes = 100 * MEGABYTE - 1;
  const full = [507, "storage-full"];
  expect(await begin(10)).toEqual(full);
  expect(await outcomeOf(await piece("two ", "bytes 4-7/8"))).toEqual(full);
  const { headers } = await app.call("HEAD", filePaths.file(id), ada);
  expect(headers.get("upload-offset")).toBe("4");
  await expectExactCounters(app.context.database);
  freeBytes = 100 * MEGABYTE;
  expect(await (await piece("two ", "bytes 4-7/8")).json()).toMatchObject({ file: { size: 8 } });
  expect(await (await app.call("GET", filePaths.file(id), ada)).text()).toBe("One two ");
});
