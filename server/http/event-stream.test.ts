import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signUp } from "../../testing/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/start-test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demoPause: async () => undefined });
});
afterAll(() => app[Symbol.asyncDispose]());

/** A reply of the demo assistant as it is on the wire, headers apart. */
async function streamRaw(version: string) {
  const { token } = await signUp(app);
  const { id } = (await (await app.call("POST", "/chat", { token })).json()) as { id: string };
  const body = JSON.stringify({ message: "Grüße 👋" });
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  socket.write(
    `POST /api/chat/${id}/send?stream=1 HTTP/${version}\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  const bytes: Buffer[] = [];
  socket.on("data", (chunk) => bytes.push(chunk));
  await once(socket, "close");
  const text = Buffer.concat(bytes).toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  return { headers: text.slice(0, end).toLowerCase(), body: text.slice(end + 4) };
}

it("comes to HTTP/1.0 readers, such as a proxy's default, without chunks", async () => {
  const { headers, body } = await streamRaw("1.0");
  expect(headers).not.toContain("transfer-encoding");
  expect(body).toMatch(/^data: \{"reply":/);
  expect(body).toMatch(/\n\ndata: \[DONE\]\n\n$/);
});

it("comes in chunks of which each says its length in bytes, up to the empty one", async () => {
  const { headers, body } = await streamRaw("1.1");
  expect(headers).toContain("transfer-encoding: chunked");
  const events: string[] = [];
  let at = 0;
  for (;;) {
    const [line = "", size = ""] = /^([0-9a-f]+)\r\n/.exec(body.slice(at)) ?? [];
    const from = at + line.length;
    at = from + Number.parseInt(size, 16) + 2;
    expect(body.slice(at - 2, at)).toBe("\r\n");
    if (size === "0") break;
    events.push(Buffer.from(body.slice(from, at - 2), "latin1").toString("utf8"));
  }
  expect(at).toBe(body.length);
  expect(events.at(-1)).toBe("data: [DONE]\n\n");
  expect(events.join("")).toContain("Grüße");
});
