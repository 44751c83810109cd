import { hash } from "@node-rs/argon2";
import { describe, expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { ANTI_FORGERY_HEADER, API_BASE } from "#contract/http.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { newPerson, signUpByMail, signUpProved } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { send, visible } from "../../../testing/http/send.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock }));

const login = (username: unknown, password: unknown) =>
  app.call("POST", accountPaths.login, { body: { username, password } });
const me = (token: string) => app.call("GET", accountPaths.me, { token });
const users = () => app.context.database.selectFrom("users").selectAll();

async function signIn(username: string, password: string) {
  const response = await login(username, password);
  expect(response.status).toBe(200);
  return signedInSchema.parse(await response.json());
}

describe("sign-in by password", () => {
  it("a sign-in accepts the name in any case, and returns token and user", async () => {
    const { user, password } = await signUpByMail(app);
    const signedIn = await signIn(user.username.toUpperCase(), password);
    expect(signedIn).toMatchObject({ user, emailVerified: true });
    expect(await (await me(signedIn.access_token)).json()).toEqual(user);
  });

  it.each([
    ["", "password", "Username is required"],
    [undefined, "password", "Username is required"],
    ["ada", "", "Password is required"],
    ["ada", ["password"], "Password is required"],
    ["ada", null, "Password is required"],
  ])("a sign-in refuses the username %j with the password %j", async (username, password, sentence) => {
    const response = await login(username, password);
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({ detail: sentence });
  });

  it("C1 a sign-in gives the same answer for every name with a wrong password, to programs and browsers", async () => {
    const verified = await signUpByMail(app);
    const pending = newPerson();
    await app.call("POST", accountPaths.register, { body: pending });
    const google = await signUpByMail(app);
    const withoutPassword = app.context.database.updateTable("users").set({ password_hash: null });
    await withoutPassword.where("id", "=", google.user.id).execute();
    const leaving = await signUpProved(app);
    const deletion = { token: leaving.token, body: { isImmediate: false } };
    expect((await app.call("POST", accountPaths.accountDeletion, deletion)).status).toBe(200);
    const names = [
      ...[verified, google, leaving].flatMap(({ user }) => [user.username, user.email]),
      pending.username,
      pending.email,
      ...["no\0body", "\uD800", "’ or 1=1", "' or 1=1 --", "a".repeat(254), "*", "%"],
    ];
    const page = new TestBrowser(app);
    await page.call("GET", accountPaths.authConfig);
    const browser = {
      origin: app.url,
      "sec-fetch-site": "same-origin",
      cookie: [...page.cookies].map((pair) => pair.join("=")).join("; "),
      [ANTI_FORGERY_HEADER]: page.antiForgery,
    };
    const path = API_BASE + accountPaths.login;
    for (const headers of [{}, browser]) {
      const seen = async (username: string, password = "a wrong password") =>
        visible(await send(app.url, { method: "POST", path, body: { username, password }, headers }));
      const unknown = await seen("nobody");
      expect(unknown).toMatch(/^\[401,.*wrong-credentials/);
      for (const name of names) expect([name, await seen(name)]).toEqual([name, unknown]);
      expect(await seen(google.user.username, google.password)).toEqual(unknown);
    }
    expect((await login(pending.username, pending.password)).status).toBe(403);
  });

  it("A1 V11 a sign-in refuses empty and malformed passwords", async () => {
    const { user } = await signUpByMail(app);
    for (const password of ["", " ", null, [], {}, true, 0, ["correct horse battery"], { $ne: "" }, "\0"]) {
      const { status } = await login(user.username, password);
      expect([password, status === 400 || status === 401]).toEqual([password, true]);
    }
  });

  it("A2 a sign-in compares long and unusual passwords completely", async () => {
    const long = "x".repeat(72);
    for (const [password, other] of [
      [`${long}one`, `${long}two`],
      ["before\0after", "before\0later"],
      ["eight ch\0", "eight ch"],
      ["a sentence as password", "a sentence as passwor"],
      ["a sentence as password", "A sentence as password"],
      ["a sentence as password ", "a sentence as password"],
      [" a sentence as password", "a sentence as password"],
      ["y".repeat(256), "y".repeat(255)],
      ["😀".repeat(256), "😀".repeat(255)],
      ["密码密码密码密码", "密码密码密码密"],
      ["        ", "         "],
    ] as const) {
      const person = newPerson({ password });
      expect((await app.call("POST", accountPaths.register, { body: person })).status).toBe(201);
      expect([password, (await login(person.username, other)).status]).toEqual([password, 401]);
      // The account is not verified yet: only the right password gets that answer.
      expect([password, (await login(person.username, password)).status]).toEqual([password, 403]);
    }
  });

  it("a sign-in compares passwords as people see them, independent of Unicode composition", async () => {
    const { user } = await signUpByMail(app, { password: "Caf\u00e9 \ufb01nal" });
    expect((await login(user.username, "Cafe\u0301 final")).status).toBe(200);
  });

  it("A5 passwords are stored as argon2id with their parameters and a unique salt", async () => {
    const [one, two] = [await signUpByMail(app), await signUpByMail(app)];
    expect(one.password).toBe(two.password);
    const rows = await users().where("password_hash", "is not", null).execute();
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([one.user.id, two.user.id]));
    const hashes = rows.map((row) => row.password_hash ?? "");
    for (const stored of hashes) expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    const saltsAndHashes = hashes.flatMap((stored) => stored.split("$").slice(-2));
    expect(new Set(saltsAndHashes).size).toBe(2 * hashes.length);
  });

  it("A5 a sign-in renews a hash of older parameters", async () => {
    const { user, password } = await signUpByMail(app);
    const older = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    const mine = () => users().where("id", "=", user.id).executeTakeFirstOrThrow();
    await app.context.database.updateTable("users").set({ password_hash: older }).where("id", "=", user.id).execute();
    expect((await login(user.username, "a wrong password")).status).toBe(401);
    expect((await mine()).password_hash).toBe(older);
    await signIn(user.username, password);
    expect((await mine()).password_hash).toContain("m=19456,t=2,p=1");
    await signIn(user.username, password);
  });

  it("A6 sign-ins are refused with a Retry-After while the queue is full, and other requests are answered", async () => {
    const flood = Promise.all(Array.from({ length: 150 }, (_, at) => login(`nobody${at}`, "a wrong password")));
    const health = await Promise.all(Array.from({ length: 5 }, () => fetch(`${app.url}/healthz`)));
    const answers = await flood;
    expect(health.every(({ status }) => status === 200)).toBe(true);
    const refused = answers.filter(({ status }) => status === 503);
    // One password is hashed at a time (two with more cores), and 64 fit the queue.
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(65);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 401 || status === 503)).toBe(true);
    for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("sessions", () => {
  it("E9 a sign-in issues a new token, which contains only ids", async () => {
    const { user, token, password } = await signUpByMail(app, { firstname: "Zuleikha", lastname: "Quixote" });
    const tokens = [token];
    for (let times = 0; times < 10; times++) tokens.push((await signIn(user.username, password)).access_token);
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const one of tokens) {
      const payload = Buffer.from(one.split(".")[1] ?? "", "base64url").toString();
      const claims = JSON.parse(payload) as Record<string, unknown>;
      expect(Object.keys(claims).sort()).toEqual(["aud", "exp", "iat", "iss", "sid", "sub"]);
      expect(claims.exp).toBe(Math.floor((clock.now() + 30 * DAY) / SECOND));
      const personal = new RegExp([user.username, user.email, user.firstname, user.lastname].join("|"), "i");
      expect(payload).not.toMatch(personal);
    }
  });

  it("E4 a sign-out invalidates its token immediately, and no other", async () => {
    const { user, token, password } = await signUpByMail(app);
    const other = await signIn(user.username, password);
    const response = await app.call("POST", accountPaths.logout, { token });
    expect(response.status).toBe(204);
    expect((await me(token)).status).toBe(401);
    expect((await app.call("POST", accountPaths.logout, { token })).status).toBe(401);
    expect((await me(other.access_token)).status).toBe(200);
  });

  it("auth/me and auth/logout require a session", async () => {
    for (const [method, path] of [
      ["GET", accountPaths.me],
      ["POST", accountPaths.logout],
    ] as const) {
      const response = await app.call(method, path);
      expect(response.status).toBe(401);
      expect(await problemOf(response)).toMatchObject({ code: "not-signed-in" });
    }
  });

  it("E3 sessions expire after 7 days without use", async () => {
    const { token } = await signUpByMail(app);
    clock.advance(7 * DAY - SECOND);
    expect((await me(token)).status).toBe(200);
    clock.advance(7 * DAY - SECOND);
    expect((await me(token)).status).toBe(200);
    clock.advance(7 * DAY);
    expect((await me(token)).status).toBe(401);
  });

  it("E3 sessions stay valid when the clock is set back an hour", async () => {
    const { token } = await signUpByMail(app);
    clock.advance(-HOUR);
    expect((await me(token)).status).toBe(200);
    clock.advance(HOUR);
  });

  it("E3 sessions expire 30 days after the sign-in, used or not", async () => {
    const { token } = await signUpByMail(app);
    for (let day = 0; day < 29; day++) {
      clock.advance(DAY);
      expect((await me(token)).status).toBe(200);
    }
    clock.advance(DAY);
    expect((await me(token)).status).toBe(401);
  });

  it("G2 the last use of a session is stored at most once a minute", async () => {
    const { token, user } = await signUpByMail(app);
    const sessions = app.context.database.selectFrom("sessions").select("last_seen_at").where("user_id", "=", user.id);
    const seen = async () => (await sessions.executeTakeFirstOrThrow()).last_seen_at;
    const first = await seen();
    clock.advance(MINUTE - 1);
    await me(token);
    expect(await seen()).toBe(first);
    clock.advance(1);
    await me(token);
    expect(await seen()).toBe(first + MINUTE);
  });
});

describe("CSRF tokens", () => {
  type Jar = Map<string, string>;
  const jarAfter = (response: Response, before: Jar = new Map()): Jar =>
    new Map([
      ...before,
      ...response.headers.getSetCookie().map((cookie) => /^([^=]+)=([^;]*)/.exec(cookie)?.slice(1) ?? []),
    ] as [string, string][]);
  const tokenIn = (jar: Jar) => jar.get("XSRF-TOKEN") ?? "";
  const written = (jar: Jar) => [...jar].map((pair) => pair.join("=")).join("; ");

  /** Sends the headers of a browser on the server's own pages. */
  const browse = (method: string, path: string, jar: Jar, extra: Record<string, string> = {}, body?: unknown) =>
    app.call(method, path, {
      headers: { origin: app.url, "sec-fetch-site": "same-origin", cookie: written(jar), ...extra },
      ...(body !== undefined && { body }),
    });

  it("G1 accepts a browser's sign-in and sign-out with the latest CSRF token", async () => {
    const { user, password } = await signUpByMail(app);
    const credentials = { username: user.username, password };
    const visitor = jarAfter(await browse("GET", accountPaths.authConfig, new Map()));
    const login = (jar: Jar) => browse("POST", accountPaths.login, jar, { "x-xsrf-token": tokenIn(jar) }, credentials);
    const signedIn = await login(visitor);
    expect(signedIn.status).toBe(200);
    const { access_token } = signedInSchema.parse(await signedIn.json());
    const authorization = `Bearer ${access_token}`;
    const logout = (jar: Jar) =>
      browse("POST", accountPaths.logout, jar, { authorization, "x-xsrf-token": tokenIn(jar) });
    expect((await logout(visitor)).status).toBe(403);
    const mine = jarAfter(signedIn, visitor);
    const signedOut = await logout(mine);
    expect(signedOut.status).toBe(204);
    expect((await login(mine)).status).toBe(403);
    expect((await login(jarAfter(signedOut, mine))).status).toBe(200);
  });

  it("G1 renews a CSRF token after half its life, so that concurrent requests are not refused", async () => {
    const { token } = await signUpByMail(app);
    const authorization = `Bearer ${token}`;
    const askMe = (jar: Jar) => browse("GET", accountPaths.me, jar, { authorization });
    const visitor = jarAfter(await browse("GET", accountPaths.authConfig, new Map()));
    const first = jarAfter(await askMe(visitor), visitor);
    expect(tokenIn(first)).not.toBe(tokenIn(visitor));
    const again = await askMe(first);
    expect([again.status, again.headers.getSetCookie()]).toEqual([200, []]);
    const forged = new Map([...first, ["XSRF-TOKEN", `${tokenIn(first)}x`]]);
    expect(tokenIn(jarAfter(await askMe(forged), forged))).not.toContain(tokenIn(first));
    for (let day = 0; day < 5; day++) {
      clock.advance(3 * DAY);
      await askMe(first);
    }
    const renewed = jarAfter(await askMe(first), first);
    expect(tokenIn(renewed)).not.toBe(tokenIn(first));
    const create = (jar: Jar) =>
      browse("POST", conversationPaths.chats, jar, { authorization, "x-xsrf-token": tokenIn(jar) }, {});
    expect((await create(first)).status).toBe(201);
    expect((await create(renewed)).status).toBe(201);
  });

  it("G1 refuses a CSRF token that is thirty days old", async () => {
    const jar = jarAfter(await browse("GET", accountPaths.authConfig, new Map()));
    const login = () =>
      browse("POST", accountPaths.login, jar, { "x-xsrf-token": tokenIn(jar) }, { username: "x", password: "y" });
    expect((await login()).status).toBe(401);
    clock.advance(30 * DAY);
    expect((await login()).status).toBe(403);
  });

  it("G1 refuses the CSRF token of a visitor whose id is the session's id", async () => {
    const { token } = await signUpByMail(app);
    const claims = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
    const { sid } = JSON.parse(claims) as { sid: string };
    const visitor = new Map([["parley-visitor", sid]]);
    const jar = jarAfter(await browse("GET", accountPaths.authConfig, visitor), visitor);
    const headers = { authorization: `Bearer ${token}`, "x-xsrf-token": tokenIn(jar) };
    expect((await browse("POST", accountPaths.logout, jar, headers)).status).toBe(403);
  });

  it("G1 refuses a browser without the CSRF token or with a wrong one, and changes nothing", async () => {
    const person = newPerson();
    const jar = jarAfter(await browse("GET", accountPaths.authConfig, new Map()));
    const token = tokenIn(jar);
    const random = `${"a".repeat(22)}.${"b".repeat(43)}`;
    const tries: [Jar, Record<string, string>][] = [
      [jar, {}],
      [jar, { "x-xsrf-token": random }],
      [new Map([...jar, ["XSRF-TOKEN", random]]), { "x-xsrf-token": random }],
      [new Map(), { "x-xsrf-token": token }],
      [jar, { "x-xsrf-token": token, "sec-fetch-site": "cross-site" }],
      [jar, { "x-xsrf-token": token, origin: "https://evil.example" }],
    ];
    for (const [cookies, headers] of tries) {
      const response = await browse("POST", accountPaths.register, cookies, headers, person);
      expect(response.status).toBe(403);
      expect(await problemOf(response)).toMatchObject({ code: "csrf" });
    }
    expect(await users().where("username", "=", person.username).execute()).toEqual([]);
    expect((await browse("POST", accountPaths.register, jar, { "x-xsrf-token": token }, person)).status).toBe(201);
  });
});

it("the configuration of sign-in screens is returned", async () => {
  const response = await app.call("GET", accountPaths.authConfig);
  expect(await response.json()).toEqual({
    productName: "Parley",
    passwordMin: 8,
    passwordPolicy: "plain",
    registrationOpen: true,
    isMailOnConsole: true,
    files: { maxBytes: 20_000_000, maxPerMessage: 10 },
    maxMessageChars: 200_000,
  });
});
