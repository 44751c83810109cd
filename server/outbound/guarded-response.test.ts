import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GUARD_LIMITS, guardOf, refusalAt, TEST_NAMES, textAt } from "../../testing/browsing/guarded.ts";
import { scriptedNames, startWebServer, type WebServer } from "../../testing/browsing/web-server.ts";
import { unusedAddress } from "../../testing/provider/model-calls.ts";
import { startForwardProxy } from "../../testing/servers/forward-proxy.ts";
import { startTlsFront } from "../../testing/servers/tls-front.ts";
import { Outbound } from "./outbound.ts";

let opened: AsyncDisposableStack;
let web: WebServer;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  web = opened.use(await startWebServer());
  web.answers.set("/page", { body: "Fine" });
});
afterEach(() => opened.disposeAsync());

describe("limits", () => {
  const PLAIN = "text ".repeat(1000);
  it.each([
    ["gzip", gzipSync(PLAIN)],
    ["x-gzip", gzipSync(PLAIN)],
    ["BR", brotliCompressSync(PLAIN)],
    ["deflate", deflateSync(PLAIN)],
    ["identity", Buffer.from(PLAIN)],
  ])("decodes a body with %s", async (encoding, body) => {
    web.answers.set("/encoded", { headers: { "content-encoding": encoding }, body });
    expect(await textAt(web.url("/encoded"))).toBe(PLAIN);
  });

  it.each([
    ["gzip", gzipSync(Buffer.alloc(20_000_000))],
    ["br", brotliCompressSync(Buffer.alloc(20_000_000))],
    ["identity", Buffer.alloc(10_001)],
  ])("M4 a body with %s that is too large once decoded is refused while it flows", async (encoding, body) => {
    const big = { ...GUARD_LIMITS, maxBytes: encoding === "identity" ? 10_000 : body.length + 1000 };
    web.answers.set("/bomb", { headers: { "content-encoding": encoding }, body });
    expect(await refusalAt(web.url("/bomb"), big)).toEqual({ code: "too-large" });
  });

  it("M4 an endless body is refused at the limit, also if it decodes to nothing", async () => {
    // An empty member of gzip may follow another.
    const nothing = gzipSync("");
    const write = (piece: Uint8Array) => (response: ServerResponse) => {
      response.writeHead(200, piece === nothing ? { "content-encoding": "gzip" } : {});
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", more);
      more();
    };
    web.answers.set("/endless", write(Buffer.alloc(1000, "a"))).set("/nothing", write(nothing));
    expect(await refusalAt(web.url("/endless"))).toEqual({ code: "too-large" });
    expect(await refusalAt(web.url("/nothing"))).toEqual({ code: "too-large" });
  });

  it("a server that answers too slowly is refused, before its headers and within its body", async () => {
    web.answers.set("/silent", () => undefined);
    web.answers.set("/drip", (response) => void response.writeHead(200).write("The first words"));
    for (const path of ["/silent", "/drip"]) {
      expect(await refusalAt(web.url(path), { timeoutMs: 200 })).toEqual({ code: "too-slow" });
    }
    const find = () => undefined;
    expect(await refusalAt(web.url("/page"), { timeoutMs: 50 }, guardOf({ find }))).toEqual({ code: "too-slow" });
  });

  it("all redirects share one limit of time", async () => {
    web.answers.set("/1", { status: 302, headers: { location: "/2" } });
    web.answers.set("/2", () => undefined);
    expect(await refusalAt(web.url("/1"), { timeoutMs: 200 })).toEqual({ code: "too-slow" });
  });

  it("a signal ends a request with its reason, and closes the connection", async () => {
    const leaving = new AbortController();
    web.answers.set("/silent", () => leaving.abort(new Error("Gone")));
    await expect(textAt(web.url("/silent"), { signal: leaving.signal })).rejects.toThrow("Gone");
    await expect(textAt(web.url("/page"), { signal: leaving.signal })).rejects.toThrow("Gone");
    await expect.poll(() => web.openSockets).toBe(0);
  });

  it.each([["text/plain"], ["TEXT/HTML ;charset=x"]])("accepts the media type %s that was asked for", async (type) => {
    web.answers.set("/typed", { headers: { "content-type": type }, body: "Fine" });
    expect(await textAt(web.url("/typed"), { types: ["text/html", "text/plain"] })).toBe("Fine");
  });

  it.each(["image/png", "text/html2", "", "application/pdf"])("refuses the media type %j", async (type) => {
    web.answers.set("/typed", { headers: { "content-type": type }, body: "Fine" });
    expect(await refusalAt(web.url("/typed"), { types: ["text/html", "text/plain"] })).toEqual({ code: "wrong-type" });
  });

  it.each(["zstd", "gzip, gzip", "unknown"])("refuses the content encoding %s", async (encoding) => {
    web.answers.set("/encoded", { headers: { "content-encoding": encoding }, body: "Fine" });
    expect(await refusalAt(web.url("/encoded"))).toEqual({ code: "wrong-type" });
  });

  it("refuses a status, or returns it if it was asked for", async () => {
    web.answers.set("/refusal", { status: 403, body: "Forbidden" });
    expect(await refusalAt(web.url("/refusal"))).toEqual({ code: "bad-status", status: 403 });
    expect(await textAt(web.url("/refusal"), { isAnyStatus: true, types: ["application/json"] })).toBe("Forbidden");
  });
});

describe("servers that cannot be reached", () => {
  it("names the reason, without words of the other side", async () => {
    expect(await refusalAt("http://unknown.test/")).toEqual({ code: "unreachable", reason: "name" });
    const closed = (await unusedAddress()).replace("127.0.0.1", "public.test");
    expect(await refusalAt(closed)).toEqual({ code: "unreachable", reason: "refused" });
    const front = opened.use(await startTlsFront(web.port));
    const tls = `https://public.test:${front.port}/page`;
    expect(await refusalAt(tls)).toEqual({ code: "unreachable", reason: "certificate" });
    web.answers.set("/broken", (response) => void response.socket?.end("HTTP/1.1 secret words\r\n\r\n"));
    const broken = await textAt(web.url("/broken")).catch((error: unknown) => error);
    expect(inspect(broken)).toContain("OutboundRefusal: unreachable, broken-off");
    expect(inspect(broken)).not.toContain("secret");
  });

  it("a body that breaks off is a failure, not a short body", async () => {
    web.answers.set("/cut", (response) => {
      response.writeHead(200, { "content-length": "1000" }).write("The first words");
      setImmediate(() => response.destroy());
    });
    expect(await refusalAt(web.url("/cut"))).toEqual({ code: "unreachable", reason: "broken-off" });
    web.answers.set("/damaged", { headers: { "content-encoding": "gzip" }, body: gzipSync("words").subarray(0, 15) });
    expect(await refusalAt(web.url("/damaged"))).toEqual({ code: "unreachable", reason: "broken-off" });
  });

  it("closes its connection after each response", async () => {
    await textAt(web.url("/page"));
    await refusalAt(web.url("/missing"));
    await expect.poll(() => web.openSockets).toBe(0);
  });
});

describe("behind a proxy", () => {
  const proxied = async (find = scriptedNames({ ...TEST_NAMES, "resolved.test": ["127.0.0.1"] }).find) => {
    const proxy = opened.use(await startForwardProxy());
    const { HTTP_PROXY: http, HTTPS_PROXY: https } = proxy.env();
    return { proxy, guard: guardOf({ outbound: new Outbound({ http, https }), find }) };
  };

  it("J2 refuses addresses and names that are not public here, and asks the proxy for none", async () => {
    const { proxy, guard } = await proxied();
    const hosts = ["127.0.0.2", "10.0.0.8", "[::ffff:a00:8]", "inner.test", "mixed.test", "metadata.test"];
    for (const host of [...hosts, "metadata.google.internal", "localhost.", "169.254.169.254"]) {
      expect(await refusalAt(`http://${host}/`, {}, guard)).toEqual({ code: "not-public" });
    }
    expect(proxy.requests).toEqual([]);
  });

  it("a name that is not known here is resolved by the proxy, and its redirects are checked", async () => {
    const { proxy, guard } = await proxied();
    expect(await textAt(web.url("/page", "resolved.test"), {}, guard)).toBe("Fine");
    expect(await textAt(web.url("/page", "unknown.test"), {}, guard)).toBe("Fine");
    web.answers.set("/away", { status: 302, headers: { location: "http://10.0.0.8/" } });
    expect(await refusalAt(web.url("/away", "unknown.test"), {}, guard)).toEqual({ code: "not-public" });
    expect(proxy.requests.map(({ target }) => new URL(target).hostname)).toEqual([
      ...["resolved.test", "unknown.test", "unknown.test"],
    ]);
  });

  it("names a proxy that refuses", async () => {
    const { proxy, guard } = await proxied();
    proxy.refusal = 407;
    expect(await refusalAt(web.url("/page", "unknown.test"), {}, guard)).toEqual({
      ...{ code: "unreachable", reason: "proxy" },
    });
  });
});
