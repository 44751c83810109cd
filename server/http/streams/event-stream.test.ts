import { getEventListeners, once } from "node:events";
import { connect } from "node:net";
import fastify from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { openEventStream } from "./event-stream.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demoPause: async () => undefined });
});
afterAll(() => app[Symbol.asyncDispose]());

/** Returns the raw HTTP request for a reply of the demo assistant. */
async function sendRequest(version: string, connection: "close" | "keep-alive"): Promise<string> {
  const { token } = await signUp(app);
  const { id } = (await (await app.call("POST", "/chat", { token })).json()) as { id: string };
  const body = JSON.stringify({ message: "Grüße 👋" });
  return (
    `POST /api/chat/${id}/send?stream=1 HTTP/${version}\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n` +
    `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: ${connection}\r\n\r\n${body}`
  );
}

/** Sends raw requests, and returns all bytes until the connection is closed, one character per byte. */
async function answerTo(requests: string): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  socket.write(requests);
  const bytes: Buffer[] = [];
  socket.on("data", (chunk) => bytes.push(chunk));
  await once(socket, "close");
  return Buffer.concat(bytes).toString("latin1");
}

/** Returns the raw response with a reply of the demo assistant, split into headers and body. */
async function streamRaw(version: string) {
  const text = await answerTo(await sendRequest(version, "close"));
  const end = text.indexOf("\r\n\r\n");
  return { headers: text.slice(0, end).toLowerCase(), body: text.slice(end + 4) };
}

it("a stream is sent without chunks to HTTP/1.0 clients, such as proxies by default", async () => {
  const { headers, body } = await streamRaw("1.0");
  expect(headers).not.toContain("transfer-encoding");
  expect(body).toMatch(/^data: \{"reply":/);
  expect(body).toMatch(/\n\ndata: \[DONE\]\n\n$/);
});

it("a stream is sent in chunks with their length in bytes, ended by an empty chunk", async () => {
  const { headers, body } = await streamRaw("1.1");
  expect(headers).toContain("transfer-encoding: chunked");
  const { events, rest } = readChunks(body);
  expect(rest).toBe("");
  expect(events.at(-1)).toBe("data: [DONE]\n\n");
  expect(events.join("")).toContain("Grüße");
});

it("answers two pipelined requests of one connection one after the other, each completely", async () => {
  const text = await answerTo((await sendRequest("1.1", "keep-alive")) + (await sendRequest("1.1", "close")));
  let rest = text;
  for (const _ of ["first", "second"]) {
    expect(rest).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const read = readChunks(rest.slice(rest.indexOf("\r\n\r\n") + 4));
    expect(read.events[0]).toMatch(/^data: \{"reply":/);
    expect(read.events.join("")).toContain("Grüße");
    expect(read.events.at(-1)).toBe("data: [DONE]\n\n");
    rest = read.rest;
  }
  expect(rest).toBe("");
});

/** Parses the chunks of a body up to the empty one. `rest`: the text after it. */
function readChunks(body: string): { events: string[]; rest: string } {
  const events: string[] = [];
  let at = 0;
  for (;;) {
    const [line = "", size = ""] = /^([0-9a-f]+)\r\n/.exec(body.slice(at)) ?? [];
    const from = at + line.length;
    at = from + Number.parseInt(size, 16) + 2;
    expect(body.slice(at - 2, at)).toBe("\r\n");
    if (size === "0") return { events, rest: body.slice(at) };
    events.push(Buffer.from(body.slice(from, at - 2), "latin1").toString("utf8"));
  }
}

it("B5 a stream waits for a slow client without collecting listeners", async () => {
  const listeners: number[] = [];
  const server = fastify();
  server.get("/", async (_request, reply) => {
    const stream = openEventStream(reply);
    for (let count = 0; count < 50; count++) {
      stream.send({ text: "x".repeat(100_000) });
      await stream.ready();
      listeners.push(getEventListeners(stream.signal, "abort").length);
    }
    stream.end("[DONE]");
  });
  const response = await fetch(await server.listen({ port: 0, host: "127.0.0.1" }));
  expect(await response.text()).toContain("[DONE]");
  expect(Math.max(...listeners)).toBe(0);
  await server.close();
});
