import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { httpServer } from "../../../testing/mcp/mcp-calls.ts";
import { McpHarness } from "../../../testing/mcp/mcp-harness.ts";
import {
  inputRequired,
  type JsonObject,
  McpError,
  type ScriptedMcpServer,
  startScriptedMcpServer,
} from "../../../testing/mcp/scripted-mcp-server.ts";
import { McpShop } from "../../../testing/tools/mcp-shop.ts";
import { ShopServer } from "../../../testing/tools/shop-server.ts";
import type { McpServer } from "../mcp-server.ts";

let opened: AsyncDisposableStack;
let harness: McpHarness;
let remote: ScriptedMcpServer;
let server: McpServer;
let task: JsonObject;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  const app = opened.use(await startTestApp());
  remote = opened.use(await startScriptedMcpServer());
  harness = opened.use(new McpHarness(app));
  server = httpServer(remote.url);
  task = { taskId: "task-1", status: "working", pollIntervalMs: 1 };
  remote.tools = [{ name: "build", description: "Builds.", inputSchema: { type: "object" } }];
  remote.scripts.set("build", () => ({ resultType: "task", ...task }));
  remote.methods.set("tasks/get", () => ({ ...task }));
  remote.methods.set("tasks/cancel", () => ({}));
});
afterEach(() => opened.disposeAsync());

const done = { content: [{ type: "text", text: "Built" }] };

/** Stores tasks as an engine does. */
function watchOf(storeTask: (state: string) => Promise<boolean>) {
  const refuse = () => Promise.reject(new Error("Not expected"));
  return { onProgress: () => undefined, storeTask, ask: refuse };
}

it("a call that becomes a task is stored before it is polled, until it ends", async () => {
  const stored: string[] = [];
  const watch = watchOf(async (state) => {
    expect(remote.requestsOf("tasks/get")).toEqual([]);
    stored.push(state);
    Object.assign(task, { status: "completed", result: done });
    return true;
  });
  expect(await harness.call(server, "build", {}, { watch })).toEqual({ text: "Built" });
  expect(stored).toHaveLength(1);
  expect(remote.requestsOf("tasks/get")[0]?.params).toMatchObject({ taskId: "task-1" });
});

it("N1 a stored task is polled by another process, and the tool is not called again", async () => {
  let state = "";
  const watch = watchOf((given) => {
    state = given;
    return Promise.resolve(false);
  });
  await expect(harness.call(server, "build", {}, { watch })).rejects.toThrow("The reply is continued by another run");
  Object.assign(task, { status: "completed", result: done });
  expect(await harness.call(server, "build", {}, { resumption: { state } })).toEqual({ text: "Built" });
  expect(remote.requestsOf("tools/call")).toHaveLength(1);
});

it("a task that asks ends with a question, whose answers it receives", async () => {
  const { inputRequests } = inputRequired({ sure: { type: "boolean" } });
  Object.assign(task, { status: "input_required", inputRequests });
  const watch = watchOf(() => Promise.resolve(true));
  const { question } = await harness.call(server, "build", {}, { watch });
  expect(question?.forms).toMatchObject([{ key: "form", fields: [{ name: "sure", kind: "boolean" }] }]);
  remote.methods.set("tasks/update", () => {
    Object.assign(task, { status: "completed", result: done });
    return {};
  });
  const answers = { id: "one", forms: [{ key: "form", values: { sure: true } }] };
  const resumption = { state: question?.state ?? "", answers };
  expect(await harness.call(server, "build", {}, { watch, resumption })).toEqual({ text: "Built" });
  expect(remote.requestsOf("tasks/update")[0]?.params.inputResponses).toEqual({
    form: { action: "accept", content: { sure: true } },
  });
});

it("a task is cancelled when its call is, and a failed one is an error for the model", async () => {
  const leaving = new AbortController();
  const watch = watchOf(() => {
    leaving.abort(new Error("Stopped"));
    return Promise.resolve(true);
  });
  await expect(harness.call(server, "build", {}, { watch, signal: leaving.signal })).rejects.toThrow("Stopped");
  expect(remote.requestsOf("tasks/cancel")[0]?.params).toMatchObject({ taskId: "task-1" });
  Object.assign(task, { status: "failed", error: { code: -32603, message: "The disk is full" } });
  const failed = await harness.call(server, "build", {}, { watch: watchOf(() => Promise.resolve(true)) });
  expect(failed).toEqual({ text: "The call failed on the server. The disk is full", isError: true });
});

const storing = () => watchOf(() => Promise.resolve(true));

it.each([401, 404, 503])(
  "N1 a task whose server answers %s once is asked for again, and not called again",
  async (status) => {
    let refusals = 1;
    remote.methods.set("tasks/get", () => {
      Object.assign(task, { status: "completed", result: done });
      return { ...task };
    });
    remote.intercept = ({ headers }, response) => {
      if (headers["mcp-method"] !== "tasks/get" || refusals-- <= 0) return false;
      response.writeHead(status).end();
      return true;
    };
    expect(await harness.call(server, "build", {}, { watch: storing() })).toEqual({ text: "Built" });
    expect(remote.requestsOf("tools/call")).toHaveLength(1);
  },
);

it("N1 a task that its server does not know any more is lost, and not called again", async () => {
  remote.methods.set("tasks/get", () => {
    throw new McpError(-32602, "There is no such task");
  });
  await expect(harness.call(server, "build", {}, { watch: storing() })).rejects.toThrow(
    "The result of a call was lost",
  );
  expect(remote.requestsOf("tools/call")).toHaveLength(1);
});

it("a question of a task that was stored without answers is asked again", async () => {
  const { inputRequests } = inputRequired({ sure: { type: "boolean" } });
  Object.assign(task, { status: "input_required", inputRequests });
  const { question } = await harness.call(server, "build", {}, { watch: storing() });
  const resumption = { state: question?.state ?? "" };
  const again = await harness.call(server, "build", {}, { watch: storing(), resumption });
  expect(again.question?.forms).toEqual(question?.forms);
  expect(remote.requestsOf("tasks/update")).toEqual([]);
});

it("N1 a task of an older server whose session has ended is asked for in a new one", async () => {
  const shop = opened.use(await ShopServer.start());
  const older = opened.use(await McpShop.start(shop.url, "2025-11-25"));
  const olderServer = httpServer(older.url);
  // The second call reuses the connection of the first.
  await harness.call(olderServer, "buy", { item: "tea" });
  older.refuseNext("tasks/get", 404);
  const outcome = await harness.call(olderServer, "brew", { item: "tea" }, { watch: storing() });
  expect(outcome.text).toBe("brew of tea: done.");
  expect(shop.countOf("tea")).toBe(2);
});
