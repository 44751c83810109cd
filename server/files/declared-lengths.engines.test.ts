import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { MEGABYTE } from "#contract/limits.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { putFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";

/** Declared size of the file that the hostile bodies belong to. */
const DECLARED = 10;
const MANY = Buffer.alloc(100_000, "a");

let app: TestApp;
let ada: TestAccount;
let freeBytes = 1000 * MEGABYTE;
let onFreeSpace = () => {};
const calls: ClientRequest[] = [];
beforeAll(async () => {
  const freeSpace = async () => {
    onFreeSpace();
    return freeBytes;
  };
  app = await startTestApp({ freeSpace, env: { MIN_FREE_DISK_MB: "100", MAX_FILE_MB: "20" } });
  ada = await signUp(app);
});
afterEach(() => {
  for (const call of calls.splice(0)) call.destroy();
  freeBytes = 1000 * MEGABYTE;
  onFreeSpace = () => {};
});
afterAll(() => app[Symbol.asyncDispose]());

type Body = { range?: string; length?: number; bytes: Buffer };

/** Begins an upload whose headers need not fit to its body. Without `length` the body is chunked. */
function beginUpload(id: string, { range, length }: Omit<Body, "bytes">, { token } = ada): ClientRequest {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/octet-stream",
    "x-file-name": "a.txt",
    ...(range !== undefined && { "content-range": range }),
    ...(length === undefined ? { "transfer-encoding": "chunked" } : { "content-length": String(length) }),
  };
  const call = request(app.url + API_BASE + filePaths.file(id), { method: "PUT", headers, agent: false });
  call.on("error", () => undefined);
  calls.push(call);
  return call;
}

/** @returns the status; 0 if the connection was closed without an answer */
async function upload(id: string, body: Body): Promise<number> {
  const call = beginUpload(id, body);
  const answered = new Promise<number>((resolve) => {
    call.on("response", (response: IncomingMessage) => resolve(response.resume().statusCode ?? 0));
    call.on("close", () => resolve(0));
  });
  call.end(body.bytes);
  return answered;
}

const storedOf = async (id: string) => {
  const { headers } = await app.call("HEAD", filePaths.file(id), ada);
  return Number(headers.get("upload-offset") ?? 0);
};

const ranges = [
  "bytes 0-9/10",
  "bytes 1-9/10",
  "bytes 1-0/10",
  "bytes 9-1/10",
  "bytes 0-0/10",
  "bytes */10",
  undefined,
];
const lengths = [undefined, 0, DECLARED - 1, DECLARED, MANY.length];
const bodies = [0, DECLARED, MANY.length];
const combinations = ranges.flatMap((range) =>
  lengths.flatMap((length) => bodies.map((sent) => [range, length, sent] as const)),
);

test.each([
  ["new", []],
  ["begun", [[1, "bytes 0-0/10"]]],
] as const)(
  "K8 no combination of headers and body stores more than the declared size of a %s file",
  async (_, begun) => {
    for (const [range, length, sent] of combinations) {
      const id = crypto.randomUUID();
      for (const [count, first] of begun) await putFile(app, { ...ada, id, bytes: "a".repeat(count), range: first });
      // A body that is shorter than declared is one whose client has left: the server waits for the rest.
      const isShort = length !== undefined && sent < length;
      const call = isShort ? beginUpload(id, { ...(range && { range }), length }) : undefined;
      call?.write(MANY.subarray(0, sent));
      if (call) call.destroy();
      else
        await upload(id, {
          ...(range && { range }),
          ...(length !== undefined && { length }),
          bytes: MANY.subarray(0, sent),
        });
      const most = Math.max(DECLARED, range === undefined ? (length ?? 0) : 0);
      expect([range, length, sent, (await storedOf(id)) <= most]).toEqual([range, length, sent, true]);
      await app.call("DELETE", filePaths.file(id), ada);
    }
    await vi.waitFor(() => expectExactCounters(app.context.database));
  },
);

test.each([
  ["a chunked body", "bytes 0-9/10", undefined],
  ["a chunked body of an inverted range", "bytes 1-0/10", undefined],
  ["an inverted range", "bytes 1-0/10", 0],
  ["a body that is longer than its range", "bytes 0-8/10", DECLARED],
  ["a body that is shorter than its range", "bytes 0-9/10", DECLARED - 1],
  ["a chunked body without a range", undefined, undefined],
])("K8 refuses %s with 400, before a byte is stored", async (_, range, length) => {
  const id = crypto.randomUUID();
  const bytes = MANY.subarray(0, length ?? MANY.length);
  const status = await upload(id, { ...(range && { range }), ...(length !== undefined && { length }), bytes });
  expect(status).toBe(400);
  expect((await app.call("HEAD", filePaths.file(id), ada)).status).toBe(404);
});

test("K8 an upload stops growing when the disk falls below its reserve, and continues once there is space", async () => {
  const id = crypto.randomUUID();
  const bytes = Buffer.alloc(12 * MEGABYTE, "a");
  let asked = 0;
  onFreeSpace = () => {
    asked += 1;
    if (asked > 1) freeBytes = 0;
  };
  const refused = await putFile(app, { ...ada, id, bytes });
  expect([refused.status, (await problemOf(refused)).code]).toEqual([507, "storage-full"]);
  const stored = await storedOf(id);
  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThan(6 * MEGABYTE);
  onFreeSpace = () => {};
  freeBytes = 1000 * MEGABYTE;
  const rest = await putFile(app, {
    ...{ ...ada, id, bytes: bytes.subarray(stored) },
    range: `bytes ${stored}-${bytes.length - 1}/${bytes.length}`,
  });
  expect(await rest.json()).toMatchObject({ file: { size: bytes.length } });
});

test("E4 L6 an upload whose session ends is cut off, and is continued in another session", async () => {
  const eve = await signUp(app);
  const id = crypto.randomUUID();
  const call = beginUpload(id, { range: "bytes 0-9/10", length: DECLARED }, eve);
  call.write("Half ");
  const state = () => app.call("HEAD", filePaths.file(id), eve);
  await vi.waitFor(async () => expect((await state()).status).toBe(200));
  const closed = new Promise((resolve) => call.once("close", resolve));
  await app.call("POST", accountPaths.logout, eve);
  await closed;
  const signedIn = await app.call("POST", accountPaths.login, {
    body: { username: eve.user.username, password: eve.password },
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const at = Number((await app.call("HEAD", filePaths.file(id), { token })).headers.get("upload-offset"));
  const bytes = "Half whole".slice(at);
  expect(await (await putFile(app, { token, id, bytes, range: `bytes ${at}-9/10` })).json()).toMatchObject({
    file: { size: DECLARED },
  });
});

test("L6 a file is not ready if the session ends while it is read", async () => {
  const eve = await signUp(app);
  const id = crypto.randomUUID();
  const read = vi.spyOn(app.context.attachmentReader, "read");
  read.mockImplementationOnce(async (...given) => {
    await app.context.database.deleteFrom("sessions").where("user_id", "=", eve.user.id).execute();
    return app.context.attachmentReader.read(...given);
  });
  expect((await putFile(app, { ...eve, id })).status).toBe(401);
  read.mockRestore();
  const row = app.context.database.selectFrom("files").select("type").where("id", "=", id);
  expect(await row.executeTakeFirst()).toEqual({ type: null });
});
