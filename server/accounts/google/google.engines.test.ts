import { afterEach, describe, expect, it, vi } from "vitest";
import { type AuthConfig, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { MINUTE } from "#contract/limits.ts";
import { mailedKey } from "../../../testing/accounts/filed-mails.ts";
import { startGoogleApp } from "../../../testing/accounts/google-app.ts";
import { newPerson, signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { GOOGLE_CLIENT_ID, type KeyServer, startKeyServer } from "../../../testing/servers/key-server.ts";

const { app, google, clock } = disposeAfterAll(await startGoogleApp());

const envFor = (server: KeyServer) => ({ GOOGLE_CLIENT_ID, GOOGLE_JWKS_URL: server.url });

afterEach(() => {
  vi.useRealTimers();
});

let people = 0;

/** A Google account that no other test uses. */
function googler(given: Record<string, unknown> = {}) {
  const number = ++people;
  return { sub: `10000000000000000${number}`, email: `googler${number}@example.org`, ...given };
}

const issue = (claims: Record<string, unknown>) => google.issueIdToken(claims, clock.now());
const post = (id_token: string, headers: Record<string, string> = {}) =>
  app.call("POST", accountPaths.google, { body: { id_token }, headers });
const signIn = async (claims: Record<string, unknown>) => post(await issue(claims));
const signedIn = async (response: Response) => {
  expect(response.status).toBe(200);
  return signedInSchema.parse(await response.json());
};
const users = () => app.context.database.selectFrom("users").selectAll();

describe("first sign-in by Google", () => {
  it("a first Google sign-in creates a verified account, which later sign-ins find by the subject", async () => {
    const person = googler();
    const first = await signedIn(await signIn(person));
    expect(first).toMatchObject({
      emailVerified: true,
      user: { email: person.email, firstname: "Ada", lastname: "Lovelace", emailVerified: true },
    });
    expect(first.user.username).toMatch(/^AdaLovelace\d*$/);
    const later = await signedIn(await signIn({ ...person, email: "moved@example.org" }));
    expect(later.user).toEqual(first.user);
    expect((await app.call("GET", accountPaths.me, { token: first.access_token })).status).toBe(200);
    expect(await users().where("email", "=", "moved@example.org").execute()).toEqual([]);
  });

  it.each([
    "http://127.0.0.1:1/canary.png",
    "https://evil.example/canary.png",
    "data:image/svg+xml,<svg onload=canary(1)>",
    "javascript:canary(1)",
  ])("F10 a Google sign-in ignores the picture %s and does not interpret a name as HTML", async (picture) => {
    const name = "<img src=x onerror=canary(1)>";
    const response = await signIn(googler({ picture, name, given_name: name, family_name: name }));
    expect(response.status).toBe(200);
    const text = (await response.text()).replace(/"access_token":"[^"]+"/, "");
    expect(text).not.toMatch(/canary\.|canary\(|[<>]|onerror=/);
    expect(JSON.stringify(await users().execute())).not.toMatch(/canary\.|canary\(|onerror=/);
  });

  it.each([
    [{ name: "Jürgen Müßig", given_name: "Jürgen", family_name: "Müßig" }, "JurgenMussig", "Jurgen", "Mussig"],
    [{ name: "李雷", given_name: "雷", family_name: "李" }, "user", "Google", "User"],
    [{ name: "Bo", given_name: "Bo", family_name: undefined }, "Bouser", "Bo", "User"],
    [{ name: "Søren Ångström", given_name: undefined, family_name: undefined }, "SorenAngstrom", "Soren", "Angstrom"],
    [{ name: "x".repeat(500), given_name: "y".repeat(99) }, "x".repeat(30), "y".repeat(30), "Lovelace"],
    [{ name: 7, given_name: null, family_name: [] }, "user", "Google", "User"],
    [{ name: "<b>R2</b> D2", given_name: "R2", family_name: "D2" }, "bR2bD2", "Google", "User"],
  ])("derives names of letters from the Google profile %j", async (claims, username, firstname, lastname) => {
    const { user } = await signedIn(await signIn(googler(claims)));
    expect(user).toMatchObject({ firstname, lastname });
    expect(user.username).toMatch(new RegExp(`^${username}\\d*$`));
    expect(user.username).toMatch(/^[a-zA-Z0-9]{3,30}$/);
  });

  it("gives each of many people with the same Google name a different username", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => signIn(googler({ name: "Grace Hopper", given_name: "Grace" }))),
    );
    const names = await Promise.all(answers.map(async (answer) => (await signedIn(answer)).user.username));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(12);
    for (const name of names) expect(name).toMatch(/^GraceHopper\d*$/);
  });

  it("creates one account for a person who signs in by Google many times concurrently", async () => {
    const person = googler();
    const tokens = await Promise.all(Array.from({ length: 5 }, () => issue(person)));
    const answers = await Promise.all(tokens.map((token) => post(token)));
    const ids = await Promise.all(answers.map(async (answer) => (await signedIn(answer)).user.id));
    expect(new Set(ids).size).toBe(1);
  });

  it("D11 a first Google sign-in removes a pending account with the address, its password and keys", async () => {
    const person = googler();
    const eve = newPerson({ email: person.email });
    await app.call("POST", accountPaths.register, { body: eve });
    const key = await mailedKey(app, person.email);
    const { user } = await signedIn(await signIn(person));
    expect(user.username).not.toBe(eve.username);
    const { username, password } = eve;
    expect((await app.call("POST", accountPaths.login, { body: { username, password } })).status).toBe(401);
    expect((await app.call("POST", accountPaths.verify, { body: { key } })).status).toBe(400);
    const left = await users().where("email", "=", person.email).execute();
    expect(left).toMatchObject([{ id: user.id, password_hash: null }]);
    const keys = app.context.database.selectFrom("email_keys").select("user_id");
    const owners = (await users().execute()).map(({ id }) => id);
    expect((await keys.execute()).filter(({ user_id }) => !owners.includes(user_id))).toEqual([]);
  });

  it("refuses a first Google sign-in if registration is closed or requires another domain", async () => {
    for (const [limits, code] of [
      [{ REGISTRATION: "closed" }, "registration-closed"],
      [{ REGISTRATION_DOMAINS: "example.com" }, "registration-domain"],
    ] as const) {
      await using limited = await startTestApp({ clock, env: { ...envFor(google), ...limits } });
      const response = await limited.call("POST", accountPaths.google, { body: { id_token: await issue(googler()) } });
      expect(await problemOf(response)).toMatchObject({ code });
    }
  });
});

describe("F7 F8 Google sign-in with the address of an existing account", () => {
  it("a Google sign-in connects an existing account if Google hosts its address", async () => {
    // Google hosts addresses of further domains of the same customer too.
    for (const claims of [{ email: `Linked${++people}@GMAIL.com` }, { hd: "example.org" }, { hd: "other.example" }]) {
      const person = googler(claims);
      const { user, password } = await signUp(app, { email: person.email });
      expect((await signedIn(await signIn(person))).user.id).toBe(user.id);
      const { username } = user;
      expect((await app.call("POST", accountPaths.login, { body: { username, password } })).status).toBe(200);
    }
  });

  it("a Google sign-in connects no existing account if Google only reports the address as verified", async () => {
    const tricks = [`trick${++people}@gmail.com.example.org`, `trick${++people}@xgmail.com`];
    for (const [email, claims] of [
      [`plain${++people}@example.org`, {}],
      // An empty domain is no customer of Google's.
      ...[`plain${++people}@example.org`, ...tricks].map((address) => [address, { hd: "" }] as const),
      ...tricks.map((address) => [`more${address}`, {}] as const),
    ] as const) {
      const person = googler({ email, ...claims });
      const { user } = await signUp(app, { email });
      const response = await signIn(person);
      expect(response.status).toBe(409);
      expect(await problemOf(response)).toMatchObject({ code: "connect-google" });
      const row = await users().where("id", "=", user.id).executeTakeFirstOrThrow();
      expect(row.google_subject).toBeNull();
    }
  });

  it("a Google sign-in connects no existing account to a second Google subject", async () => {
    const person = googler({ hd: "example.org" });
    await signedIn(await signIn(person));
    const successor = googler({ hd: "example.org", email: person.email });
    expect(await problemOf(await signIn(successor))).toMatchObject({ code: "connect-google" });
    const email = `first${++people}@gmail.com`;
    await signedIn(await signIn(googler({ email })));
    expect((await signIn(googler({ email }))).status).toBe(409);
  });
});

describe("F5 nonces of a browser's Google tokens", () => {
  const browser = { "sec-fetch-site": "same-origin" };

  /** The nonce that a browser receives with the page, and the cookies that it then sends. */
  async function openPage(cookie = "") {
    const response = await app.call("GET", accountPaths.authConfig, { headers: { ...browser, cookie } });
    const { googleNonce = "", googleClientId } = (await response.json()) as AuthConfig;
    const set = response.headers.getSetCookie();
    const nonceCookie = set.find((line) => line.startsWith("parley-google-nonce="));
    expect(nonceCookie).toMatch(/; HttpOnly/);
    expect(nonceCookie).toMatch(/; SameSite=Lax/);
    expect(nonceCookie).toMatch(/; Max-Age=600/);
    const jar = new Map([...cookie.split("; "), ...set].map((line) => [line.split("=")[0], line.split(";")[0]]));
    const cookies = [...jar.values()].join("; ");
    return { googleClientId, googleNonce, cookies };
  }

  const postFrom = async (cookies: string, claims: Record<string, unknown>) =>
    post(await issue(claims), {
      ...browser,
      cookie: cookies,
      "x-xsrf-token": /XSRF-TOKEN=([^;]*)/.exec(cookies)?.[1] ?? "",
    });

  it("accepts a Google token with the nonce of the browser's page once", async () => {
    const page = await openPage();
    expect(page.googleClientId).toBe(GOOGLE_CLIENT_ID);
    const person = googler({ nonce: page.googleNonce });
    await signedIn(await postFrom(page.cookies, person));
    expect(await problemOf(await postFrom(page.cookies, person))).toMatchObject({ code: "bad-google-token" });
    expect(await problemOf(await signIn(person))).toMatchObject({ code: "bad-google-token" });
  });

  it("refuses a Google token without a nonce, or with another browser's nonce", async () => {
    const [mine, other] = [await openPage(), await openPage()];
    const forged = mine.cookies.replace(/(parley-google-nonce=)[^.;]+/, `$1${other.googleNonce}`);
    for (const [cookies, nonce] of [
      [mine.cookies, undefined],
      [mine.cookies, ""],
      [mine.cookies, "wrong"],
      [mine.cookies, other.googleNonce],
      [forged, other.googleNonce],
      [mine.cookies.replace(/; ?parley-google-nonce=[^;]*|^parley-google-nonce=[^;]*; /, ""), mine.googleNonce],
    ] as const) {
      const response = await postFrom(cookies, googler({ nonce }));
      expect(await problemOf(response)).toMatchObject({ code: "bad-google-token" });
    }
  });

  it("accepts a Google token once, however many requests send it concurrently", async () => {
    const token = await issue(googler({ nonce: (await openPage()).googleNonce }));
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
  });

  it("accepts the nonce of a Google token for ten minutes", async () => {
    const page = await openPage();
    clock.advance(10 * MINUTE - 1);
    const late = await openPage(page.cookies);
    await signedIn(await postFrom(late.cookies, googler({ nonce: page.googleNonce })));
    const another = await openPage();
    clock.advance(10 * MINUTE);
    const response = await postFrom(another.cookies, googler({ nonce: another.googleNonce }));
    expect(await problemOf(response)).toMatchObject({ code: "bad-google-token" });
  });

  it("gives each tab of a browser a nonce of its own", async () => {
    const first = await openPage();
    const second = await openPage(first.cookies);
    expect(second.googleNonce).not.toBe(first.googleNonce);
    await signedIn(await postFrom(second.cookies, googler({ nonce: first.googleNonce })));
    await signedIn(await postFrom(second.cookies, googler({ nonce: second.googleNonce })));
  });
});

describe("F9 Google's keys", () => {
  it("fetches Google's keys once, and again for a token with an unknown key, but at most once a minute", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await using keys = await startKeyServer();
    await using other = await startTestApp({ clock, env: envFor(keys) });
    const ask = async () => {
      const id_token = await keys.issueIdToken(googler(), clock.now());
      return (await other.call("POST", accountPaths.google, { body: { id_token } })).status;
    };
    expect([await ask(), await ask(), keys.requests]).toEqual([200, 200, 1]);
    await keys.rotate();
    expect([await ask(), await ask(), keys.requests]).toEqual([400, 400, 1]);
    vi.setSystemTime(Date.now() + MINUTE);
    expect([await ask(), await ask(), keys.requests]).toEqual([200, 200, 2]);
    const unknown = Buffer.from(JSON.stringify({ alg: "RS256", typ: "JWT", kid: "unknown" })).toString("base64url");
    const id_token = (await keys.issueIdToken(googler(), clock.now())).replace(/^[^.]+/, unknown);
    for (let count = 0; count < 20; count++) await other.call("POST", accountPaths.google, { body: { id_token } });
    expect(keys.requests).toBe(2);
  });

  it("sign-in by password works while Google's keys cannot be fetched", async () => {
    await using keys = await startKeyServer();
    await using other = await startTestApp({ clock, env: envFor(keys) });
    const { user, password } = await signUp(other);
    for (const state of ["down", "silent"] as const) {
      keys.state = state;
      const id_token = await keys.issueIdToken(googler(), clock.now());
      const answering = other.call("POST", accountPaths.google, { body: { id_token } });
      const body = { username: user.username, password };
      expect((await other.call("POST", accountPaths.login, { body })).status).toBe(200);
      const response = await answering;
      expect(response.status).toBe(503);
      expect(await problemOf(response)).toMatchObject({ code: "google-unavailable" });
    }
    keys.state = "up";
    const id_token = await keys.issueIdToken(googler(), clock.now());
    expect((await other.call("POST", accountPaths.google, { body: { id_token } })).status).toBe(200);
  });
});

it.each([{}, { GOOGLE_CLIENT_ID: "" }])(
  "F3 Google sign-in is disabled if no client id is configured: %j",
  async (env) => {
    await using plain = await startTestApp({ env });
    const config = await plain.call("GET", accountPaths.authConfig);
    expect(await config.json()).not.toHaveProperty("googleClientId");
    expect(config.headers.getSetCookie().join()).not.toContain("nonce");
    for (const aud of ["", undefined, GOOGLE_CLIENT_ID]) {
      const id_token = await issue(googler({ aud }));
      expect((await plain.call("POST", accountPaths.google, { body: { id_token } })).status).toBe(404);
    }
  },
);
