import { describe, expect, it } from "vitest";
import { RESEND_SUCCESS, type RegisterRequest, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { DAY, MINUTE, SECOND } from "#contract/limits.ts";
import { filedMails, filedMailsTo, keyIn, mailedKey } from "../../../testing/accounts/filed-mails.ts";
import { newPerson, signUpByMail } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { send, visible } from "../../../testing/http/send.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";
import { visibleOf } from "../../../testing/http/visible-of.ts";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock }));

const post = (path: string, body: unknown) => app.call("POST", path, { body });
const register = (given: Partial<RegisterRequest> = {}) => post(accountPaths.register, newPerson(given));
const verify = (key: string) => post(accountPaths.verify, { key });
const login = (username: string, password: string) => post(accountPaths.login, { username, password });
const resend = (email: string) => post(accountPaths.resendVerification, { email });
/** The whole answer with all headers. */
const answered = async (path: string, body: unknown) => {
  const { text, headers } = await send(app.url, { method: "POST", path: API_BASE + path, body });
  return text + JSON.stringify(headers);
};
/** The parts of an answer that a client sees, without `fetch`, which hides the order of headers. */
const seen = async (path: string, body: unknown) =>
  visible(await send(app.url, { method: "POST", path: API_BASE + path, body }));

async function keysTo(address: string): Promise<string[]> {
  return (await filedMailsTo(app, address)).flatMap(({ text }) => keyIn(text) ?? []);
}

describe("verification", () => {
  it("a verification signs in with the mailed key", async () => {
    const { username, email } = newPerson();
    await register({ username, email });
    const response = await verify(` ${await mailedKey(app, email)}\n`);
    expect(response.status).toBe(200);
    const { access_token, user, emailVerified } = signedInSchema.parse(await response.json());
    expect(emailVerified).toBe(true);
    expect(user).toMatchObject({ username, email, emailVerified: true });
    expect(await (await app.call("GET", accountPaths.me, { token: access_token })).json()).toEqual(user);
  });

  it.each(["", " \n\t", undefined, null, 1])("a verification refuses %j instead of a key", async (key) => {
    const response = await post(accountPaths.verify, { key });
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({ detail: "Please enter the verification key" });
  });

  it("D3 a verification gives the same answer for an invalid, used, replaced and expired key", async () => {
    const [used, replaced, expired] = [newPerson(), newPerson(), newPerson()];
    await signUpByMail(app, used);
    await register(replaced);
    const replacedKey = await mailedKey(app, replaced.email);
    await resend(replaced.username);
    await register(expired);
    const expiredKey = await mailedKey(app, expired.email);
    clock.advance(DAY);
    const wrong = await visibleOf(await verify("A".repeat(43)));
    expect(wrong.status).toBe(400);
    expect(JSON.parse(wrong.body)).toMatchObject({ code: "bad-key" });
    for (const key of [await mailedKey(app, used.email), replacedKey, expiredKey]) {
      expect(await visibleOf(await verify(key))).toEqual(wrong);
    }
  });

  it("D2 accepts a verification key for 24 hours from its sending", async () => {
    const person = newPerson();
    await register(person);
    const key = await mailedKey(app, person.email);
    clock.advance(DAY - SECOND);
    expect((await verify(key)).status).toBe(200);
  });

  it("D3 accepts a verification key once, however many requests send it concurrently", async () => {
    const person = newPerson();
    await register(person);
    const key = await mailedKey(app, person.email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(409)]);
    for (const answer of answers) if (!answer.ok) expect((await problemOf(answer)).code).toBe("already-verified");
    expect((await verify(key)).status).toBe(409);
  });

  it("D3 a used key is a success without a session for the browser that registered, until it would have expired", async () => {
    const [own, scanner, other] = [new TestBrowser(app), new TestBrowser(app), new TestBrowser(app)];
    const person = newPerson();
    await own.call("POST", accountPaths.register, person);
    const key = await mailedKey(app, person.email);
    expect((await scanner.call("POST", accountPaths.verify, { key })).status).toBe(200);
    for (let count = 0; count < 2; count++) {
      const again = await own.call("POST", accountPaths.verify, { key });
      expect([again.status, await again.json()]).toEqual([200, { alreadyVerified: true }]);
    }
    const elsewhere = await other.call("POST", accountPaths.verify, { key });
    expect([elsewhere.status, (await problemOf(elsewhere)).code]).toEqual([409, "already-verified"]);
    const wrong = await visibleOf(await verify("A".repeat(43)));
    clock.advance(DAY);
    expect(await visibleOf(await verify(key))).toEqual(wrong);
    const late = await own.call("POST", accountPaths.verify, { key });
    expect([late.status, (await problemOf(late)).code]).toEqual([400, "bad-key"]);
  });

  it("D3 a session that a mailed link began in another browser ends after ten minutes without use", async () => {
    const [own, scanner, person] = [new TestBrowser(app), new TestBrowser(app), newPerson()];
    await own.call("POST", accountPaths.register, person);
    const response = await scanner.call("POST", accountPaths.verify, { key: await mailedKey(app, person.email) });
    scanner.token = signedInSchema.parse(await response.json()).access_token;
    const statusOf = async () => (await scanner.call("GET", accountPaths.me)).status;
    for (let count = 0; count < 3; count++) {
      clock.advance(9 * MINUTE);
      expect(await statusOf()).toBe(200);
    }
    clock.advance(10 * MINUTE);
    expect(await statusOf()).toBe(401);
  });

  it("a session that a mailed link began in the browser that registered lives for days", async () => {
    const [own, person] = [new TestBrowser(app), newPerson()];
    await own.call("POST", accountPaths.register, person);
    const response = await own.call("POST", accountPaths.verify, { key: await mailedKey(app, person.email) });
    own.token = signedInSchema.parse(await response.json()).access_token;
    clock.advance(6 * DAY);
    expect((await own.call("GET", accountPaths.me)).status).toBe(200);
  });

  it("D4 a newer verification key invalidates the earlier one", async () => {
    const { username, email } = newPerson();
    await register({ username, email });
    const first = await mailedKey(app, email);
    await resend(email);
    const second = await mailedKey(app, email);
    expect(second).not.toBe(first);
    expect((await verify(first)).status).toBe(400);
    expect((await verify(second)).status).toBe(200);
  });

  it("D11 a verification removes the other pending accounts with the address, their keys and mails", async () => {
    const [eve, ada] = [newPerson().username, newPerson()];
    await register({ username: eve, email: ada.email.toUpperCase(), password: "password of Eve" });
    const keyOfEve = await mailedKey(app, ada.email);
    await register(ada);
    expect((await verify(await mailedKey(app, ada.email))).status).toBe(200);
    expect((await verify(keyOfEve)).status).toBe(400);
    expect((await login(eve, "password of Eve")).status).toBe(401);
    const claims = app.context.database.selectFrom("users").select("username");
    expect(await claims.where("email_key", "=", ada.email.toLowerCase()).execute()).toMatchObject([
      { username: ada.username },
    ]);
  });

  it("verifies exactly one of several accounts with one address that verify concurrently", async () => {
    const { email } = newPerson();
    for (let rival = 0; rival < 5; rival++) await register({ username: newPerson().username, email });
    const answers = await Promise.all((await keysTo(email)).map((key) => verify(key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  it("D5 D7 a registration writes nothing that could verify or sign in to the database, the log or an answer", async () => {
    const { username, email } = newPerson();
    const registered = await answered(
      accountPaths.register,
      newPerson({ username, email, password: "canary of a password" }),
    );
    const first = await mailedKey(app, email);
    const asked = await answered(accountPaths.resendVerification, { email });
    const key = await mailedKey(app, email);
    const used = await answered(accountPaths.verify, { key: `${key}x` });
    const { token } = await signUpByMail(app);
    const { database } = app.context;
    const tables = ["users", "sessions", "email_keys", "mails", "used_nonces"] as const;
    const rows = await Promise.all(tables.map((table) => database.selectFrom(table).selectAll().execute()));
    const dump = JSON.stringify(rows);
    expect(dump).toContain(email);
    const told = [dump, app.logLines.join(""), registered, asked, used];
    for (const secret of [first, key, token, "canary of a password"]) expect(told.join()).not.toContain(secret);
  });
});

it("C2 gives the usual answer to a resend that races with a verification, and loses neither", async () => {
  for (let round = 0; round < 5; round++) {
    const first = newPerson();
    const rival = newPerson({ email: first.email });
    for (const body of [first, rival]) await post(accountPaths.register, body);
    const key = await mailedKey(app, first.email);
    const answers = await Promise.all([
      post(accountPaths.verify, { key }),
      ...[first.email, rival.username, first.username, first.email].map(resend),
    ]);
    expect(answers.slice(1).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect([200, 400]).toContain(answers[0]?.status);
  }
});

describe("resending of the verification mail", () => {
  it("a resend mails a new key to an address or a username, case-insensitively", async () => {
    const { username, email } = newPerson();
    await register({ username, email });
    await filedMails(app);
    for (const name of [email.toUpperCase(), username.toUpperCase(), ` ${username} `]) {
      const response = await resend(name);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ message: RESEND_SUCCESS });
      await filedMails(app);
    }
    expect(RESEND_SUCCESS).toBe("Verification email sent successfully!");
    expect(await keysTo(email)).toHaveLength(4);
    expect((await verify(await mailedKey(app, email))).status).toBe(200);
  });

  it.each(["", "  ", undefined, 7])("a resend refuses %j instead of an address", async (email) => {
    const response = await post(accountPaths.resendVerification, { email });
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({
      detail: "Email address is required to resend verification email",
    });
  });

  it("C2 a resend gives the same answer with or without a pending account, and mails only existing ones", async () => {
    const { user } = await signUpByMail(app, newPerson());
    const pending = newPerson();
    await register(pending);
    const before = await filedMails(app);
    const known = await seen(accountPaths.resendVerification, { email: pending.email });
    const { username, email } = newPerson();
    const nobody = [email, username, `${"a".repeat(60)}@example.org`, "a\0b", "\uD800", "a\0@example.org"];
    for (const name of [user.username, user.email, user.email.toUpperCase(), pending.username, ...nobody]) {
      // A newer key removes the unsent mail of an earlier one.
      await filedMails(app);
      expect([name, await seen(accountPaths.resendVerification, { email: name })]).toEqual([name, known]);
    }
    const sent = (await filedMails(app)).slice(before.length);
    expect(Object.fromEntries(sent.map(({ to, subject }) => [to, subject]))).toEqual({
      [pending.email]: "Verify your email address for Parley",
      [user.email]: "You already have an account at Parley",
    });
    expect(sent.map(({ to }) => to).sort()).toEqual([pending.email, pending.email, user.email, user.email].sort());
  });

  it("a resend mails each account with one address its own key", async () => {
    const [eve, ada] = [newPerson(), newPerson()];
    const { email } = ada;
    await register({ username: eve.username, email });
    await register(ada);
    await filedMailsTo(app, email);
    await resend(email);
    const mails = (await filedMailsTo(app, email)).slice(2);
    const names = mails.map(({ text }) => /account “(\w+)”/.exec(text)?.[1]);
    expect(names.sort()).toEqual([eve.username, ada.username]);
  });

  it("a resend mails the owner of an address again when an unverifiable account with it asks by username", async () => {
    const { user } = await signUpByMail(app, newPerson());
    const { username } = newPerson();
    await register({ username, email: user.email });
    await resend(username);
    expect((await filedMailsTo(app, user.email)).map(({ subject }) => subject)).toEqual([
      "Verify your email address for Parley",
      "You already have an account at Parley",
      "You already have an account at Parley",
    ]);
  });
});
