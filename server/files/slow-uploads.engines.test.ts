import { type ClientRequest, request } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { filePaths } from "#contract/files/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { putFile } from "../../testing/files/upload.ts";
import { problemOf } from "../../testing/http/problem-of.ts";

/** Pieces that an account may send at a time. */
const AT_ONCE = 20;

let app: TestApp;
let ada: TestAccount;
const calls: ClientRequest[] = [];
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUp(app);
});
afterEach(() => {
  for (const call of calls.splice(0)) call.destroy();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Begins a piece of an upload, sends its beginning, and then nothing more. */
function stall(server: TestApp, token: string, id: string, beginning: string, { length = 1000, range = "" } = {}) {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-length": String(length),
    "content-type": "application/octet-stream",
    ...(range && { "content-range": range }),
  };
  const call = request(server.url + API_BASE + filePaths.file(id), { method: "PUT", headers, agent: false });
  call.on("error", () => undefined);
  call.write(beginning);
  calls.push(call);
  return call;
}

const endOf = (call: ClientRequest) => new Promise((resolve) => call.on("close", resolve));
const offsetOf = async (server: TestApp, token: string, id: string) =>
  (await server.call("HEAD", filePaths.file(id), { token })).headers.get("upload-offset");
const isBegun = (server: TestApp, token: string, id: string) =>
  vi.waitFor(async () => expect((await server.call("HEAD", filePaths.file(id), { token })).status).toBe(200));

describe("G6 stalled uploads", () => {
  it("stalled uploads take a limited number of an account's slots, none of others, and give them back", async () => {
    const eve = await signUp(app);
    const ids = Array.from({ length: AT_ONCE }, () => crypto.randomUUID());
    for (const id of ids) {
      stall(app, eve.token, id, "a");
      await isBegun(app, eve.token, id);
    }
    const refused = () => putFile(app, { ...eve, bytes: "Another" });
    await vi.waitFor(async () => expect((await refused()).status).toBe(429));
    const refusal = await refused();
    expect([refusal.headers.get("retry-after"), (await problemOf(refusal)).code]).toEqual(["5", "too-many-requests"]);
    // Neither the state of the uploads nor other accounts wait for them.
    expect((await putFile(app, { ...eve, id: ids[0] ?? "", bytes: "", range: "bytes */1000" })).status).toBe(200);
    expect((await putFile(app, ada)).status).toBe(200);
    for (const call of calls.splice(0)) call.destroy();
    await vi.waitFor(async () => expect((await refused()).status).toBe(200));
  });

  it("a stalled upload does not block the client that resumes it on another connection", async () => {
    const id = crypto.randomUUID();
    stall(app, ada.token, id, "Half ", { length: 10 });
    await isBegun(app, ada.token, id);
    const resume = async () => {
      const at = Number(await offsetOf(app, ada.token, id));
      const bytes = "Half whole".slice(at);
      return putFile(app, { ...ada, id, bytes, range: `bytes ${at}-9/10` });
    };
    await vi.waitFor(async () => expect(await (await resume()).json()).toMatchObject({ file: { size: 10 } }));
    expect(await (await app.call("GET", filePaths.file(id), ada)).text()).toBe("Half whole");
  });

  it("stalled uploads end when the server ends, and are resumed after its restart", async () => {
    await using harness = await createTestHarness();
    const id = crypto.randomUUID();
    let token = "";
    let closed: Promise<unknown>;
    {
      await using first = await startTestApp({ harness });
      ({ token } = await signUp(first));
      await putFile(first, { token, id, bytes: "One ", range: "bytes 0-3/11" });
      closed = endOf(stall(first, token, id, "two ", { length: 7, range: "bytes 4-10/11" }));
      // On PostgreSQL less than a block is in memory until the piece ends.
      if (!isOnPostgres) await vi.waitFor(async () => expect(await offsetOf(first, token, id)).toBe("8"));
    }
    await closed;
    await using second = await startTestApp({ harness });
    const at = Number(await offsetOf(second, token, id));
    expect([4, 8]).toContain(at);
    const piece = { bytes: "One two six".slice(at), range: `bytes ${at}-10/11` };
    const rest = await putFile(second, { token, id, ...piece });
    expect(await rest.json()).toMatchObject({ file: { size: 11 } });
  });

  it("an upload one byte at a time is whole in the end, however often the line breaks", async () => {
    const id = crypto.randomUUID();
    const text = "Slowly.";
    for (const [at, byte] of [...text].entries()) {
      const range = `bytes ${at}-${at}/${text.length}`;
      const piece = { ...ada, id, bytes: byte, range };
      expect(await (await putFile(app, piece)).json()).toMatchObject({ stored: at + 1 });
      // The answer was lost: the client sends the piece again.
      expect([200, 409]).toContain((await putFile(app, piece)).status);
      expect(await offsetOf(app, ada.token, id)).toBe(String(at + 1));
    }
    expect(await (await app.call("GET", filePaths.file(id), ada)).text()).toBe(text);
  });
});
