import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolForm } from "#contract/conversation/tool-forms.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { EVERYTHING, startEverythingServer } from "../../../testing/mcp/everything-server.ts";
import { httpServer, stdioServer, toolContext } from "../../../testing/mcp/mcp-calls.ts";
import type { CallProgress, CallWatch, ToolContext } from "../../tools/tool.ts";
import type { McpServer } from "../mcp-server.ts";

const opened = new AsyncDisposableStack();
let app: TestApp;
beforeAll(async () => {
  app = opened.use(await startTestApp());
});
afterAll(() => opened.disposeAsync());

const signal = new AbortController().signal;

/** Lists the tools of a server, and returns what calls one of them. */
async function toolsOf(server: McpServer, { context } = app) {
  const { clients } = context.mcp;
  const listing = await clients.refresh(server, "ada", signal);
  if (!listing.ok) throw new Error(listing.code);
  return async (name: string, given: Record<string, unknown>, more: Partial<ToolContext> = {}) => {
    const tool = listing.tools.find((each) => each.name === name);
    if (!tool) throw new Error(`There is no tool ${name}`);
    return clients.call({ server, tool, given, context: toolContext(more) });
  };
}

describe.each(["HTTP", "stdio"])("the reference server over %s", (kind) => {
  let call: Awaited<ReturnType<typeof toolsOf>>;
  beforeAll(async () => {
    const server =
      kind === "HTTP"
        ? httpServer(opened.use(await startEverythingServer()).url)
        : stdioServer(process.execPath, EVERYTHING, "stdio");
    call = await toolsOf(server);
  });

  it("calls a tool", async () => {
    expect(await call("echo", { message: "Hello" })).toEqual({ text: "Echo: Hello" });
    expect(await call("get-sum", { a: 2, b: 3 })).toMatchObject({ text: expect.stringContaining("5") });
  });

  it("returns pictures and structured content", async () => {
    const picture = await call("get-tiny-image", {});
    expect(picture.text).toContain("[picture 1]");
    expect(picture.pictures?.[0]?.bytes.subarray(1, 4).toString()).toBe("PNG");
    const weather = await call("get-structured-content", { location: "New York" });
    expect(JSON.parse(weather.structured ?? "")).toMatchObject({ temperature: expect.any(Number) });
  });

  it("asks the person of the running call by a form", async () => {
    const asked: ToolForm[] = [];
    const watch = {
      ...WATCH,
      ask: async (forms: readonly ToolForm[]) => {
        asked.push(...forms);
        return { id: "one", forms: [{ key: forms[0]?.key ?? "", values: { name: "Ada" } }] };
      },
    };
    const outcome = await call("trigger-elicitation-request", {}, { watch });
    expect(asked[0]?.fields.map(({ kind }) => kind)).toContain("choice");
    expect(outcome.text).toContain("Ada");
    const refused = await call("trigger-elicitation-request", {}, { watch: { ...WATCH, ask: async () => null } });
    expect(refused.text).toContain("declined");
  });

  it("reports the progress of a long call", async () => {
    const reported: CallProgress[] = [];
    const watch = { ...WATCH, onProgress: (progress: CallProgress) => void reported.push(progress) };
    await call("trigger-long-running-operation", { duration: 0.2, steps: 2 }, { watch });
    expect(reported[0]).toMatchObject({ total: 2 });
  });

  it("polls a call that became a task of the revision 2025-11-25", async () => {
    const stored: string[] = [];
    const storeTask = async (state: string) => stored.push(state) > 0;
    const outcome = await call("simulate-research-query", { topic: "tides" }, { watch: { ...WATCH, storeTask } });
    expect(stored).toHaveLength(1);
    expect(outcome.text).toContain("tides");
  });
});

const WATCH: CallWatch = {
  onProgress: () => undefined,
  storeTask: () => Promise.resolve(true),
  ask: () => Promise.resolve(null),
};

describe("a program beside Parley", () => {
  it("a program is one process for all accounts, starts again after it has ended, and ends with Parley", async () => {
    await using ending = await startTestApp();
    const print = `${PRINT_PID};await import(${JSON.stringify(EVERYTHING)})`;
    const server = stdioServer(process.execPath, "--input-type=module", "--eval", print);
    const pids = () => ending.logLines.flatMap((line) => /pid:(\d+)/.exec(line)?.[1] ?? []).map(Number);
    const call = await toolsOf(server, ending);
    await Promise.all(["ada", "bob"].map((userId) => call("echo", { message: "Hello" }, { userId })));
    await expect.poll(() => pids()).toHaveLength(1);
    process.kill(pids()[0] ?? 0, "SIGKILL");
    await expect.poll(() => isRunning(pids()[0] ?? 0)).toBe(false);
    expect(await call("echo", { message: "Again" })).toEqual({ text: "Echo: Again" });
    await expect.poll(() => pids()).toHaveLength(2);
    await ending.context.mcp.clients[Symbol.asyncDispose]();
    expect(isRunning(pids()[1] ?? 0)).toBe(false);
  });

  it("a program receives nothing of Parley's environment but a few variables", async () => {
    const call = await toolsOf(stdioServer(process.execPath, EVERYTHING, "stdio"));
    const { text } = await call("get-env", {});
    expect(text).toContain("PATH");
    // The runner of the tests sets it for this process.
    expect(text).not.toContain("VITEST");
  });

  it("a program that does not exist is named as one that cannot be reached", async () => {
    await using other = await startTestApp();
    const listing = await other.context.mcp.clients.refresh(stdioServer("/no/such/program"), "ada", signal);
    expect(listing).toEqual({ ok: false, code: "unreachable", reason: "program" });
  });
});

/** The probe for the revision runs in a process of its own, whose errors are discarded. */
const PRINT_PID = 'process.stderr.write("pid:" + process.pid)';

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
