import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { API_BASE } from "#contract/http.ts";
import { problemSchema } from "#contract/problem.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const post = (path: string, init: RequestInit) => fetch(`${app.url}${API_BASE}${path}`, { method: "POST", ...init });

async function problemOf(response: Response) {
  expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  return problemSchema.parse(await response.json());
}

describe("G6 the API without a matching route", () => {
  it("an unknown path of the API is answered with a problem, not with a page", async () => {
    const { token } = await signUp(app);
    for (const path of ["", "/", "/no-such-thing", "/auth", "/auth/login/", "/chat/a/b/c"]) {
      const response = await app.call("GET", path, { token, headers: { accept: "text/html" } });
      expect([path, response.status]).toEqual([path, 404]);
      expect(await problemOf(response)).toMatchObject({ code: "not-found" });
    }
  });

  it("an unsupported method of a known path is answered with 405 and the supported methods", async () => {
    const response = await app.call("PUT", "/auth/login");
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toContain("POST");
    expect(await problemOf(response)).toMatchObject({ code: "method-not-allowed" });
  });
});

/** Sends a raw request line that client libraries refuse to send. The connection closes after one response. */
async function sendRaw(requestLine: string): Promise<{ head: string; body: string }> {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1").on("error", () => undefined);
  socket.write(`${requestLine} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  return { head: head.toLowerCase(), body };
}

describe("L5 headers of the API", () => {
  it.each([
    ["GET /api/auth/me", 401],
    ["GET /%61pi/auth/me", 401],
    ["GET /a%70%69/auth/config", 200],
    ["HEAD /%61pi/auth/config", 200],
    ["POST /%61pi/auth/login", 400],
    ["PUT /%61pi/auth/login", 405],
    ["OPTIONS /%61pi/auth/login", 405],
    ["GET /%61pi/gone", 404],
    ["POST /%61pi/gone", 404],
    ["GET /%2561pi/auth/me", 404],
    ["GET //api/auth/me", 404],
    ["GET /%61pi/%zz", 400],
  ])("headers depend on the matched route, however its path is encoded: %s", async (requestLine, status) => {
    const { head } = await sendRaw(requestLine);
    expect(head).toMatch(new RegExp(`^http/1.1 ${status} `));
    expect(head).toContain("\r\ncache-control: no-store");
    expect(head).toContain("\r\nreferrer-policy: no-referrer");
    expect(head).toMatch(/\r\ncontent-type: application\/(problem\+)?json; charset=utf-8/);
  });

  it.each([
    "GET http://a/api/auth/config",
    "GET HTTP://a/healthz",
    "POST https://elsewhere.example/api/auth/login",
    "GET a/api/auth/config",
    "OPTIONS *",
  ])("a request target other than a path is refused: %s", async (requestLine) => {
    const { head, body } = await sendRaw(requestLine);
    expect(head).toMatch(/^http\/1.1 400 /);
    expect(head).toContain("\r\ncache-control: no-store");
    expect(problemSchema.parse(JSON.parse(body))).toMatchObject({ code: "invalid-input" });
  });
});

it("G5 invalid HTTP is answered with a problem and the security headers", async () => {
  for (const [bytes, status] of [
    ["GET / HTTP/9.9\r\nHost: a\r\n\r\n", 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(40_000)}\r\n\r\n`, 431],
  ] as const) {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1").on("error", () => undefined);
    socket.write(bytes);
    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain("x-content-type-options: nosniff");
    expect(head.toLowerCase()).toContain("camera=()");
    problemSchema.parse(JSON.parse(body));
  }
});

it.each([
  [{}, "same-origin"],
  [{ GOOGLE_CLIENT_ID: "client" }, "same-origin-allow-popups"],
])("G5 with %o all responses have the opener policy %s", async (env, policy) => {
  await using other = await startTestApp({ env });
  for (const path of ["/", "/api/auth/config", "/healthz", "/%zz", "/gone"]) {
    const { headers } = await fetch(`${other.url}${path}`);
    expect(headers.get("cross-origin-opener-policy"), path).toBe(policy);
  }
});

it("G5 all documents are denied the browser features that none uses, but not writing to the clipboard and passkeys", async () => {
  for (const path of ["/", "/api/auth/config", "/healthz", "/%zz", "/gone"]) {
    const features = ((await fetch(`${app.url}${path}`)).headers.get("permissions-policy") ?? "").split(", ");
    expect(features, path).toEqual(expect.arrayContaining(["camera=()", "microphone=()", "geolocation=()", "usb=()"]));
    expect(features.filter((feature) => !feature.endsWith("=()"))).toEqual([
      "publickey-credentials-create=(self)",
      "publickey-credentials-get=(self)",
    ]);
    expect(features).not.toContain("clipboard-write=()");
  }
});

describe("G7 malformed URLs", () => {
  it("a malformed URL is answered with a problem that does not echo it", async () => {
    const response = await fetch(`${app.url}/%zz-canary`);
    expect(response.status).toBe(400);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(JSON.stringify(await problemOf(response))).not.toContain("canary");
  });

  it("a URL with a malformed id is answered with 404", async () => {
    const { token } = await signUp(app);
    for (const id of ["x", "%00", "%F0%9F%98%80", "x".repeat(5000)]) {
      const response = await app.call("GET", `/chat/${id}`, { token });
      expect(`${id.slice(0, 20)} ${response.status}`).toBe(`${id.slice(0, 20)} 404`);
    }
  });
});

describe("bodies of requests", () => {
  it("an empty body of a request counts as none", async () => {
    const response = await post("/auth/login", { headers: { "content-type": "application/json" }, body: "" });
    expect((await problemOf(response)).issues?.map((issue) => issue.field)).toEqual(["username", "password"]);
  });

  it("G6 bodies of more than a megabyte are refused", async () => {
    const body = JSON.stringify({ username: "a".repeat(1024 * 1024), password: "b" });
    const response = await post("/auth/login", { headers: { "content-type": "application/json" }, body });
    expect(response.status).toBe(413);
    expect(await problemOf(response)).toMatchObject({ code: "too-large" });
  });
});

it("an OpenAPI description has all routes, and a page shows it", async () => {
  const description = (await (await app.call("GET", "/docs/json")).json()) as { paths: Record<string, object> };
  const described = Object.keys(description.paths);
  for (const { url } of app.routes) {
    if (!url.startsWith(API_BASE) || url.startsWith(`${API_BASE}/docs`)) continue;
    expect(described).toContain(url.replaceAll(/:(\w+)/g, "{$1}"));
  }
  const page = await app.call("GET", "/docs/");
  expect(page.headers.get("content-type")).toContain("text/html");
});

it("the server reports liveness and readiness", async () => {
  expect(await (await fetch(`${app.url}/healthz`)).json()).toEqual({ status: "alive" });
  expect(await (await fetch(`${app.url}/readyz`)).json()).toEqual({ status: "ready", imports: expect.any(String) });
});

it("J6 logs one line per request, without the query of the URL", async () => {
  await app.call("GET", "/auth/config?key=canary-in-address");
  const lines = app.logLines.join("");
  expect(lines).toContain('"path":"/api/auth/config"');
  expect(lines).not.toContain("canary-in-address");
});

it("K6 connections beyond MAX_CONNECTIONS are closed, and accepted again when others have closed", async () => {
  await using small = await startTestApp({ env: { MAX_CONNECTIONS: "3" } });
  const port = Number(new URL(small.url).port);
  const begin = async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    const first = await Promise.race([once(socket, "data"), once(socket, "close")]);
    return { socket, isAnswered: Buffer.isBuffer(first[0]) };
  };
  const held = [await begin(), await begin(), await begin()];
  expect(held.map(({ isAnswered }) => isAnswered)).toEqual([true, true, true]);
  expect((await begin()).isAnswered).toBe(false);
  held[0]?.socket.destroy();
  await expect.poll(async () => (await begin()).isAnswered).toBe(true);
});
