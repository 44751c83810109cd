import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { GaveUp } from "../bounded.ts";
import { Turn } from "../ledger/turn.ts";
import { NumberedProvider } from "../provider/numbered-provider.ts";
import { ChatClient } from "./chat-client.ts";

const accountOf = (token: string) => ({ token, username: token, password: "" });

/** A hang only: tests that do not give up must not depend on the load of the machine. */
const LATE_MS = 60_000;

/** Starts a server with this answer to every request. @returns a client of it */
async function clientOf(answer: RequestListener, giveUpMs = LATE_MS): Promise<ChatClient> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new ChatClient({ url, accounts: [accountOf("ada"), accountOf("eve")] }, { giveUpMs, pauseMs: 5 });
}

test("chats that are created at the same time belong to different accounts", async () => {
  const owners: unknown[] = [];
  const client = await clientOf(({ headers }, response) => {
    owners.push(headers.authorization);
    response
      .writeHead(201, { "content-type": "application/json" })
      .end(JSON.stringify({ id: `chat ${owners.length}` }));
  });
  const chats = await Promise.all([client.createChat(), client.createChat()]);
  expect(owners.toSorted()).toEqual(["Bearer ada", "Bearer eve"]);
  expect(chats.map((chat) => client.tokenOf(chat)).toSorted()).toEqual(["ada", "eve"]);
});

test("a send that breaks off before it names the reply is repeated with its key", async () => {
  const keys: unknown[] = [];
  const client = await clientOf(({ headers }, response) => {
    keys.push(headers["idempotency-key"]);
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (keys.length === 1) response.write(":\n\n", () => response.destroy());
    else response.end(`data: ${JSON.stringify({ reply: "r", at: 0, run: 1, rev: 0 })}\n\ndata: [DONE]\n\n`);
  });
  const turn = new Turn("chat", new NumberedProvider().ask({ pieces: 1, paceMs: 0 }));
  const reader = turn.addReader();
  await client.sendAlong(turn, reader);
  expect(keys).toEqual([turn.key, turn.key]);
  expect(reader.replyId).toBe("r");
});

test("every call of a client gives up if the server answers 503 again and again", async () => {
  const client = await clientOf((_, response) => response.writeHead(503).end(), 50);
  const turn = () => new Turn("chat", new NumberedProvider().ask({ pieces: 1, paceMs: 0 }));
  const call = { method: "GET", path: "/chat/history" };
  const calls = [
    () => client.createChat(),
    () => client.openChat("chat"),
    () => client.send(turn()),
    () => client.follow(turn()),
    () => client.sendAlong(turn(), turn().addReader()),
    () => client.askForMore(turn(), "continue"),
    () => client.stop(turn()),
    () => client.jsonOnceTaken(call),
    () => client.openOnceTaken(call),
  ];
  for (const start of calls) await expect(start()).rejects.toBeInstanceOf(GaveUp);
});
