import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { problemSchema } from "#contract/problem.ts";
import { chatOf, followAccount } from "../../testing/accounts/follow-account.ts";
import { signUpByMail } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { TRUST_PROXY: "true" } });
});
afterAll(() => app[Symbol.asyncDispose]());

it("J4 R20 an exception ends neither the process nor other streams, and no response has its cause", async () => {
  const { token } = await signUpByMail(app);
  await using stream = await followAccount(app, token);
  const create = () => app.call("POST", conversationPaths.chats, { token });
  const { id } = (await (await create()).json()) as { id: string };
  expect(chatOf(await stream.next())).toBe(id);
  const broken = vi.spyOn(app.context.models, "choose");
  const body = { message: "Hello" };
  for (const thrown of [new Error("canary at /srv/secret.ts"), "canary", undefined, null, { statusCode: "canary" }]) {
    broken.mockRejectedValueOnce(thrown);
    const response = await app.call("POST", conversationPaths.chatSend(id), { token, body });
    expect(response.status).toBe(500);
    const answer = await response.text();
    expect(problemSchema.parse(JSON.parse(answer))).toMatchObject({ code: "internal" });
    expect(answer).not.toMatch(/canary|secret/);
  }
  broken.mockRestore();
  const later = (await (await create()).json()) as { id: string };
  expect(chatOf(await stream.next())).toBe(later.id);
  expect((await app.call("POST", conversationPaths.chatSend(id), { token, body })).status).toBe(200);
});

it("H5 a foreign key violation after a concurrent deletion is answered with 404", async () => {
  const { token } = await signUpByMail(app);
  const { id } = (await (await app.call("POST", conversationPaths.chats, { token })).json()) as { id: string };
  const late = vi.spyOn(app.context.models, "choose").mockImplementationOnce(async () => {
    const times = { first_seen_at: 1, last_seen_at: 1 };
    throw await app.context.database
      .insertInto("devices")
      .values({ user_id: "nobody", device: "none", ...times })
      .execute()
      .catch((error: unknown) => error);
  });
  const response = await app.call("POST", conversationPaths.chatSend(id), { token, body: { message: "Hello" } });
  late.mockRestore();
  expect(response.status).toBe(404);
});

describe("J6 contents of the log", () => {
  /** Line terminators of every kind, and terminal escape sequences. */
  const POISON = 'a\r\nb\u001b[31mc\u2028d\u2029e\u0085f\u0000{"event":"signed-in"}';

  /** Sends raw bytes that client libraries refuse to send. */
  async function sendRaw(head: string): Promise<string> {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
    socket.write(Buffer.from(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n`, "latin1"));
    return text(socket);
  }

  it("the log has one line of JSON per event, whatever usernames and URLs contain", async () => {
    const from = app.logLines.length;
    for (const username of [POISON, `${POISON}@example.org`]) {
      await app.call("POST", accountPaths.login, { body: { username, password: POISON } });
      await app.call("POST", accountPaths.resendVerification, { body: { email: username } });
      await app.call("POST", accountPaths.forgotPassword, { body: { email: username } });
      await app.call("POST", accountPaths.register, {
        body: { username, email: username, password: POISON, firstname: POISON, lastname: POISON },
      });
    }
    await app.call("GET", `/chat/${encodeURIComponent(POISON.replace("\0", ""))}`);
    await app.call("GET", "/%0d%0a%1b%5b31m%e2%80%a8");
    const poisoned = Buffer.from("\u001b[31m\u2028\u0085", "utf8").toString("latin1");
    await sendRaw(`GET /api/${Buffer.from("\u2028\u0085", "utf8").toString("latin1")} HTTP/1.1`);
    await sendRaw(`GET /api/auth/config HTTP/1.1\r\nUser-Agent: ${poisoned}\r\nX-Forwarded-For: ${poisoned}`);
    await sendRaw(`POST /api/auth/login HTTP/1.1\r\nOrigin: ${poisoned}\r\nUser-Agent: ${poisoned}`);
    const lines = app.logLines.slice(from);
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) {
      expect(line).toMatch(/^[\x20-\x7e]*\n$/);
      const { time, level } = JSON.parse(line) as { time: number; level: number };
      expect([typeof time, typeof level]).toEqual(["number", "number"]);
    }
  });

  it("the log contains sign-ins, failures and sign-outs with time, address and account id, but no names", async () => {
    const from = app.logLines.length;
    const { user, password } = await signUpByMail(app);
    const headers = { "x-forwarded-for": "203.0.113.9" };
    const login = (given: string) =>
      app.call("POST", accountPaths.login, { headers, body: { username: user.username, password: given } });
    await login(`${password}!`);
    const { access_token: proved } = signedInSchema.parse(await (await login(password)).json());
    await app.call("DELETE", accountPaths.sessions, { token: proved, headers });
    await app.call("POST", accountPaths.logout, { token: proved, headers });
    const lines = app.logLines.slice(from);
    const events = lines
      .map((line) => JSON.parse(line) as { event?: string; ip?: string; user?: string; time: number })
      .filter(({ event, ip }) => event !== undefined && ip === "203.0.113.9");
    expect(events.map(({ event }) => event)).toEqual([
      "sign-in-failed",
      "signed-in",
      "other-sessions-ended",
      "signed-out",
    ]);
    for (const event of events) expect(event.user).toBe(user.id);
    const all = lines.join("");
    for (const name of [user.email, "Lovelace"]) expect(all).not.toContain(name);
  });
});
