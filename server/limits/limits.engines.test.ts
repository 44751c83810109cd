import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SignedIn } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { Chat } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { signUp, signUpProved } from "../../testing/accounts/sign-up.ts";
import { Random } from "../../testing/app/random.ts";
import { createTestHarness, startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { TestBrowser } from "../../testing/http/test-browser.ts";
import { newId } from "../database/new-id.ts";
import { networkOf } from "./networks.ts";

describe("rate limits", () => {
  let clock: TestClock;
  let direct: TestApp;
  let behind: TestApp;
  beforeAll(async () => {
    clock = new TestClock();
    direct = await startTestApp({ clock, env: { RATE_LIMITS: "on" } });
    behind = await startTestApp({ clock, env: { RATE_LIMITS: "on", TRUST_PROXY: "true" } });
  });
  afterAll(async () => {
    await direct[Symbol.asyncDispose]();
    await behind[Symbol.asyncDispose]();
  });

  let names = 0;
  const random = new Random("B4");
  const from = (ip: string) => ({ "x-forwarded-for": ip });
  const someAddress = () => Array.from({ length: 4 }, () => random.between(1, 250)).join(".");
  /** A name without an account. */
  const newName = () => `nobody${++names}`;
  const login = (app: TestApp, headers: Record<string, string> = {}, username = newName()) =>
    app.call("POST", accountPaths.login, { headers, body: { username, password: "one password for all" } });
  const statusesOf = async (answers: Promise<Response>[]) =>
    (await Promise.all(answers)).map(({ status }) => status).sort();

  it("B2 B3 ten wrong passwords of an account a minute are allowed in a network, and then a Retry-After is sent", async () => {
    const name = newName();
    const statuses = await statusesOf(Array.from({ length: 40 }, () => login(behind, from("198.51.100.1"), name)));
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(30).fill(429)]);
    clock.advance(20 * SECOND);
    const refused = await login(behind, from("198.51.100.1"), name);
    expect(Number(refused.headers.get("retry-after"))).toBe(40);
    expect(problemSchema.parse(await refused.json())).toMatchObject({ code: "too-many-requests" });
    expect((await login(behind, from("198.51.100.1"))).status).toBe(401);
    clock.advance(40 * SECOND);
    expect((await login(behind, from("198.51.100.1"), name)).status).toBe(401);
  });

  it("an amount that is known after the work counts, also beyond the limit, until its window ends", async () => {
    const { limits } = direct.context;
    const [ada, eve] = [newId(), newId()];
    await limits.add("document-reading", ada, 119);
    await limits.check("document-reading", ada);
    await Promise.all([limits.add("document-reading", ada, 5), limits.add("document-reading", ada, 5)]);
    clock.advance(MINUTE);
    const refusal = { code: "too-many-requests", retryAfterSeconds: (HOUR - MINUTE) / SECOND };
    await expect(limits.check("document-reading", ada)).rejects.toMatchObject(refusal);
    await limits.check("document-reading", eve);
    clock.advance(HOUR - MINUTE);
    await limits.check("document-reading", ada);
    await limits.add("document-reading", ada, 119);
    await limits.check("document-reading", ada);
  });

  it("B2 successful sign-ins are not counted", async () => {
    const { user, password } = await signUp(behind);
    const body = { username: user.username, password };
    for (let count = 0; count < 12; count++) {
      const response = await behind.call("POST", accountPaths.login, { headers: from("198.51.100.3"), body });
      expect(response.status).toBe(200);
    }
  });

  it("B2 successful sign-ins beside many refused ones are not counted", async () => {
    const { user, password } = await signUp(behind);
    const body = { username: user.username, password };
    const signIn = () => behind.call("POST", accountPaths.login, { headers: from("198.51.100.10"), body });
    const statuses = await statusesOf(Array.from({ length: 40 }, signIn));
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200));
    expect((await signIn()).status).toBe(200);
  });

  it("B3 attempts of an earlier window are not taken back from the next one", async () => {
    const { limits } = behind.context;
    const giveBack = await limits.take("sign-in", "198.51.100.11");
    clock.advance(MINUTE);
    for (let count = 0; count < 10; count++) await limits.take("sign-in", "198.51.100.11");
    await giveBack();
    await expect(limits.take("sign-in", "198.51.100.11")).rejects.toMatchObject({ code: "too-many-requests" });
  });

  it("B2 known browsers are admitted, however many guesses come from the same network", async () => {
    const { user, password } = await signUp(behind);
    const headers = from("198.51.100.4");
    const own = new TestBrowser(behind, headers);
    expect((await own.signIn(user.username, password)).status).toBe(200);
    await Promise.all(Array.from({ length: 40 }, () => login(behind, headers)));
    expect((await new TestBrowser(behind, headers).signIn(user.username, password)).status).toBe(429);
    expect((await own.signIn(user.username, password)).status).toBe(200);
  });

  it("B6 the limits are shared by all routes that check a password", async () => {
    const { token, user } = await signUp(behind);
    const headers = from("198.51.100.5");
    for (let count = 0; count < 10; count++) expect((await login(behind, headers, user.username)).status).toBe(401);
    const proof = await behind.call("POST", accountPaths.proof, { token, headers, body: { password: "wrong again" } });
    expect(proof.status).toBe(429);
    expect((await login(behind, headers, user.username)).status).toBe(429);
  });

  it("B1 B4 guesses at one account are counted over all networks", async () => {
    const { user, password } = await signUp(behind);
    const own = new TestBrowser(behind, from("203.0.113.10"));
    expect((await own.signIn(user.username, password)).status).toBe(200);
    const statuses: number[] = [];
    for (let at = 0; at < 25; at++) statuses.push((await login(behind, from(`192.0.2.${at}`), user.username)).status);
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(15).fill(429)]);
    const body = { username: user.username, password };
    const otherNetwork = await behind.call("POST", accountPaths.login, { headers: from("203.0.113.9"), body });
    expect(otherNetwork.status).toBe(429);
    expect((await own.signIn(user.username, password)).status).toBe(200);
  });

  it("B4 an IPv6 network counts as one subject, and an IPv4-mapped address as its IPv4 address", async () => {
    const inside = (end: number) => from(`2001:db8:7:7:${end}::${end}`);
    const statuses = await statusesOf(Array.from({ length: 32 }, (_, at) => login(behind, inside(at))));
    expect(statuses).toEqual([...Array(30).fill(401), 429, 429]);
    expect((await login(behind, from("2001:db8:7:8::1"))).status).toBe(401);
    const others = Array.from({ length: 16 }, (_, at) => login(behind, from(`2001:db8:9:${at.toString(16)}::1`)));
    expect(await statusesOf(others)).toEqual(Array(16).fill(401));
    const clothes = ["::ffff:198.51.100.6", "198.51.100.6", "::ffff:c633:6406"];
    for (let count = 0; count < 30; count++) await login(behind, from(clothes[count % 3] ?? ""));
    for (const address of clothes) expect((await login(behind, from(address))).status).toBe(429);
  });

  it("B4 forwarded headers are ignored without a trusted proxy", async () => {
    clock.advance(MINUTE);
    const forged = (): Record<string, string> => {
      const ip = someAddress();
      return {
        "x-forwarded-for": `${ip}, ${someAddress()}`,
        forwarded: `for=${ip}`,
        "x-real-ip": ip,
        "cf-connecting-ip": ip,
        "true-client-ip": ip,
        "x-client-ip": ip,
        "x-cluster-client-ip": ip,
        "x-originating-ip": ip,
        "x-forwarded": ip,
        "x-remote-ip": ip,
        "x-remote-addr": ip,
        "cf-connecting-ipv6": ip,
        "fastly-client-ip": ip,
        "forwarded-for": ip,
        via: ip,
      };
    };
    const statuses = await statusesOf(Array.from({ length: 40 }, () => login(direct, forged())));
    expect(statuses).toEqual([...Array(30).fill(401), ...Array(10).fill(429)]);
  });

  it("B4 the address that a trusted proxy added is used, but none that it received", async () => {
    const forged = () => ({ "x-forwarded-for": `${someAddress()}, 198.51.100.7`, "x-real-ip": someAddress() });
    const statuses = await statusesOf(Array.from({ length: 35 }, () => login(behind, forged())));
    expect(statuses).toEqual([...Array(30).fill(401), ...Array(5).fill(429)]);
    const chain = (length: number) => from(`${"203.0.113.1, ".repeat(length)}198.51.100.12`);
    const chained = await statusesOf(Array.from({ length: 36 }, (_, length) => login(behind, chain(length))));
    expect(chained).toEqual([...Array(30).fill(401), ...Array(6).fill(429)]);
  });

  it("K6 an IPv6 network of 48 bits counts as sixteen of 64", async () => {
    const { limits } = behind.context;
    const inside = (network: number) => `2001:db8:48:${network.toString(16)}::1`;
    for (let at = 0; at < 470; at++) await limits.take("failed-accounts", networkOf(inside(at % 30)));
    const statuses = await statusesOf(Array.from({ length: 10 }, (_, at) => login(behind, from(inside(100 + at)))));
    expect(statuses).toEqual(Array(10).fill(401));
    const refused = await login(behind, from(inside(200)));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "600"]);
    expect((await login(behind, from("2001:db8:49::1"))).status).toBe(401);
    clock.advance(10 * MINUTE);
    expect((await login(behind, from(inside(200)))).status).toBe(401);
  });

  it("B4 unknown addresses count as one subject", async () => {
    const statuses = await statusesOf(
      Array.from({ length: 32 }, (_, at) => login(behind, from(at % 2 ? "unknown" : `not an address ${at}`))),
    );
    expect(statuses).toEqual([...Array(30).fill(401), 429, 429]);
  });

  it("B2 an account may begin sixty chats and replies a minute", async () => {
    const [one, other] = [await signUp(behind), await signUp(behind)];
    const create = (token: string) => behind.call("POST", conversationPaths.chats, { token });
    for (let count = 0; count < 60; count++) expect((await create(one.token)).status).toBe(201);
    const refused = await create(one.token);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    const { id } = (await (await create(other.token)).json()) as { id: string };
    const chats = (await (await behind.call("GET", conversationPaths.chatHistory, { token: one.token })).json()) as {
      id: string;
    }[];
    const own = chats[0]?.id ?? "";
    const send = (token: string, chat: string) =>
      behind.call("POST", conversationPaths.chatSend(chat), { token, body: { message: "Hello" } });
    expect((await send(one.token, own)).status).toBe(429);
    const reply = await behind.call("POST", conversationPaths.chatReply(own), {
      token: one.token,
      body: { mode: "retry" },
    });
    expect(reply.status).toBe(429);
    expect((await send(other.token, id)).status).toBe(200);
    clock.advance(MINUTE);
    expect((await create(one.token)).status).toBe(201);
  });

  it("K2 changes of an account count by session, and Stop separately, so that an attacker cannot block its owner", async () => {
    const { user, password, token: thiefs } = await signUpProved(behind);
    const signIn = { headers: from("198.51.100.20"), body: { username: user.username, password } };
    const { access_token: token } = (await (await behind.call("POST", accountPaths.login, signIn)).json()) as SignedIn;
    const fillLimits = () => behind.context.database.updateTable("limits").set({ count: 1_000_000 }).execute();
    const { id } = (await (await behind.call("POST", conversationPaths.chats, { token })).json()) as Chat;
    const rename = () => behind.call("PATCH", conversationPaths.chat(id), { token, body: { title: "Another" } });
    const endOne = (caller: string) => behind.call("DELETE", accountPaths.session(newId()), { token: caller });
    expect([(await rename()).status, (await endOne(thiefs)).status]).toEqual([204, 404]);
    await fillLimits();
    expect([(await rename()).status, (await endOne(thiefs)).status]).toEqual([429, 429]);
    expect((await endOne(token)).status).toBe(404);
    expect((await behind.call("POST", conversationPaths.chatStop(id), { token })).status).toBe(204);
    expect((await behind.call("GET", conversationPaths.chatHistory, { token: thiefs })).status).toBe(200);
    clock.advance(MINUTE);
    expect((await rename()).status).toBe(204);
  });

  it("R19 limits last no longer than their window after the clock was set back", async () => {
    const name = newName();
    for (let count = 0; count < 11; count++) await login(behind, from("198.51.100.8"), name);
    clock.advance(-HOUR);
    const refused = await login(behind, from("198.51.100.8"), name);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    clock.advance(MINUTE);
    expect((await login(behind, from("198.51.100.8"), name)).status).toBe(401);
    clock.advance(HOUR);
  });

  it("B5 counters are stored in the database without addresses or names, and removed when they are over", async () => {
    await login(behind, from("198.51.100.9"));
    const rows = () => behind.context.database.selectFrom("limits").selectAll().execute();
    for (const { key } of await rows()) expect(key).toMatch(/^([a-z-]+ )?[\w-]{43}$/);
    clock.advance(HOUR + 1);
    await behind.context.sweep.run();
    expect(await rows()).toEqual([]);
  });
});

it("B5 counts survive a restart", async () => {
  await using harness = await createTestHarness();
  const clock = new TestClock();
  const env = { RATE_LIMITS: "on" };
  const guess = (app: TestApp, at: number) =>
    app.call("POST", accountPaths.login, { body: { username: `nobody${at}`, password: "a wrong one" } });
  const before = await startTestApp({ harness, clock, env });
  for (let count = 0; count < 30; count++) expect((await guess(before, count)).status).toBe(401);
  await before[Symbol.asyncDispose]();
  await using after = await startTestApp({ harness, clock, env });
  expect((await guess(after, 31)).status).toBe(429);
});

it("B2 limits are enabled if other machines can reach the server", async () => {
  for (const [env, isLimited] of [
    [{}, false],
    [{ PUBLIC_URL: "http://chat.example.org" }, true],
    [{ PUBLIC_URL: "http://chat.example.org", RATE_LIMITS: "off" }, false],
    [{ HOST: "0.0.0.0" }, true],
    [{ HOST: "0.0.0.0", RATE_LIMITS: "off" }, false],
  ] as const) {
    await using app = await startTestApp({ env });
    expect(app.context.config.hasRateLimits).toBe(isLimited);
  }
});
