import { describe, expect, it, vi } from "vitest";
import { type SignedIn, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import {
  type AccountSession,
  SECURITY_LOG_PAGE,
  type SecurityEvent,
  securityLogSchema,
  sessionListSchema,
} from "#contract/accounts/sessions.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { filedMailsTo } from "../../../testing/accounts/filed-mails.ts";
import { followAccount } from "../../../testing/accounts/follow-account.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { signUpByMail, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";
import { createSharedDatabase } from "../../../testing/servers/shared-database.ts";
import { newId } from "../../database/new-id.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock }));

async function signIn({ user, password }: TestAccount, headers: Record<string, string> = {}): Promise<SignedIn> {
  const body = { username: user.username, password };
  return signedInSchema.parse(await (await app.call("POST", accountPaths.login, { body, headers })).json());
}

const sidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sid: string }).sid;

async function sessionsOf(token: string): Promise<AccountSession[]> {
  return sessionListSchema.parse(await (await app.call("GET", accountPaths.sessions, { token })).json());
}

async function logOf(token: string, query = ""): Promise<SecurityEvent[]> {
  return securityLogSchema.parse(await (await app.call("GET", accountPaths.securityLog + query, { token })).json());
}

const kindsOf = async (token: string) => (await logOf(token)).map(({ kind }) => kind);
const prove = ({ token, password }: TestAccount) => app.call("POST", accountPaths.proof, { token, body: { password } });
const isGood = async (token: string, at = app) => (await at.call("GET", accountPaths.me, { token })).status === 200;

describe("list of sessions", () => {
  it("the list of sessions shows device, sign-in method and last use, the requesting one first", async () => {
    const ada = await signUpByMail(app);
    clock.advance(MINUTE);
    const browser = await signIn(ada, { "user-agent": FIREFOX });
    clock.advance(MINUTE);
    const program = await signIn(ada, { "user-agent": "curl/8.5.0" });
    const list = await sessionsOf(ada.token);
    expect(list.map(({ isCurrent, method }) => [isCurrent, method])).toEqual([
      [true, "mail"],
      [false, "password"],
      [false, "password"],
    ]);
    expect(list.map(({ id }) => id)).toEqual([ada.token, program.access_token, browser.access_token].map(sidOf));
    expect(list[2]).toMatchObject({ browser: "Firefox", system: "Linux", ip: "127.0.0.1" });
    expect(list[1]).toMatchObject({ browser: "curl", system: "", createdAt: clock.now(), lastSeenAt: clock.now() });
    expect(JSON.stringify(list)).not.toContain("Mozilla");
  });

  it("the list of sessions omits expired ones, and those of other accounts", async () => {
    const [ada, eve] = [await signUpByMail(app), await signUpByMail(app)];
    clock.advance(6 * DAY);
    const later = await signIn(ada);
    clock.advance(2 * DAY);
    expect((await sessionsOf(later.access_token)).map(({ id }) => id)).toEqual([sidOf(later.access_token)]);
    expect(await isGood(eve.token)).toBe(false);
  });
});

describe("E4 signing out a device", () => {
  it("signing out a device ends its token and open streams immediately, and no others", async () => {
    const ada = await signUpByMail(app);
    const [other, third] = [await signIn(ada), await signIn(ada)];
    await using stream = await followAccount(app, other.access_token);
    await using own = await followAccount(app, ada.token);
    await prove(ada);
    const ended = await app.call("DELETE", accountPaths.session(sidOf(other.access_token)), { token: ada.token });
    expect(ended.status).toBe(204);
    expect(await stream.next()).toBeUndefined();
    expect([await isGood(other.access_token), await isGood(third.access_token), await isGood(ada.token)]).toEqual([
      false,
      true,
      true,
    ]);
    await app.call("POST", conversationPaths.chats, { token: ada.token });
    expect(await own.next()).toMatchObject({ chat: {} });
    expect(await kindsOf(ada.token)).toContain("session-ended");
  });

  it("the requesting session can be ended too", async () => {
    const ada = await signUpByMail(app);
    const other = await signIn(ada);
    await prove(ada);
    expect((await app.call("DELETE", accountPaths.session(sidOf(ada.token)), { token: ada.token })).status).toBe(204);
    expect(await isGood(ada.token)).toBe(false);
    expect(await kindsOf(other.access_token)).toContain("signed-out");
  });

  it("H1 signing out another account's session is answered with 404, and changes nothing", async () => {
    const [ada, eve] = [await signUpByMail(app), await signUpByMail(app)];
    await prove(eve);
    const bodies = [];
    for (const id of [sidOf(ada.token), newId(), "x", "%00"]) {
      const response = await app.call("DELETE", accountPaths.session(id), { token: eve.token });
      expect(response.status).toBe(404);
      bodies.push(await response.text());
    }
    expect(new Set(bodies).size).toBe(1);
    expect(await isGood(ada.token)).toBe(true);
    expect(await kindsOf(eve.token)).not.toContain("session-ended");
  });

  it("all other sessions of an account can be ended at once", async () => {
    const [ada, eve] = [await signUpByMail(app), await signUpByMail(app)];
    const others = await Promise.all([signIn(ada), signIn(ada), signIn(ada)]);
    await using stream = await followAccount(app, others[0]?.access_token ?? "");
    await prove(ada);
    expect((await app.call("DELETE", accountPaths.sessions, { token: ada.token })).status).toBe(204);
    expect(await stream.next()).toBeUndefined();
    expect(await Promise.all(others.map(({ access_token: token }) => isGood(token)))).toEqual([false, false, false]);
    expect([await isGood(ada.token), await isGood(eve.token)]).toEqual([true, true]);
    const kinds = await kindsOf(ada.token);
    expect(kinds.filter((kind) => kind === "other-sessions-ended")).toHaveLength(1);
    expect((await app.call("DELETE", accountPaths.sessions, { token: ada.token })).status).toBe(204);
    expect(await kindsOf(ada.token)).toEqual(kinds);
  });

  it("every route answers the token of an ended session with 401", async () => {
    const { token } = await signUpByMail(app);
    await app.call("POST", accountPaths.logout, { token });
    const routes = app.routes.filter(({ url, role }) => url.startsWith("/api/") && role !== "open");
    for (const { method, url } of routes) {
      const path = url.slice("/api".length).replaceAll(/:\w+/g, newId());
      const { status } = await app.call(method, path, { token });
      expect(`${method} ${path} ${status}`).toBe(`${method} ${path} 401`);
    }
    expect(routes.length).toBeGreaterThan(20);
  });

  it.runIf(isOnPostgres)("a session that was ended is invalid on other servers too, also without Redis", async () => {
    await using database = await createSharedDatabase();
    const one = await database.startServer();
    const { token, user, password } = await signUpByMail(one);
    const other = await database.startServer();
    const body = { username: user.username, password };
    const later = signedInSchema.parse(await (await one.call("POST", accountPaths.login, { body })).json());
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      await using stream = await followAccount(other, later.access_token);
      // The first heartbeat, which revalidates the session. The next one is 15 s later.
      vi.advanceTimersByTime(SECOND);
      await one.call("POST", accountPaths.proof, { token, body: { password } });
      expect((await one.call("DELETE", accountPaths.sessions, { token })).status).toBe(204);
      expect(await isGood(later.access_token, other)).toBe(false);
      vi.advanceTimersByTime(SECOND);
      expect(await stream.next()).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("security log", () => {
  it("the security log shows events newest first, with time, device and address", async () => {
    const ada = await signUpByMail(app);
    clock.advance(MINUTE);
    await app.call("POST", accountPaths.login, { body: { username: ada.user.username, password: "a wrong one" } });
    const { access_token: token } = await signIn(ada, { "user-agent": FIREFOX });
    const [newest, failed] = await logOf(token);
    expect(newest).toMatchObject({ kind: "signed-in", browser: "Firefox", system: "Linux", at: clock.now() });
    expect(failed).toMatchObject({ kind: "sign-in-failed", ip: "127.0.0.1", at: clock.now() });
  });

  it("the security log is paged, and shows only the own account's events", async () => {
    const [ada, eve] = [await signUpByMail(app), await signUpByMail(app)];
    const before = (await logOf(ada.token)).length;
    await prove(ada);
    for (let count = 0; count < SECURITY_LOG_PAGE; count++) await app.call("DELETE", accountPaths.session("x"), ada);
    const rows = Array.from({ length: SECURITY_LOG_PAGE }, () => ({
      id: newId(),
      user_id: ada.user.id,
      kind: "names-changed" as const,
      at: clock.now(),
      ip: "",
      user_agent: "",
    }));
    await app.context.database.insertInto("security_events").values(rows).execute();
    const first = await logOf(ada.token);
    expect(first).toHaveLength(SECURITY_LOG_PAGE);
    const rest = await logOf(ada.token, `?before=${first.at(-1)?.id}`);
    expect(rest).toHaveLength(before);
    const ids = [...first, ...rest].map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect(await logOf(eve.token, `?before=${first[0]?.id}`)).toHaveLength(before);
    expect((await app.call("GET", `${accountPaths.securityLog}?before=%00`, ada)).status).toBe(200);
  });
});

it("sessions are limited to a hundred of browsers and a hundred of programs; the least recently used end", async () => {
  const ada = await signUpByMail(app);
  const browser = new TestBrowser(app);
  expect((await browser.signIn(ada.user.username, ada.password)).status).toBe(200);
  clock.advance(MINUTE);
  const rows = Array.from({ length: 99 }, () => ({
    id: newId(),
    user_id: ada.user.id,
    created_at: clock.now(),
    last_seen_at: clock.now(),
    expires_at: clock.now() + DAY,
    device: null,
    user_agent: "",
    ip: "",
    method: "password" as const,
    proved_at: 0,
  }));
  await app.context.database.insertInto("sessions").values(rows).execute();
  await using events = await followAccount(app, ada.token);
  clock.advance(MINUTE);
  const { access_token: newest } = await signIn(ada);
  while (await events.next());
  expect(await isGood(ada.token)).toBe(false);
  expect([await isGood(newest), await isGood(browser.token ?? "")]).toEqual([true, true]);
  expect(await sessionsOf(newest)).toHaveLength(101);
});

describe("mails about a new device", () => {
  const mailsTo = async (ada: TestAccount) => {
    const mails = await filedMailsTo(app, ada.user.email);
    return mails.filter(({ text }) => text.includes("Firefox")).length;
  };

  it("a mail reports the first sign-in from another browser, and no later ones from there", async () => {
    const ada = await signUpByMail(app);
    const browser = new TestBrowser(app, { "user-agent": FIREFOX });
    expect((await browser.signIn(ada.user.username, ada.password)).status).toBe(200);
    expect(await mailsTo(ada)).toBe(1);
    const again = new TestBrowser(app, { "user-agent": FIREFOX });
    again.cookies.set("parley-device", browser.cookies.get("parley-device") ?? "");
    clock.advance(HOUR);
    expect((await again.signIn(ada.user.username, ada.password)).status).toBe(200);
    expect(await mailsTo(ada)).toBe(1);
    const other = new TestBrowser(app, { "user-agent": FIREFOX });
    expect((await other.signIn(ada.user.username, ada.password)).status).toBe(200);
    expect(await mailsTo(ada)).toBe(2);
  });

  it("a mail reports a new device if the account was idle until its devices expired", async () => {
    const ada = await signUpByMail(app);
    clock.advance(401 * DAY);
    await app.context.sweep.run();
    const browser = new TestBrowser(app, { "user-agent": FIREFOX });
    expect((await browser.signIn(ada.user.username, ada.password)).status).toBe(200);
    expect(await mailsTo(ada)).toBe(1);
  });

  it("a mail reports the first sign-in after a program's new password, which removed all devices", async () => {
    const ada = await signUpByMail(app);
    await app.call("POST", accountPaths.forgotPassword, { body: { email: ada.user.email } });
    const key = await newestKeyFor(app, "reset-password", ada.user.email);
    const password = "another horse battery";
    expect((await app.call("POST", accountPaths.resetPassword, { body: { key, password } })).status).toBe(200);
    clock.advance(MINUTE);
    const browser = new TestBrowser(app, { "user-agent": FIREFOX });
    expect((await browser.signIn(ada.user.username, password)).status).toBe(200);
    expect(await mailsTo(ada)).toBe(1);
  });

  it("B2 mails about new devices are sent at most once an hour, however many devices sign in", async () => {
    const ada = await signUpByMail(app);
    const notices = async () => (await filedMailsTo(app, ada.user.email)).length - 1;
    for (let count = 0; count < 12; count++) await signIn(ada, { "user-agent": `curl/${count}` });
    expect(await notices()).toBe(1);
    clock.advance(HOUR - 1);
    await signIn(ada, { "user-agent": "one more" });
    expect(await notices()).toBe(1);
    clock.advance(1);
    await signIn(ada, { "user-agent": "and one more" });
    expect(await notices()).toBe(2);
  });

  it("a mail reports programs that change their name, but not the very first sign-in", async () => {
    const ada = await signUpByMail(app);
    expect((await filedMailsTo(app, ada.user.email)).map(({ subject }) => subject)).toHaveLength(1);
    await signIn(ada);
    expect(await filedMailsTo(app, ada.user.email)).toHaveLength(1);
    await signIn(ada, { "user-agent": "curl/8.5.0" });
    await signIn(ada, { "user-agent": "curl/8.5.0" });
    expect(await filedMailsTo(app, ada.user.email)).toHaveLength(2);
  });

  it("the last fifty browsers and fifty programs of an account count as known devices", async () => {
    const ada = await signUpByMail(app);
    const browser = new TestBrowser(app);
    await browser.signIn(ada.user.username, ada.password);
    const rows = Array.from({ length: 60 }, (_, at) => ({
      user_id: ada.user.id,
      device: `program:${at}`,
      first_seen_at: clock.now() + at,
      last_seen_at: clock.now() + at,
    }));
    const { database } = app.context;
    await database.insertInto("devices").values(rows).execute();
    await signIn(ada, { "user-agent": "curl/8.5.0" });
    const kept = await database.selectFrom("devices").select("device").where("user_id", "=", ada.user.id).execute();
    const programs = kept.filter(({ device }) => device.startsWith("program:"));
    expect([programs.length, kept.length - programs.length]).toEqual([50, 1]);
    clock.advance(401 * DAY);
    await app.context.sweep.run();
    expect(await database.selectFrom("devices").selectAll().execute()).toEqual([]);
  });
});
