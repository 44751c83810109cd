import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { problemSchema } from "#contract/problem.ts";
import { findNginx } from "../../scripts/find-nginx.ts";
import { checkExample, freePort, Nginx } from "./nginx.ts";

const nginxPath = findNginx();
const isRequired = (process.env.CI ?? "") !== "";

describe.runIf(nginxPath !== undefined || isRequired)("the example configuration of nginx", () => {
  const executable = nginxPath ?? "nginx";
  let opened: AsyncDisposableStack;
  beforeEach(() => {
    opened = new AsyncDisposableStack();
  });
  afterEach(() => opened.disposeAsync());

  const front = async (...backEnds: string[]) => opened.use(await Nginx.start({ executable, backEnds }));

  it("nginx accepts the example configuration unchanged", async () => {
    await expect(checkExample(executable)).resolves.toBeUndefined();
  });

  it("nginx forwards each word unbuffered, and replaces forwarding headers of the client", async () => {
    const received = Promise.withResolvers<Record<string, unknown>>();
    const secondWord = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      received.resolve({ ...request.headers, version: request.httpVersion });
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: first\n\n");
      // The response does not end: a proxy that buffers would wait for ever.
      void secondWord.promise.then(() => response.write("data: second\n\n"));
    }).listen(0, "127.0.0.1");
    opened.defer(() => void server.closeAllConnections());
    opened.defer(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { url } = await front(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    const headers = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https", connection: "close" };
    const response = await fetch(url, { headers });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe("data: first\n\n");
    secondWord.resolve();
    expect((await reader?.read())?.value).toBe("data: second\n\n");
    expect(await received.promise).toMatchObject({
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "http",
      host: "127.0.0.1",
      version: "1.1",
    });
  });

  it("nginx answers with Parley's error while no process is running", async () => {
    const { url } = await front(`127.0.0.1:${await freePort("127.0.0.1")}`);
    const response = await fetch(`${url}/api/auth/me`);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(problemSchema.parse(await response.json()).code).toBe("unavailable");
  });

  it("nginx shows a page without scripts to a browser while no process is running", async () => {
    const { url } = await front(`127.0.0.1:${await freePort("127.0.0.1")}`);
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const response = await fetch(`${url}/chat?c=1`, { headers: { accept } });
    const { status, headers } = response;
    expect([status, headers.get("retry-after"), headers.get("cache-control")]).toEqual([503, "2", "no-store"]);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).toContain('<a href="">Try again</a>');
    const stream = await fetch(`${url}/api/events`, { headers: { accept: "text/event-stream" } });
    expect(stream.headers.get("content-type")).toBe("application/problem+json");
  });

  it("J6 nginx logs paths without their query, with and without a running process", async () => {
    const server = createServer((_request, response) => response.end("here")).listen(0, "127.0.0.1");
    opened.defer(() => void server.close());
    await once(server, "listening");
    const there = await front(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    const unreachable = await front(`127.0.0.1:${await freePort("127.0.0.1")}`);
    for (const { url } of [there, unreachable]) {
      for (const path of [
        "/verify-email?key=canary",
        "/reset%2Dpassword?key=canary?key=canary",
        "/?canary",
        "/plain",
      ]) {
        await fetch(`${url}${path}`, { headers: { referer: `${url}/chat?canary`, connection: "close" } });
      }
    }
    for (const nginx of [there, unreachable]) {
      // nginx writes a line at the end of the request, perhaps after the client has the response.
      await expect.poll(() => nginx.logged()).toContain('"GET /plain HTTP/1.1"');
      const lines = await nginx.logged();
      for (const path of ["/verify-email", "/reset%2Dpassword", "/"]) expect(lines).toContain(`"GET ${path} HTTP/1.1"`);
      expect(lines).not.toContain("canary");
    }
    expect(await there.logged()).toMatch(/ 200$/m);
    expect(await unreachable.logged()).toMatch(/ 50[24]$/m);
  });
});
