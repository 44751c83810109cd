import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { sql } from "kysely";
import { beforeEach, expect, it } from "vitest";
import { API_BASE } from "#contract/http.ts";
import { DAY, HOUR } from "#contract/limits.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import type { Share } from "#contract/shares/shares.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { changeSettingsOf } from "../../testing/accounts/settings.ts";
import type { TestAccount } from "../../testing/accounts/sign-up.ts";
import type { TestApp } from "../../testing/app/start-test-app.ts";
import { message } from "../../testing/chats/exported-chats.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import { createSharedDatabase, type SharedDatabase } from "../../testing/servers/shared-database.ts";
import { importChat, shareChat, tokenOf } from "../../testing/shares/share-chat.ts";

let database: SharedDatabase;
beforeEach(async () => {
  database = await createSharedDatabase();
  return () => database[Symbol.asyncDispose]();
});

/** Two processes without Redis, whose clocks differ by two hours; on SQLite the same one. */
async function startServers(): Promise<[TestApp, TestApp]> {
  const env = { RATE_LIMITS: "off", MAX_FILE_MB: "64" };
  if (!isOnPostgres) {
    const app = await database.startServer({ env });
    return [app, app];
  }
  const off = (byMs: number) => ({ now: () => Date.now() + byMs });
  return [
    await database.startServer({ env, clock: off(-HOUR) }),
    await database.startServer({ env, clock: off(HOUR) }),
  ];
}

/** Makes a link with a file that is larger than the buffers of a connection. */
async function shareLargeFile(app: TestApp, owner: TestAccount): Promise<Share> {
  const bytes = "Words of a large file.\n".repeat(1_000_000);
  const file = await uploadFile(app, { token: owner.token, name: "large.txt", bytes });
  const question = message({ parts: [{ seq: 0, at: 0, kind: "file", ...file }] });
  return shareChat(app, owner, await importChat(app, owner, { messages: [question], leaf: question.id }));
}

/** Opens a file of a link and reads nothing after the head, so that most of it is still to be sent. */
async function openFile(app: TestApp, token: string): Promise<IncomingMessage> {
  const request = get(`${app.url}${API_BASE}${sharePaths.sharedFile(token, 0)}`);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
}

const accepted: Socket[] = [];
const accept = (message: unknown) => accepted.push((message as { socket: Socket }).socket);
beforeEach(() => {
  subscribe("net.server.socket", accept);
  return () => unsubscribe("net.server.socket", accept);
});

/** Waits until the server ends the connection, and reads the rest. @returns whether something is missing */
async function isCutOff(response: IncomingMessage): Promise<boolean> {
  const connection = accepted.find(({ remotePort }) => remotePort === response.socket.localPort);
  if (!connection) throw new Error("The connection is unknown");
  if (!connection.closed) await once(connection, "close");
  try {
    for await (const _ of response);
  } catch {
    // The connection was cut off.
  }
  return !response.complete;
}

it("H6 a revoked link ends responses that another process is sending, and answers 404 there", async () => {
  const [a, b] = await startServers();
  const owner = await signUpAs(a, "owner");
  const share = await shareLargeFile(a, owner);
  const switched = await shareChat(a, owner, share.chatId);
  const [revoked, paused] = [await openFile(b, tokenOf(share)), await openFile(b, tokenOf(switched))];
  expect((await a.call("DELETE", sharePaths.share(share.id), { token: owner.token })).status).toBe(204);
  expect((await b.call("GET", sharePaths.sharedPage(tokenOf(share)))).status).toBe(404);
  expect(await isCutOff(revoked)).toBe(true);
  await changeSettingsOf(a, owner, { shareLinks: "off" });
  expect((await b.call("GET", sharePaths.sharedPage(tokenOf(switched)))).status).toBe(404);
  expect(await isCutOff(paused)).toBe(true);
});

it.runIf(isOnPostgres)("responses of links end while the database does not answer", async () => {
  const [app] = await startServers();
  const owner = await signUpAs(app, "owner");
  const share = await shareLargeFile(app, owner);
  const response = await openFile(app, tokenOf(share));
  await app.context.database.transaction().execute(async (db) => {
    await sql`lock table shares in access exclusive mode`.execute(db);
    expect(await isCutOff(response)).toBe(true);
  });
});

it("links expire by the clock of the database, whatever the clocks of the processes", async () => {
  const [a, b] = await startServers();
  const owner = await signUpAs(a, "owner");
  const chat = await importChat(a, owner);
  const share = await shareChat(a, owner, chat, { days: 1 });
  const expiry = share.expiresAt ?? 0;
  expect(Math.abs(expiry - Date.now() - DAY)).toBeLessThan(HOUR / 2);
  const read = (app: TestApp) => app.call("GET", sharePaths.sharedPage(tokenOf(share)));
  const expireIn = (ms: number) =>
    a.context.database
      .updateTable("shares")
      .set({ expires_at: Date.now() + ms })
      .where("id", "=", share.id)
      .execute();
  await expireIn(HOUR / 2);
  expect([(await read(a)).status, (await read(b)).status]).toEqual([200, 200]);
  await expireIn(-HOUR / 2);
  expect([(await read(a)).status, (await read(b)).status]).toEqual([404, 404]);
});
