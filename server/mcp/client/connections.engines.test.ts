import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, MINUTE } from "#contract/limits.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { startWebServer } from "../../../testing/browsing/web-server.ts";
import { httpServer, toolContext } from "../../../testing/mcp/mcp-calls.ts";
import { McpHarness } from "../../../testing/mcp/mcp-harness.ts";
import { type ScriptedMcpServer, startScriptedMcpServer } from "../../../testing/mcp/scripted-mcp-server.ts";
import { unusedAddress } from "../../../testing/provider/model-calls.ts";
import type { McpServer } from "../mcp-server.ts";

let opened: AsyncDisposableStack;
let app: TestApp;
let harness: McpHarness;
let remote: ScriptedMcpServer;
let server: McpServer;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  app = opened.use(await startTestApp());
  remote = opened.use(await startScriptedMcpServer());
  harness = opened.use(new McpHarness(app));
  server = httpServer(remote.url);
});
afterEach(() => opened.disposeAsync());

const signal = new AbortController().signal;
const states = () => app.context.database.selectFrom("mcp_server_states").selectAll().orderBy("user_id").execute();

describe("states of servers", () => {
  it("a list is stored for everybody, and the revision spares the next search for it", async () => {
    const listing = await harness.refresh(server);
    expect(listing).toMatchObject({ ok: true, revision: "2026-07-28", leftOut: [], tools: [{ name: "echo" }] });
    const [state] = await states();
    expect(state).toMatchObject({ server: "server-1", user_id: "", failure: null, needs_sign_in: 0 });
    expect(JSON.parse(state?.tools ?? "")).toMatchObject([{ name: "echo" }]);
    await harness.refresh(server);
    expect(remote.requestsOf("server/discover")).toHaveLength(1);
    harness.clock.advance(25 * 60 * MINUTE);
    await harness.refresh(server);
    expect(remote.requestsOf("server/discover")).toHaveLength(2);
  });

  it("an inspection stores nothing", async () => {
    expect(await harness.connections.inspect(server, "ada", signal)).toMatchObject({ ok: true });
    expect(await states()).toEqual([]);
  });

  it("a failure is stored beside the last list", async () => {
    await harness.refresh(server);
    remote.intercept = (_request, response) => Boolean(response.writeHead(503).end());
    expect(await harness.refresh(server)).toEqual({ ok: false, code: "failed", status: 503 });
    expect(await states()).toMatchObject([{ failure: "failed", tools: expect.stringContaining("echo") }]);
  });

  it("a server that wants a sign-in says so for everybody, and its list is stored for a person with a token", async () => {
    const accepted = "Bearer token-of-ada";
    remote.intercept = (request, response) =>
      request.headers.authorization !== accepted &&
      Boolean(response.writeHead(401, { "www-authenticate": "Bearer" }).end());
    const authorisationOf = (_server: McpServer, userId: string) => ({
      token: () => Promise.resolve(userId === "ada" ? "token-of-ada" : undefined),
    });
    const signedIn = opened.use(new McpHarness(app, { authorisationOf }));
    expect(await signedIn.refresh(server, "bob")).toMatchObject({ ok: false, code: "sign-in" });
    expect(await signedIn.refresh(server, "ada")).toMatchObject({ ok: true });
    expect(await states()).toMatchObject([
      { user_id: "", needs_sign_in: 1, tools: null },
      { user_id: "ada", needs_sign_in: 0, tools: expect.stringContaining("echo") },
    ]);
    remote.intercept = (_request, response) => Boolean(response.writeHead(401).end());
    expect(await signedIn.refresh(server, "ada")).toMatchObject({ ok: false, code: "sign-in" });
    expect(await states()).toMatchObject([{ needs_sign_in: 1 }, { user_id: "ada", needs_sign_in: 1 }]);
  });

  it("calls are counted without their accounts", async () => {
    await harness.call(server, "echo", { text: "Hello" });
    await harness.call(server, "echo", { text: "Hello" });
    const counts = await app.context.database.selectFrom("mcp_call_counts").selectAll().execute();
    const day = Math.floor(harness.clock.now() / DAY);
    expect(counts).toEqual([{ server: "server-1", day, calls: 2, failures: 0 }]);
  });
});

describe("servers without a list", () => {
  it.each([
    ["another service", { status: 200, body: "<html>Hello</html>" }, { code: "not-mcp" }],
    ["a missing page", { status: 404, body: "Not found" }, { code: "not-mcp", status: 404 }],
    [
      "a list that is none",
      { headers: { "content-type": "application/json" }, body: '{"tools": 1}' },
      { code: "not-mcp" },
    ],
  ])("%s is no MCP server", async (_name, answer, failure) => {
    const web = opened.use(await startWebServer());
    web.answers.set("/mcp", answer);
    expect(await harness.refresh(httpServer(web.url("/mcp", "127.0.0.1")))).toEqual({ ok: false, ...failure });
  });

  it("an address where nothing listens is named with its reason", async () => {
    const failure = { ok: false, code: "unreachable", reason: "refused" };
    expect(await harness.refresh(httpServer(await unusedAddress()))).toEqual(failure);
  });

  it("J2 N2 a server of a person is not reached at a private address", async () => {
    const own = httpServer(remote.url, { source: "person", userId: "ada" });
    expect(await harness.refresh(own)).toEqual({ ok: false, code: "unreachable", reason: "not-public" });
    expect(remote.requests).toEqual([]);
  });

  it("a server that refuses the entered headers does not ask for a sign-in", async () => {
    remote.intercept = (_request, response) => Boolean(response.writeHead(401).end());
    const keyed = httpServer(remote.url, {
      transport: { kind: "http", url: remote.url, headers: { authorization: "Bearer wrong" } },
    });
    expect(await harness.refresh(keyed)).toEqual({ ok: false, code: "refused", status: 401 });
  });

  it("M4 tools that cannot be offered are left out, and a list that is too long is refused", async () => {
    const inputSchema = { type: "object" };
    const deep = Array.from({ length: 30 }).reduce<object>((inner) => ({ type: "object", properties: { inner } }), {});
    const named = (name: string, schema: object = inputSchema) => ({ name, description: "d", inputSchema: schema });
    remote.pageSize = 3;
    remote.tools = [
      { ...named("echo"), description: "d".repeat(5000) },
      named("echo"),
      named("n".repeat(129)),
      named("deep", { ...inputSchema, properties: { deep } }),
      named("large", { ...inputSchema, description: "d".repeat(40_000) }),
      named("remote", { ...inputSchema, properties: { a: { $ref: `${remote.url}/schema` } } }),
    ];
    const listing = await harness.refresh(server);
    if (!listing.ok) throw new Error(listing.code);
    expect(listing.tools.map(({ name, description }) => [name, description.length])).toEqual([
      ["echo", 2000],
      ["remote", 1],
    ]);
    expect(listing.leftOut).toEqual(["echo", "n".repeat(128), "deep", "large"]);
    remote.pageSize = 2000;
    remote.tools = Array.from({ length: 1001 }, (_, index) => named(`tool-${index}`));
    expect(await harness.refresh(server)).toEqual({ ok: false, code: "too-large" });
    remote.methods.set("tools/list", () => ({ tools: [], nextCursor: "more", ttlMs: 0, cacheScope: "private" }));
    expect(await harness.refresh(server)).toEqual({ ok: false, code: "too-large" });
  });
});

describe("connections", () => {
  it("an idle connection is reused by its account only, and closed after a time", async () => {
    await harness.call(server, "echo", { text: "1" });
    const before = remote.requestsOf("tools/list").length;
    const listing = await harness.connections.inspect(server, "ada", signal);
    const [tool] = listing.ok ? listing.tools : [];
    if (!tool) throw new Error("There is no tool");
    await harness.connections.call({ server, tool, given: {}, context: toolContext() });
    expect(remote.requestsOf("tools/list")).toHaveLength(before + 1);
    await harness.connections.call({ server, tool, given: {}, context: toolContext({ userId: "bob" }) });
    expect(remote.requestsOf("tools/list")).toHaveLength(before + 2);
    await expect.poll(() => remote.listeners).toBe(2);
    harness.runScheduled();
    await expect.poll(() => remote.listeners).toBe(0);
  });

  it("the connections of an account end with its sign-in, and those of a server with its change", async () => {
    await harness.call(server, "echo");
    await expect.poll(() => remote.listeners).toBe(1);
    await harness.connections.close(server.key, "bob");
    expect(remote.listeners).toBe(1);
    await harness.connections.close(server.key, "ada");
    await expect.poll(() => remote.listeners).toBe(0);
    await harness.call(server, "echo");
    await expect.poll(() => remote.listeners).toBe(1);
    await harness.connections.close(server.key);
    await expect.poll(() => remote.listeners).toBe(0);
  });

  it("K10 calls that their server never answers end by their signals, and hold no connection after it", async () => {
    const { calls } = await callSilently(8);
    for (const { controller } of calls) controller.abort(new Error("stopped"));
    const reasons = await Promise.all(calls.map(({ called }) => called.catch((error: unknown) => error)));
    expect(reasons).toEqual(calls.map(() => new Error("stopped")));
    remote.intercept = () => false;
    expect(await harness.call(server, "echo", { text: "1" })).toEqual({ text: "1" });
  });

  it("K10 a server that opens a stream and never writes is given up after a time", async () => {
    remote.intercept = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      return true;
    };
    const impatient = opened.use(new McpHarness(app, { listingMs: 1 }));
    expect(await impatient.refresh(server)).toEqual({ ok: false, code: "unreachable", reason: "too-slow" });
  });

  /** Begins calls whose event streams stay empty, as many as an account has connections. */
  async function callSilently(count: number) {
    const listing = await harness.refresh(server);
    const [tool] = listing.ok ? listing.tools : [];
    if (!tool) throw new Error("There is no tool");
    let silent = 0;
    remote.intercept = ({ headers }, response) => {
      if (headers["mcp-method"] !== "tools/call") return false;
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      silent++;
      return true;
    };
    const calls = Array.from({ length: count }, () => {
      const controller = new AbortController();
      const context = toolContext({ signal: controller.signal });
      return { controller, called: harness.connections.call({ server, tool, given: {}, context }) };
    });
    await expect.poll(() => silent).toBe(count);
    return { calls };
  }
});
