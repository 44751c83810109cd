import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GUARD_LIMITS, guardOf, refusalAt, textAt } from "../../testing/browsing/guarded.ts";
import { scriptedNames, startWebServer, type WebServer } from "../../testing/browsing/web-server.ts";
import { allowedHostOf } from "./guarded-request.ts";
import { Outbound } from "./outbound.ts";
import { OutboundGuard } from "./outbound-guard.ts";

/** A guard with the names and addresses of production. */
const strict = new OutboundGuard({ outbound: new Outbound() });

let opened: AsyncDisposableStack;
let web: WebServer;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  web = opened.use(await startWebServer());
  web.answers.set("/page", { body: "Fine" });
});
afterEach(() => opened.disposeAsync());

describe("addresses", () => {
  it.each([
    "http://127.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://127.0.1:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0x7f.1:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://017700000001:PORT/",
    "http://127.0.0.1.:PORT/",
    "http://①②⑦.⓪.⓪.①:PORT/",
    "http://127。0。0。1:PORT/",
    "http://%31%32%37.0.0.1:PORT/",
    "http://0:PORT/",
    "http://0.0.0.0:PORT/",
    "http://localhost:PORT/",
    "http://LOCALHOST.:PORT/",
    "http://localhost..:PORT/",
    "http://a.localhost:PORT/",
    "http://[::1]:PORT/",
    "http://[::]:PORT/",
    "http://[0:0:0:0:0:0:0:1]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::FFFF:7f00:1]:PORT/",
    "http://[0:0:0:0:0:ffff:7f00:0001]:PORT/",
    "http://[64:ff9b::7f00:1]:PORT/",
    "http://[64:ff9b:1::7f00:1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://[2001:0:0:0:0:0:80ff:fffe]:PORT/",
    "http://10.0.0.8/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://168.63.129.16/",
    "http://[fd00:ec2::254]/",
    "http://[fd12:3456::1]/",
    "http://[fe80::1]/",
    "http://metadata.google.internal/",
    "http://metadata.google.internal.:PORT/",
  ])("J2 N2 refuses %s without a connection", async (address) => {
    expect(await refusalAt(address.replace("PORT", `${web.port}`), {}, strict)).toEqual({ code: "not-public" });
    expect(web.connections).toBe(0);
  });

  it.each([
    "",
    "page",
    "//public.test/",
    "http://",
    "http:///",
    "ftp://public.test/",
    "file:///etc/passwd",
    "data:text/html,hello",
    "gopher://public.test/",
    "javascript:alert(1)",
    "http://user@public.test/",
    "http://public.test:password@127.0.0.2/",
    "http://:password@public.test/",
    "http://public.test:99999/",
    "http://[::1%25lo]/",
    "http://127.0.0.1.1.1/",
    "http://256.0.0.1/",
  ])("J2 refuses %j as an address", async (address) => {
    expect(await refusalAt(address)).toEqual({ code: "bad-address" });
  });

  it("J2 refuses a name of which one address is not public", async () => {
    for (const name of ["inner.test", "mixed.test", "metadata.test"]) {
      expect(await refusalAt(web.url("/page", name))).toEqual({ code: "not-public" });
    }
    expect(web.connections).toBe(0);
  });

  it("reads a public address", async () => {
    expect(await textAt(web.url("/page"))).toBe("Fine");
    expect(web.requests[0]?.headers.host).toBe(`public.test:${web.port}`);
  });
});

describe("known vulnerabilities", () => {
  it.each([
    String.raw`http://127.0.0.2:PORT\@public.test/page`,
    String.raw`http://127.0.0.2:PORT\\@public.test/page`,
    String.raw`http://inner.test:PORT\.public.test/page`,
    "http://127.0.0.2:PORT#@public.test/page",
    "http://127.0.0.2:PORT?@public.test/page",
    "http://127.0.0.2\t:PORT/page",
    "\u0000 http://127.0.0.2:PORT/page",
    "http:/\\127.0.0.2:PORT/page",
    "http:127.0.0.2:PORT/page",
  ])("J2 V39 CVE-2026-45400 %j is one host for the check and for the connection", async (address) => {
    const inner = opened.use(await startWebServer("127.0.0.2"));
    expect(await refusalAt(address.replace("PORT", `${inner.port}`))).toEqual({ code: "not-public" });
    expect([inner.connections, web.connections]).toEqual([0, 0]);
  });

  it.each([301, 302, 303, 307, 308])(
    "J2 V39 CVE-2026-45401 a redirect with status %i to an inner address is refused",
    async (status) => {
      const inner = opened.use(await startWebServer("127.0.0.2"));
      const targets = [`http://127.0.0.2:${inner.port}/`, inner.url("/", "inner.test"), `//127.0.0.2:${inner.port}/`];
      for (const location of [...targets, "http://169.254.169.254/latest/meta-data/"]) {
        web.answers.set("/away", { status, headers: { location } });
        expect(await refusalAt(web.url("/away"))).toEqual({ code: "not-public" });
      }
      expect(inner.connections).toBe(0);
    },
  );

  it.each([
    "[::ffff:7f00:1]",
    "[::ffff:7f00:0001]",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:FFFF:7F00:1]",
    "[::ffff:a9fe:a9fe]",
  ])("J2 V38 CVE-2026-31943 %s is no public host, also as the answer of a name", async (host) => {
    expect(await refusalAt(`http://${host}:${web.port}/`, {}, strict)).toEqual({ code: "not-public" });
    const { find } = scriptedNames({ "mapped.test": [host.slice(1, -1)] });
    const mapping = new OutboundGuard({ outbound: new Outbound(), find });
    expect(await refusalAt(web.url("/page", "mapped.test"), {}, mapping)).toEqual({ code: "not-public" });
    expect(web.connections).toBe(0);
  });

  it("J2 a name that is rebound to an inner address is resolved once, and connected to its first address", async () => {
    const { find, asked } = scriptedNames({ "rebound.test": [["127.0.0.1"], ["127.0.0.2"]] });
    expect(await textAt(web.url("/page", "rebound.test"), {}, guardOf({ find }))).toBe("Fine");
    expect(asked).toEqual(["rebound.test"]);
    expect(await refusalAt(web.url("/page", "rebound.test"), {}, guardOf({ find }))).toEqual({ code: "not-public" });
  });

  it("J2 a name that is rebound by a redirect to itself is refused", async () => {
    const { find } = scriptedNames({ "rebound.test": [["127.0.0.1"], ["127.0.0.2"]] });
    web.answers.set("/away", { status: 302, headers: { location: "/page" } });
    expect(await refusalAt(web.url("/away", "rebound.test"), {}, guardOf({ find }))).toEqual({ code: "not-public" });
  });
});

describe("redirects", () => {
  it("follows five redirects, and reports the last address", async () => {
    for (let at = 0; at < 6; at++) web.answers.set(`/${at}`, { status: 302, headers: { location: `/${at + 1}#part` } });
    web.answers.set("/6", { body: "Found" });
    await using response = await guardOf().open(web.url("/1"), GUARD_LIMITS);
    expect([response.url, response.status]).toEqual([web.url("/6"), 200]);
    expect(await refusalAt(web.url("/0"))).toEqual({ code: "too-many-redirects" });
  });

  it("N4 a redirect to another origin carries no key, and one to the same origin does", async () => {
    const other = opened.use(await startWebServer());
    other.answers.set("/page", { body: "Other" });
    web.answers.set("/same", { status: 307, headers: { location: "/away" } });
    web.answers.set("/away", { status: 307, headers: { location: other.url("/page", "other.test") } });
    const headers = {
      Authorization: "Bearer key",
      "X-Subscription-Token": "key",
      cookie: "a=key",
      accept: "text/html",
    };
    expect(await textAt(web.url("/same"), { headers })).toBe("Other");
    expect(web.requests.map((request) => request.headers.authorization)).toEqual(["Bearer key", "Bearer key"]);
    expect(other.requests[0]?.headers.accept).toBe("text/html");
    expect(JSON.stringify(other.requests)).not.toContain("key");
  });

  it("N4 a redirect of a POST is not followed", async () => {
    web.answers.set("/away", { status: 307, headers: { location: web.url("/page", "other.test") } });
    expect(await refusalAt(web.url("/away"), { method: "POST", body: "q" })).toEqual({ code: "redirect-refused" });
    expect(web.requests).toHaveLength(1);
  });

  it.each(["ftp://public.test/", "http://user:secret@public.test/", "http://[", "file:///etc/passwd"])(
    "J2 refuses a redirect to %s",
    async (location) => {
      web.answers.set("/away", { status: 302, headers: { location } });
      expect(await refusalAt(web.url("/away"))).toEqual({ code: "bad-address" });
    },
  );
});

describe("an address of an owner", () => {
  const allowedAt = (server: WebServer, host: string) => allowedHostOf(new URL(server.url("/", host)));

  it("N2 an address of an owner may be private, in any spelling", async () => {
    const inner = opened.use(await startWebServer("127.0.0.2"));
    inner.answers.set("/page", { body: "Inner" });
    for (const host of ["inner.test", "127.0.0.2", "127.2"]) {
      expect(await textAt(inner.url("/page", host), { allowed: allowedAt(inner, host) })).toBe("Inner");
    }
    const allowed = { host: "127.2", port: inner.port };
    expect(await textAt(inner.url("/page", "127.0.0.2"), { allowed })).toBe("Inner");
  });

  it("N2 another host or port than the owner's is not allowed with it", async () => {
    const inner = opened.use(await startWebServer("127.0.0.2"));
    const others = [`http://127.0.0.2:${web.port}/`, inner.url("/", "127.0.0.3"), inner.url("/", "inner.test")];
    for (const address of others) {
      expect(await refusalAt(address, { allowed: allowedAt(inner, "127.0.0.2") })).toEqual({ code: "not-public" });
    }
    expect(inner.connections).toBe(0);
  });

  it("N2 an owner's address of https is not allowed by http, which has another port", async () => {
    const allowed = allowedHostOf(new URL("https://inner.test/"));
    expect(allowed).toEqual({ host: "inner.test", port: 443 });
    expect(await refusalAt("http://inner.test/", { allowed })).toEqual({ code: "not-public" });
    expect(await refusalAt("http://inner.test:443/", { allowed })).toMatchObject({ code: "unreachable" });
  });

  it("N2 redirects of an owner's address are followed to itself only", async () => {
    const inner = opened.use(await startWebServer("127.0.0.2"));
    const allowed = allowedAt(inner, "inner.test");
    inner.answers.set("/page", { body: "Inner" });
    inner.answers.set("/same", { status: 302, headers: { location: "/page" } });
    expect(await textAt(inner.url("/same", "inner.test"), { allowed })).toBe("Inner");
    for (const location of [web.url("/page"), inner.url("/page", "127.0.0.2"), `https://inner.test:${web.port}/`]) {
      inner.answers.set("/away", { status: 302, headers: { location } });
      expect(await refusalAt(inner.url("/away", "inner.test"), { allowed })).toEqual({ code: "redirect-refused" });
    }
  });

  it("N2 a public page cannot redirect to an owner's address", async () => {
    const inner = opened.use(await startWebServer("127.0.0.2"));
    web.answers.set("/away", { status: 302, headers: { location: inner.url("/", "inner.test") } });
    const allowed = allowedAt(inner, "inner.test");
    expect(await refusalAt(web.url("/away"), { allowed })).toEqual({ code: "not-public" });
    expect(inner.connections).toBe(0);
  });

  it.each([
    "169.254.169.254",
    "168.63.129.16",
    "[fd00:ec2::254]",
    "[64:ff9b::a9fe:a9fe]",
    "metadata.test",
    "metadata.goog",
  ])("N2 an owner's address %s of metadata is refused", async (host) => {
    const allowed = { host, port: 80 };
    expect(await refusalAt(`http://${host}/`, { allowed })).toEqual({ code: "not-public" });
  });
});
