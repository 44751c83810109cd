import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { guardOf } from "../../testing/browsing/guarded.ts";
import { startWebServer, type WebServer } from "../../testing/browsing/web-server.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { allowedHostOf } from "./guarded-request.ts";

let opened: AsyncDisposableStack;
let web: WebServer;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  web = opened.use(await startWebServer());
});
afterEach(() => opened.disposeAsync());

const MAX_BYTES = 10_000;
const fetchOf = (allowed?: string) =>
  guardedFetch(guardOf(), {
    maxBytes: MAX_BYTES,
    ...(allowed !== undefined && { allowed: allowedHostOf(new URL(allowed)) }),
  });

it.each(["GET", "POST", "DELETE"])(
  "guarded fetch sends %s with its headers, and returns status and headers",
  async (method) => {
    web.answers.set("/mcp", {
      status: 418,
      headers: { "x-session": "one", "content-type": "text/plain" },
      body: "Tea",
    });
    const body = method === "POST" ? { body: '{"a":1}' } : {};
    const response = await fetchOf()(web.url("/mcp"), { method, headers: { "x-key": "secret" }, ...body });
    expect([response.status, response.headers.get("x-session"), await response.text()]).toEqual([418, "one", "Tea"]);
    expect(web.requests[0]).toMatchObject({ method, headers: { "x-key": "secret" }, body: body.body ?? "" });
    await expect.poll(() => web.openSockets).toBe(0);
  },
);

it("guarded fetch returns events while the server still writes, and closes the connection when the body is cancelled", async () => {
  web.answers.set("/events", (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: first\n\n");
  });
  const response = await fetchOf()(web.url("/events"));
  const reader = response.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: first\n\n");
  expect(web.openSockets).toBe(1);
  await reader?.cancel();
  await expect.poll(() => web.openSockets).toBe(0);
});

it("guarded fetch ends a body with the signal's reason, and closes the connection", async () => {
  web.answers.set("/events", (response) => void response.writeHead(200).write("first"));
  const leaving = new AbortController();
  const response = await fetchOf()(web.url("/events"), { signal: leaving.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  leaving.abort(new Error("Gone"));
  await expect(reader?.read()).rejects.toThrow("Gone");
  await expect.poll(() => web.openSockets).toBe(0);
});

it("guarded fetch closes the connection of an answer without a body", async () => {
  web.answers.set("/nothing", { status: 204 });
  const response = await fetchOf()(web.url("/nothing"), { method: "DELETE" });
  expect([response.status, response.body]).toEqual([204, null]);
  await expect.poll(() => web.openSockets).toBe(0);
});

it("M4 guarded fetch ends an endless body and a bomb at the limit", async () => {
  web.answers.set("/endless", (response: ServerResponse) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1000, "a")));
    };
    response.on("drain", more);
    more();
  });
  web.answers.set("/bomb", { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(1_000_000)) });
  for (const path of ["/endless", "/bomb"]) {
    const response = await fetchOf()(web.url(path));
    await expect(response.arrayBuffer()).rejects.toMatchObject({ code: "too-large" });
  }
  await expect.poll(() => web.openSockets).toBe(0);
});

it("J2 guarded fetch refuses headers that are too long", async () => {
  web.answers.set("/headers", { headers: { "x-long": "a".repeat(100_000) } });
  await expect(fetchOf()(web.url("/headers"))).rejects.toMatchObject({ code: "unreachable" });
});

it("J2 N2 guarded fetch reaches a private address only if an owner entered it", async () => {
  const inner = opened.use(await startWebServer("127.0.0.2"));
  inner.answers.set("/mcp", { body: "Fine" });
  const address = `http://127.0.0.2:${inner.port}/mcp`;
  await expect(fetchOf()(address)).rejects.toMatchObject({ code: "not-public" });
  expect(await (await fetchOf(address)(address)).text()).toBe("Fine");
});

it("guarded fetch returns a redirect if the caller follows redirects by itself, and else checks its target", async () => {
  web.answers.set("/away", { status: 307, headers: { location: "http://127.0.0.2/" } });
  const response = await fetchOf()(web.url("/away"), { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([307, "http://127.0.0.2/"]);
  await response.body?.cancel();
  await expect(fetchOf()(web.url("/away"))).rejects.toMatchObject({ code: "not-public" });
});
