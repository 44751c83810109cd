import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import {
  type JsonObject,
  type ScriptedMcpServer,
  startScriptedMcpServer,
} from "../../testing/mcp/scripted-mcp-server.ts";
import { callsOf } from "../../testing/tools/calls-of.ts";
import { scriptCalls, wireCall } from "../../testing/tools/script-calls.ts";
import { signUp } from "../clients/person.ts";
import type { Trial } from "../report.ts";
import { statesOf } from "./tool-site.ts";
import { listedTool, resetRemote, type ToolTarget, textResult } from "./tool-target.ts";

const MB = 1024 * 1024;
const MILLION = 1_000_000;
/** Growth of the process during the trials. */
const MEMORY_MB = 500;
const HEALTH_MS = 1000;
/** More than an account may have connections at once. */
const SILENT_SERVERS = 12;
/** Until a list is given up, with the end of its session. */
const LIST_MS = 30_000;
const RESULT_MAX = 101_000;
const DRIP_MS = 500;
/** As deep as the server of the trial can write JSON. */
const DEPTH = 2000;

/** K9, K10: lists, schemas, results and streams without an end. */
export async function tryBounds(target: ToolTarget): Promise<void> {
  await tryLists(target);
  await tryResults(target);
  await trySilence(target);
}

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const nested = (depth: number): object => JSON.parse(`${'{"properties":{"a":'.repeat(depth)}{}${"}}".repeat(depth)}`);
const withSchema = (more: object) => listedTool("a", { inputSchema: { type: "object", ...more } });

function listing(tools: () => JsonObject[]) {
  return {
    set: (remote: ScriptedMcpServer) => {
      remote.tools = tools();
    },
  };
}

/** @param cursorOf returns the cursor after that many pages */
function paging(cursorOf: (pages: number) => string) {
  let count = 0;
  const page = () => {
    count++;
    return { tools: [listedTool(`tool_${count}`)], nextCursor: cursorOf(count), ttlMs: 0, cacheScope: "private" };
  };
  return { set: (remote: ScriptedMcpServer) => void remote.methods.set("tools/list", page) };
}

const loop = { $ref: "#/$defs/loop" };
const loopingTool = listedTool("a", {
  inputSchema: { type: "object", $defs: { loop: { allOf: [loop, loop] } }, properties: { loop } },
  outputSchema: { type: "object", $ref: "#", properties: { a: { type: "string", pattern: "^(a+)+$" } } },
});

/** Ways to list tools. `isListed`: the process has tools of it. */
const lists: Record<string, { set(remote: ScriptedMcpServer): void; isListed?: boolean }> = {
  "10,000 tools": listing(() => times(10_000, (at) => listedTool(`tool_${at}`))),
  "cursors without an end": paging(String),
  "a cursor that leads to itself": paging(() => "a"),
  "a description of 4 MB": listing(() => [listedTool("a", { description: "a".repeat(4 * MB) })]),
  "a schema of 3 MB": listing(() => [withSchema({ enum: times(300_000, () => "abcdef") })]),
  "a schema of great depth": listing(() => [withSchema(nested(DEPTH))]),
  "schemas that refer to themselves": { ...listing(() => [loopingTool]), isListed: true },
  "a million tools that are none": listing(() => times(MILLION, () => ({}))),
  "a million revisions that are none": {
    set: (remote) =>
      void remote.methods.set("server/discover", () => ({
        supportedVersions: times(MILLION, () => 1),
        capabilities: {},
      })),
  },
  "a bomb of gzip": {
    set: (remote) => {
      remote.intercept = (_request, response) => bomb(response);
    },
  },
};

function bomb(response: ServerResponse): boolean {
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
  response.end(gzipSync(Buffer.alloc(256 * MB, " ")));
  return true;
}

async function tryLists(target: ToolTarget): Promise<void> {
  const { harness, tools, remote } = target;
  await harness.report.try("K9", "lists of tools without an end, and schemas without one", async (trial) => {
    const { pid } = tools.site.server;
    const before = tools.site.server.rssMb();
    for (const [name, { set, isListed = false }] of Object.entries(lists)) {
      resetRemote(remote);
      set(remote);
      const { server, check } = await tools.add({ name: "Lists", url: remote.url });
      const listed = check?.ok ? check.tools.length : 0;
      trial.expect(listed > 0 === isListed, () => `${name}: ${listed} tools are listed`);
      await expectHealth(target, trial, { after: name, before });
      await tools.remove(server.slug);
    }
    trial.expect(tools.site.server.pid === pid, "the process was started again");
  });
}

/** Results of a call. */
const results: Record<string, () => object> = {
  "a text of 12 MB": () => textResult("a".repeat(12 * MB)),
  "a text of 20 MB": () => textResult("a".repeat(20 * MB)),
  "200,000 blocks": () => ({ content: times(200_000, () => ({ type: "text", text: "a" })) }),
  "structured content of great depth": () => ({ content: [], structuredContent: nested(DEPTH) }),
  "a million contents of unknown types": () => ({ content: times(MILLION, () => ({ type: "b" })) }),
  "a million questions": () => ({ resultType: "input_required", inputRequests: { form: times(MILLION, () => 1) } }),
  "1,000 pictures that are none": () => ({ content: times(1000, () => ({ type: "image", data: "AAAA" })) }),
};

async function tryResults(target: ToolTarget): Promise<void> {
  const { harness, tools, remote } = target;
  await harness.report.try("K9", "results of great length, number and depth", async (trial) => {
    resetRemote(remote);
    const { slug } = (await tools.add({ name: "Results", url: remote.url })).server;
    const before = tools.site.server.rssMb();
    for (const [name, result] of Object.entries(results)) {
      remote.scripts.set("echo", () => ({ ...result() }));
      const chat = await tools.createChat([slug]);
      scriptCalls(tools.site.provider, [[wireCall(`${slug}__echo`, {})]]);
      await chat.ask("Call it.");
      const reply = await chat.decide("once");
      const [call] = callsOf(reply);
      const size = (call?.result?.length ?? 0) + (call?.structured?.length ?? 0);
      trial.expect(size <= 2 * RESULT_MAX, () => `${name}: the call has ${size} characters`);
      const hasEnded = call !== undefined && !["sent", "approved", "proposed"].includes(call.state);
      trial.expect(hasEnded, () => `${name}: ${statesOf(reply)}`);
      await expectHealth(target, trial, { after: name, before });
    }
    await tools.remove(slug);
  });
}

/** Ways in which a server does not answer; each leaves the connection open. */
const silences: Record<string, (response: ServerResponse) => void> = {
  "nothing at all": () => undefined,
  "an event stream without events": (response) =>
    void response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
  "comments in an event stream": (response) =>
    drip(response.writeHead(200, { "content-type": "text/event-stream" }), ":\n\n"),
  "a slow body": (response) => drip(response.writeHead(200, { "content-type": "application/json" }), " "),
};

function drip(response: ServerResponse, text: string): void {
  const timer = setInterval(() => response.write(text), DRIP_MS);
  response.on("close", () => clearInterval(timer));
}

async function trySilence({ harness, tools, remote }: ToolTarget): Promise<void> {
  const what = "tool servers that never answer, beside one that does";
  await harness.report.try("K10", what, async (trial) => {
    await using silent = await startScriptedMcpServer();
    const ways = Object.entries(silences);
    resetRemote(remote);
    const { slug } = (await tools.add({ name: "Works", url: remote.url })).server;
    remote.scripts.set("echo", () => textResult("a"));
    let requests = 0;
    silent.intercept = (_request, response) => {
      ways[requests++ % ways.length]?.[1](response);
      return true;
    };
    const begunAt = performance.now();
    const adding = times(SILENT_SERVERS, (at) => tools.add({ name: `Silent ${at}`, url: `${silent.url}?${at}` }));
    const person = await signUp(tools.site);
    for (const each of [person, tools.owner]) {
      const chat = await tools.createChat([slug], each);
      scriptCalls(tools.site.provider, [[wireCall(`${slug}__echo`, {})]]);
      await chat.ask("Call it.");
      const reply = await chat.decide("once");
      trial.expect(
        callsOf(reply)[0]?.state === "succeeded",
        () => `a call beside silent servers is ${statesOf(reply)}`,
      );
    }
    const answered = performance.now() - begunAt;
    for (const { server, check } of await Promise.all(adding)) {
      trial.expect(check?.ok === false, () => `a silent server has ${JSON.stringify(check)}`);
      await tools.remove(server.slug);
    }
    const ms = performance.now() - begunAt;
    trial.expect(harness.isShort || ms < LIST_MS, () => `silent servers were given up after ${Math.round(ms)} ms`);
    trial.note(
      `others were answered after ${Math.round(answered)} ms, silent ones given up after ${Math.round(ms)} ms`,
    );
    await tools.remove(slug);
  });
}

/** @param before resident memory before the trials, in MB */
async function expectHealth(
  { harness, tools }: ToolTarget,
  trial: Trial,
  { after, before }: { after: string; before: number },
): Promise<void> {
  const { status, ms } = await tools.site.send({ path: "/healthz" });
  const isQuick = harness.isShort || ms < HEALTH_MS;
  trial.expect(status === 200 && isQuick, () => `${after}: /healthz answered ${status} after ${Math.round(ms)} ms`);
  const grown = tools.site.server.rssMb() - before;
  trial.expect(!(grown > MEMORY_MB), () => `${after}: the process has ${Math.round(grown)} MB more`);
}
