import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { EVERYTHING, startEverythingServer } from "../../../testing/mcp/everything-server.ts";
import { httpServer, stdioServer, toolContext } from "../../../testing/mcp/mcp-calls.ts";
import type { ToolContext } from "../../tools/tool.ts";
import type { McpServer } from "../mcp-server.ts";

let opened: AsyncDisposableStack;
let app: TestApp;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  app = opened.use(await startTestApp());
});
afterEach(() => opened.disposeAsync());

const signal = new AbortController().signal;

/** Lists the tools of a server, and returns what calls one of them. */
async function toolsOf(server: McpServer) {
  const { clients } = app.context.mcp;
  const listing = await clients.refresh(server, "ada", signal);
  if (!listing.ok) throw new Error(listing.code);
  return async (name: string, given: Record<string, unknown>, more: Partial<ToolContext> = {}) => {
    const tool = listing.tools.find((each) => each.name === name);
    if (!tool) throw new Error(`There is no tool ${name}`);
    return clients.call({ server, tool, given, context: toolContext(more) });
  };
}

describe.each(["HTTP", "stdio"])("the reference server over %s", (kind) => {
  const start = async () =>
    kind === "HTTP"
      ? httpServer(opened.use(await startEverythingServer()).url)
      : stdioServer(process.execPath, EVERYTHING, "stdio");

  it("calls a tool", async () => {
    const call = await toolsOf(await start());
    expect(await call("echo", { message: "Hello" })).toEqual({ text: "Echo: Hello" });
    expect(await call("get-sum", { a: 2, b: 3 })).toMatchObject({ text: expect.stringContaining("5") });
  });

  it("returns pictures and structured content", async () => {
    const call = await toolsOf(await start());
    const picture = await call("get-tiny-image", {});
    expect(picture.text).toContain("[picture 1]");
    expect(picture.pictures?.[0]?.bytes.subarray(1, 4).toString()).toBe("PNG");
    const weather = await call("get-structured-content", { location: "New York" });
    expect(JSON.parse(weather.structured ?? "")).toMatchObject({ temperature: expect.any(Number) });
  });
});
