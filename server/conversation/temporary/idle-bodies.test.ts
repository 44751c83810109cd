import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it, vi } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { SECOND } from "#contract/limits.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { framedBody, temporaryRequest } from "../../../testing/chats/temporary-request.ts";
import { readReply } from "../../../testing/http/read-events.ts";

const FLOOD = "198.51.100.1";

/** Sends the head of a question with a file and ten bytes of its body, and nothing more. */
async function beginIdle({ url }: TestApp, { token }: TestAccount): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const lines = [
    `POST ${API_BASE}${conversationPaths.temporaryReply} HTTP/1.1`,
    `Host: ${hostname}`,
    `X-Forwarded-For: ${FLOOD}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: application/octet-stream",
    "Content-Length: 1000000",
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n\0\0\0\x64{"mess`);
  return socket;
}

async function ask(app: TestApp, network: string): Promise<Response> {
  const { token } = await signUp(app);
  const body = framedBody(temporaryRequest([{ files: [{}] }]));
  return app.call("POST", conversationPaths.temporaryReply, { token, body, headers: { "x-forwarded-for": network } });
}

it("K10 idle bodies of ten accounts keep neither another network nor their own from temporary chats with files", async () => {
  const clock = new TestClock();
  await using app = await startTestApp({
    clock,
    demoPause: async () => undefined,
    env: { TRUST_PROXY: "true", RATE_LIMITS: "off" },
  });
  const accounts = await Promise.all(Array.from({ length: 10 }, () => signUp(app)));
  const idle = await Promise.all(accounts.map((account) => beginIdle(app, account)));
  const closed = new Set<Socket>();
  for (const socket of idle) socket.once("close", () => closed.add(socket));
  expect((await readReply(await ask(app, "203.0.113.7"))).isDone).toBe(true);
  const neighbour = ask(app, FLOOD);
  await vi.waitUntil(() => {
    clock.advance(SECOND);
    return closed.size >= 8;
  });
  expect((await readReply(await neighbour)).isDone).toBe(true);
  for (const socket of idle) socket.destroy();
});
