import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestApp } from "../../testing/app/start-test-app.ts";
import { waitFor } from "../../testing/app/wait-for.ts";
import { expectExactCounters } from "../../testing/chats/exact-counters.ts";
import { readReply } from "../../testing/http/read-events.ts";
import type { SourceProcess } from "../../testing/servers/source-process.ts";
import type { McpShop } from "../../testing/tools/mcp-shop.ts";
import { acceptRows, refuseCalls } from "../../testing/tools/refused-rows.ts";
import { scriptCalls, shopCall } from "../../testing/tools/script-calls.ts";
import { type ShopChat, ShopChats } from "../../testing/tools/shop-chats.ts";

let items = 0;

describe.each(["2025-11-25", "2026-07-28"] as const)("a kill around calls of a server of revision %s", (era) => {
  let chats: ShopChats;
  let mcp: McpShop;
  beforeAll(async () => {
    chats = await ShopChats.open(9, { SHUTDOWN_GRACE_MS: "0" }, era);
    if (!chats.mcpShop) throw new Error("There is no MCP server");
    mcp = chats.mcpShop;
  });
  afterAll(() => chats[Symbol.asyncDispose]());

  let opened: AsyncDisposableStack;
  let chat: ShopChat;
  let killed: SourceProcess;
  /** Of the test alone. */
  let item: string;
  beforeEach(async () => {
    chats.provider.reset();
    chats.shop.reset();
    opened = new AsyncDisposableStack();
    chat = chats.next();
    item = `tea ${++items}`;
    return () => opened.disposeAsync();
  });

  /** Has the model call a tool, and approves the call in the process that the test kills. */
  async function approve(name: string, answer?: "silent"): Promise<void> {
    scriptCalls(chats.provider, [[shopCall(name, item)]], "Done.");
    killed = await chats.startProcess(opened);
    await readReply(await chat.send(killed, "Go shopping."));
    if (answer) chats.provider.next(answer);
    expect(await chat.decide(killed, "once")).toBe(200);
  }

  /** Approves a call that becomes a task. It is stored before it is polled. */
  async function approveTask(): Promise<void> {
    const polls = mcp.polled.length;
    await approve("brew");
    await waitFor("a poll of the task", () => mcp.polled.length > polls);
  }

  /** Kills the process, and starts a server on its data. */
  async function restart(): Promise<TestApp> {
    await killed.kill();
    return opened.use(await chats.startApp());
  }

  it("a call that may have acted is unknown after a kill, and runs once more only when it is approved again", async () => {
    chats.shop.isHeld = () => true;
    await approve("buy");
    await chats.shop.executed(item);
    const app = await restart();
    expect(await chat.last(app)).toMatchObject({ state: "waiting", parts: [{ state: "unknown" }] });
    await chat.join(app);
    expect(chats.shop.countOf(item)).toBe(1);
    chats.shop.reset();
    expect(await chat.decide(app, "once")).toBe(200);
    expect((await chat.join(app)).text).toBe("Done.");
    expect(chats.shop.countOf(item)).toBe(2);
  });

  it("a call that its trusted server states to only read is repeated after a kill", async () => {
    chats.shop.isHeld = () => true;
    await approve("look_up");
    await chats.shop.executed(item);
    const app = await restart();
    expect(await chat.last(app)).toMatchObject({
      state: "interrupted",
      parts: [{ state: "approved", effect: "read" }],
    });
    chats.shop.reset();
    expect((await chat.join(app)).text).toBe("Done.");
    expect(chats.shop.countOf(item)).toBe(2);
  });

  it("a call that was approved but not sent before a kill runs exactly once", async () => {
    {
      await using app = await chats.startApp();
      await refuseCalls(app.context.database, "sent");
    }
    await approve("buy");
    const app = await restart();
    await acceptRows(app.context.database);
    expect(await chat.last(app)).toMatchObject({ state: "interrupted", parts: [{ state: "approved" }] });
    expect((await chat.join(app)).text).toBe("Done.");
    expect(chats.shop.countOf(item)).toBe(1);
  });

  it("a call whose result is stored does not run again after a kill", async () => {
    await approve("buy", "silent");
    await chats.provider.chat(2);
    const app = await restart();
    expect(await chat.last(app)).toMatchObject({ state: "interrupted", parts: [{ state: "succeeded" }] });
    await chat.join(app);
    expect(await chat.tools(app)).toMatchObject([{ state: "succeeded", result: `buy of ${item}: done.` }]);
    expect(chats.shop.countOf(item)).toBe(1);
  });

  it("a task is asked for its result after a kill, and its call is not sent again", async () => {
    chats.shop.isHeld = () => true;
    await approveTask();
    const app = await restart();
    expect(await chat.last(app)).toMatchObject({ state: "interrupted", parts: [{ state: "approved", hasTask: true }] });
    const joined = chat.join(app);
    const polls = mcp.polled.length;
    await waitFor("a poll of the task", () => mcp.polled.length > polls);
    chats.shop.reset();
    expect((await joined).text).toBe("Done.");
    expect(await chat.tools(app)).toMatchObject([{ state: "succeeded", result: `brew of ${item}: done.` }]);
    expect(chats.shop.countOf(item)).toBe(1);
    await expectExactCounters(app.context.database);
  });

  it("a shutdown does not cancel a task, and the next process asks for its result", async () => {
    chats.shop.isHeld = () => true;
    await approveTask();
    const cancelled = mcp.cancelled.length;
    expect(await killed.end("SIGTERM")).toBe(0);
    const app = await restart();
    expect(mcp.cancelled).toHaveLength(cancelled);
    chats.shop.reset();
    expect((await chat.join(app)).text).toBe("Done.");
    expect(chats.shop.countOf(item)).toBe(1);
  });

  it("a stop cancels a task", async () => {
    chats.shop.isHeld = () => true;
    await approveTask();
    const cancelled = mcp.cancelled.length;
    expect((await chat.call(killed, "POST", "/stop")).status).toBe(204);
    await waitFor("the end of the task", () => mcp.cancelled.length > cancelled);
    expect(await chat.until(killed, "stopped")).toMatchObject({ parts: [{ state: "unknown" }] });
  });

  it.runIf(era === "2026-07-28")(
    "a question survives a kill, and its answers reach the server with its state",
    async () => {
      await approve("tailor");
      await chat.until(killed, "waiting");
      const app = await restart();
      expect(await chat.tools(app)).toMatchObject([
        { state: "asking", question: { forms: [{ message: "Which size?" }] } },
      ]);
      expect(chats.shop.countOf(item)).toBe(0);
      expect(await chat.submit(app, { size: "1 kg" })).toBe(200);
      expect((await chat.join(app)).text).toBe("Done.");
      expect(mcp.answered.at(-1)).toMatchObject({
        answer: { action: "accept", content: { size: "1 kg" } },
        requestState: `opaque ${item}`,
      });
      expect(chats.shop.countOf(item)).toBe(1);
      await expectExactCounters(app.context.database);
    },
  );

  it.runIf(era === "2026-07-28")("a call whose answers were sent is unknown after a kill", async () => {
    chats.shop.isHeld = () => true;
    await approve("tailor");
    await chat.until(killed, "waiting");
    expect(await chat.submit(killed, { size: "1 kg" })).toBe(200);
    await chats.shop.executed(item);
    const app = await restart();
    expect(await chat.last(app)).toMatchObject({ state: "waiting", parts: [{ state: "unknown", asked: 1 }] });
    chats.shop.reset();
    expect(await chat.decide(app, "skip")).toBe(200);
    expect((await chat.join(app)).text).toBe("Done.");
    expect(chats.shop.countOf(item)).toBe(1);
  });
});
