import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { answerOf, handshakeOf } from "../../testing/mcp/protocol-answers.ts";
import { scriptCalls, wireCall } from "../../testing/tools/script-calls.ts";
import { listedTool, resetRemote, type ToolTarget } from "./tool-target.ts";

const BREAK = "\r\nx-injected: yes\r\n";

/** N4: headers that a malicious server or a model makes up. */
export async function tryHeaders(target: ToolTarget): Promise<void> {
  await tryParameters(target);
  await trySessions(target);
}

async function tryParameters({ harness, tools, remote }: ToolTarget): Promise<void> {
  const what = "names of headers in schemas, and line breaks in arguments that are sent as headers";
  await harness.report.try("N4", what, async (trial) => {
    resetRemote(remote);
    const withHeader = (name: string, header: string) =>
      listedTool(name, {
        inputSchema: { type: "object", properties: { text: { type: "string", "x-mcp-header": header } } },
      });
    const forged = ["", "A B", `A${BREAK}`, "A:", "é", "a\0b", "A\u2028"];
    remote.tools = [withHeader("echo", "Authorization"), ...forged.map((name, at) => withHeader(`forged_${at}`, name))];
    const headers = [{ name: "X-Key", value: "canary-of-owner" }];
    const { server, check } = await tools.add({ name: "Headers", url: remote.url, headers });
    const names = check?.ok ? check.tools.map(({ name }) => name) : [];
    trial.expect(names.join() === "echo", () => `tools with forged headers are offered: ${names}`);
    const chat = await tools.createChat([server.slug]);
    const texts = [`a${BREAK}`, "a\0b", `a\nauthorization: Bearer b`, "é\u2028", " a ", "a".repeat(20_000)];
    for (const text of texts) {
      remote.requests.length = 0;
      scriptCalls(tools.site.provider, [[wireCall(`${server.slug}__echo`, { text })]]);
      await chat.ask("Call it.");
      await chat.decide("once");
      for (const { headers: sent } of remote.requests) {
        const hasForged = "x-injected" in sent || "authorization" in sent || sent["x-key"] !== "canary-of-owner";
        trial.expect(!hasForged, () => `${JSON.stringify(text.slice(0, 40))} sent ${JSON.stringify(sent)}`);
      }
    }
    await tools.remove(server.slug);
  });
}

async function trySessions({ harness, tools, remote }: ToolTarget): Promise<void> {
  const what = "ids of sessions with control characters, line breaks and great length, and headers that break HTTP";
  await harness.report.try("N4", what, async (trial) => {
    const ids = ["a\x01b", "a\tb", "\xe9", "a\0b", `a${BREAK}`, " ", "", "a".repeat(9000), "a\x7f", "a, b"];
    for (const id of ids) {
      await using forging = await startForgingServer(id);
      const { server } = await tools.add({ name: "Sessions", url: forging.url });
      await tools.refresh(server.slug);
      const sent = forging.received.filter((request) => /^(x-injected:|authorization:)/im.test(request));
      trial.expect(sent.length === 0, () => `the id ${JSON.stringify(id.slice(0, 40))} added a header: ${sent[0]}`);
      await tools.remove(server.slug);
    }
    resetRemote(remote);
    const { server, check } = await tools.add({ name: "Sessions", url: remote.url });
    trial.expect(check?.ok === true, "the process lists no tools any more");
    await tools.remove(server.slug);
  });
}

/** Starts a server of revision 2025-11-25 that writes its headers as they are, among them the id of a session. */
async function startForgingServer(sessionId: string) {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      const request = bytes.toString("latin1");
      received.push(request);
      const body = request.slice(request.indexOf("\r\n\r\n") + 4);
      socket.end(Buffer.from(answerTo(body, sessionId), "latin1"));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo(body: string, sessionId: string): string {
  const { id, method } = parse(body);
  const result =
    method === "initialize"
      ? handshakeOf("forging")
      : method === "tools/list"
        ? { tools: [listedTool("echo")] }
        : undefined;
  const json = id === undefined ? "" : JSON.stringify(answerOf(id, result));
  const head = [
    "HTTP/1.1 200 OK",
    "content-type: application/json",
    `mcp-session-id: ${sessionId}`,
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
}

function parse(body: string): { id?: unknown; method?: string } {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}
