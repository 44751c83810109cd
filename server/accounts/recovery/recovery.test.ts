import { describe, expect, it } from "vitest";
import { FORGOT_PASSWORD_SUCCESS, RESET_PASSWORD_SUCCESS } from "#contract/accounts/account-settings.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { filedMails, filedMailsTo, mailedKey, subjectsTo } from "../../../testing/accounts/filed-mails.ts";
import { followAccount } from "../../../testing/accounts/follow-account.ts";
import { startGoogleApp } from "../../../testing/accounts/google-app.ts";
import { mailedKeysFor, newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { newPerson, signUpByMail } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { send, visible } from "../../../testing/http/send.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";
import { visibleOf } from "../../../testing/http/visible-of.ts";

const { app, google, clock } = disposeAfterAll(await startGoogleApp());

const NEW_PASSWORD = "another horse battery";
const post = (path: string, body: unknown) => app.call("POST", path, { body });
const forgot = (email: string) => post(accountPaths.forgotPassword, { email });
const reset = (key: string, password = NEW_PASSWORD) => post(accountPaths.resetPassword, { key, password });
const login = (username: string, password: string) => post(accountPaths.login, { username, password });
/** The whole answer with all headers. */
const answered = async (path: string, body: unknown) => {
  const { text, headers } = await send(app.url, { method: "POST", path: API_BASE + path, body });
  return text + JSON.stringify(headers);
};
/** The parts of an answer that a client sees, without `fetch`, which hides the order of headers. */
const seen = async (path: string, body: unknown) =>
  visible(await send(app.url, { method: "POST", path: API_BASE + path, body }));
const resetKey = async (address: string) => {
  await forgot(address);
  return newestKeyFor(app, "reset-password", address);
};

describe("request of a link to a new password", () => {
  it("mails a link to a new password to an address or a username, case-insensitively", async () => {
    const { user } = await signUpByMail(app);
    for (const name of [user.email.toUpperCase(), user.username.toUpperCase(), ` ${user.email} `]) {
      const response = await forgot(name);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ message: FORGOT_PASSWORD_SUCCESS });
      await filedMails(app);
    }
    expect(new Set(await mailedKeysFor(app, "reset-password", user.email)).size).toBe(3);
    const mail = (await filedMailsTo(app, user.email)).at(-1);
    expect(mail?.subject).toBe("Set a new password for Parley");
    expect(mail?.text).toContain(`“${user.username}”`);
    expect(mail?.text).toContain("30 minutes");
    expect(await securityEventsOf(app, user.id)).toContain("password-reset-asked");
  });

  it.each(["", "  ", undefined, 7, [], { a: 1 }])("refuses to mail a link to a new password to %j", async (email) => {
    const response = await post(accountPaths.forgotPassword, { email });
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({ code: "invalid-input", issues: [{ field: "email" }] });
  });

  it("C2 a request of a new password gets the same answer for every name, and mails only existing accounts", async () => {
    const { user } = await signUpByMail(app);
    const pending = newPerson();
    await post(accountPaths.register, pending);
    const before = (await filedMails(app)).length;
    const known = await seen(accountPaths.forgotPassword, { email: user.email });
    const { username, email } = newPerson();
    const nobody = [email, username, `${"a".repeat(60)}@example.org`, "a\0b", "\uD800@example.org"];
    for (const name of [user.username, user.email.toUpperCase(), pending.email, pending.username, ...nobody]) {
      // A newer key removes the unsent mail of an earlier one.
      await filedMails(app);
      expect([name, await seen(accountPaths.forgotPassword, { email: name })]).toEqual([name, known]);
    }
    const sent = (await filedMails(app)).slice(before);
    expect(sent.map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual(
      [
        `${pending.email} Verify your email address for Parley`,
        `${pending.email} Verify your email address for Parley`,
        ...Array(3).fill(`${user.email} Set a new password for Parley`),
      ].sort(),
    );
  });

  it("mails the owner of an address when an unverifiable account with it requests a new password by username", async () => {
    const { user } = await signUpByMail(app);
    const { username } = newPerson();
    await post(accountPaths.register, newPerson({ username, email: user.email }));
    await forgot(username);
    expect(await mailedKeysFor(app, "reset-password", user.email)).toEqual([]);
    expect((await subjectsTo(app, user.email)).slice(1)).toEqual(
      Array(2).fill("You already have an account at Parley"),
    );
  });

  it("D5 D7 a request of a new password writes no key to the database, the log or an answer", async () => {
    const { user } = await signUpByMail(app);
    const answer = await answered(accountPaths.forgotPassword, { email: user.email });
    const key = await newestKeyFor(app, "reset-password", user.email);
    const tables = ["users", "sessions", "email_keys", "mails", "security_events", "limits", "devices"] as const;
    const rows = await Promise.all(tables.map((table) => app.context.database.selectFrom(table).selectAll().execute()));
    const dump = JSON.stringify(rows) + app.logLines.join("") + answer;
    expect(dump).toContain(user.email);
    expect(dump).not.toContain(key);
    const used = await answered(accountPaths.resetPassword, { key, password: NEW_PASSWORD });
    expect(used + app.logLines.join("")).not.toContain(key);
  });
});

describe("use of a link to a new password", () => {
  it("a reset sets the password and ends every session, its streams and the other links", async () => {
    const { user, password, token } = await signUpByMail(app);
    await using stream = await followAccount(app, token);
    const response = await reset(await resetKey(user.email));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ message: RESET_PASSWORD_SUCCESS });
    expect((await app.call("GET", accountPaths.me, { token })).status).toBe(401);
    expect(await stream.next()).toBeUndefined();
    expect((await login(user.username, password)).status).toBe(401);
    expect((await login(user.username, NEW_PASSWORD)).status).toBe(200);
    const notice = (await filedMailsTo(app, user.email)).find(({ subject }) => subject.includes("was reset"));
    expect(notice?.text).toContain("1 January 2026");
    expect(notice?.text).toContain(`${app.context.config.publicUrl}/forgot-password`);
    expect(await securityEventsOf(app, user.id)).toContain("password-reset");
  });

  it("D2 accepts the key of a reset for 30 minutes from its sending", async () => {
    const { user } = await signUpByMail(app);
    await forgot(user.email);
    // The mail server may be unavailable for a while.
    const key = await newestKeyFor(app, "reset-password", user.email);
    clock.advance(30 * MINUTE - SECOND);
    expect((await reset(key)).status).toBe(200);
    const late = await resetKey(user.email);
    clock.advance(30 * MINUTE);
    expect((await reset(late)).status).toBe(400);
  });

  it("D3 D4 a reset gives the same answer for an invalid, used, replaced or expired key, and for one of another purpose", async () => {
    const [used, replaced, expired, other] = await Promise.all(Array.from({ length: 4 }, () => signUpByMail(app)));
    const expiredKey = await resetKey(expired?.user.email ?? "");
    clock.advance(DAY);
    const usedKey = await resetKey(used?.user.email ?? "");
    await reset(usedKey);
    const replacedKey = await resetKey(replaced?.user.email ?? "");
    const newerKey = await resetKey(replaced?.user.email ?? "");
    const pending = newPerson();
    await post(accountPaths.register, pending);
    const verifyKey = await mailedKey(app, pending.email);
    const wrong = await visibleOf(await reset("A".repeat(43)));
    expect(wrong.status).toBe(400);
    expect(JSON.parse(wrong.body)).toMatchObject({ code: "bad-link" });
    for (const key of [usedKey, replacedKey, expiredKey, verifyKey, "x", "é\0".repeat(20)]) {
      expect(await visibleOf(await reset(key))).toEqual(wrong);
    }
    expect((await reset(newerKey)).status).toBe(200);
    const resetOfOther = await resetKey(other?.user.email ?? "");
    for (const path of [accountPaths.verify, accountPaths.confirmEmail, accountPaths.undoEmail]) {
      expect((await post(path, { key: resetOfOther })).status).toBe(400);
    }
    expect((await reset(resetOfOther)).status).toBe(200);
  });

  it("D3 accepts the key of a reset once, however many requests send it concurrently", async () => {
    const { user } = await signUpByMail(app);
    const key = await resetKey(user.email);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => reset(key, `${NEW_PASSWORD} ${at}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(400)]);
    const at = answers.findIndex(({ status }) => status === 200);
    expect((await login(user.username, `${NEW_PASSWORD} ${at}`)).status).toBe(200);
  });

  it("a reset with a refused password does not use its key up", async () => {
    const { user } = await signUpByMail(app);
    const key = await resetKey(user.email);
    expect(await problemOf(await reset(key, "short"))).toMatchObject({
      issues: [{ field: "password", rule: "min", n: 8 }],
    });
    expect((await reset(key)).status).toBe(200);
  });

  it("D6 requests that only open the link of a reset do not use its key up", async () => {
    const { user } = await signUpByMail(app);
    const key = await resetKey(user.email);
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      for (const path of ["/reset-password", "/api/auth/reset-password"]) {
        await fetch(`${app.url}${path}?key=${key}`, { method });
      }
    }
    expect((await reset(key)).status).toBe(200);
  });

  it("a reset sets the first password of an account that had only Google", async () => {
    const email = `${newPerson().username}@gmail.com`;
    const id_token = await google.issueIdToken({ sub: email, email }, clock.now());
    const signedIn = await post(accountPaths.google, { id_token });
    const { user } = (await signedIn.json()) as { user: { username: string } };
    expect((await reset(await resetKey(email))).status).toBe(200);
    expect((await login(user.username, NEW_PASSWORD)).status).toBe(200);
  });

  it("B1 a reset signs the owner in, in the browser of the link, although guesses have locked the account", async () => {
    const { user } = await signUpByMail(app);
    for (let guess = 0; guess < 12; guess++) await login(user.username, `wrong ${guess}`);
    expect((await login(user.username, newPerson().password)).status).toBe(429);
    const browser = new TestBrowser(app);
    const key = await resetKey(user.email);
    expect((await browser.call("POST", accountPaths.resetPassword, { key, password: NEW_PASSWORD })).status).toBe(200);
    for (let guess = 0; guess < 12; guess++) await login(user.username, `wrong ${guess}`);
    expect((await login(user.username, NEW_PASSWORD)).status).toBe(429);
    expect((await browser.signIn(user.username, NEW_PASSWORD)).status).toBe(200);
  });
});

describe("limits of mailed links", () => {
  const limited = { RATE_LIMITS: "on" };

  it("B2 mails an address once a minute and five times an hour, with or without an account", async () => {
    await using strict = await startTestApp({ clock, env: limited });
    const { user } = await signUpByMail(strict);
    clock.advance(MINUTE);
    const ask = (email: string) => strict.call("POST", accountPaths.forgotPassword, { body: { email } });
    for (const address of [user.email, newPerson().email, user.username, newPerson().username]) {
      const statuses: number[] = [];
      for (let asked = 0; asked < 7; asked++) {
        statuses.push((await ask(address)).status);
        if (asked > 0) clock.advance(MINUTE);
      }
      // The registration counted for the account's own address.
      expect(statuses.filter((status) => status === 200).length).toBe(address === user.email ? 4 : 5);
      const refused = await ask(address);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      clock.advance(DAY);
    }
  });

  it("B2 mails an address five times an hour, however many pending accounts have it", async () => {
    await using strict = await startTestApp({ clock, env: limited });
    const { email } = newPerson();
    const ask = async (path: string, body: unknown) => {
      expect((await strict.call("POST", path, { body })).ok).toBe(true);
      clock.advance(MINUTE);
      return (await filedMailsTo(strict, email)).length;
    };
    for (let claim = 1; claim <= 3; claim++) expect(await ask(accountPaths.register, newPerson({ email }))).toBe(claim);
    expect(await ask(accountPaths.resendVerification, { email })).toBe(5);
    clock.advance(HOUR);
    expect(await ask(accountPaths.forgotPassword, { email })).toBe(8);
    expect(await ask(accountPaths.resendVerification, { email })).toBe(10);
  });

  it("B2 counts mails to the address behind a username without revealing it", async () => {
    await using strict = await startTestApp({ clock, env: limited });
    const { user } = await signUpByMail(strict);
    clock.advance(MINUTE);
    const ask = (email: string) => strict.call("POST", accountPaths.forgotPassword, { body: { email } });
    const first = await visibleOf(await ask(user.email));
    expect(await visibleOf(await ask(user.username))).toEqual(first);
    expect(await mailedKeysFor(strict, "reset-password", user.email)).toHaveLength(1);
  });

  it("B2 allows one network 30 attempts with mailed keys a minute, of all purposes", async () => {
    await using strict = await startTestApp({ clock, env: limited });
    const tries = [accountPaths.verify, accountPaths.resetPassword, accountPaths.confirmEmail, accountPaths.undoEmail];
    const statuses: number[] = [];
    for (let tried = 0; tried < 40; tried++) {
      const body = { key: "x".repeat(43), password: NEW_PASSWORD };
      statuses.push((await strict.call("POST", tries[tried % 4] ?? "", { body })).status);
    }
    expect(statuses).toEqual([...Array(30).fill(400), ...Array(10).fill(429)]);
  });

  it("C4 B2 allows one network 20 lookups of usernames a minute, and 100 new accounts an hour", async () => {
    await using strict = await startTestApp({ clock, env: limited });
    const { user } = await signUpByMail(strict);
    const register = (body: unknown) => strict.call("POST", accountPaths.register, { body });
    const lookUpStatuses: number[] = [];
    for (let attempt = 0; attempt < 21; attempt++) {
      const { email } = newPerson();
      const answer = await register(newPerson({ username: user.username, email }));
      lookUpStatuses.push(answer.status);
      expect(await answer.text()).not.toContain("@");
    }
    expect(lookUpStatuses).toEqual([...Array(20).fill(409), 429]);
    // Attempts that created no account were counted neither as accounts nor as mails.
    clock.advance(MINUTE);
    const { email } = newPerson();
    expect((await register(newPerson({ username: user.username, email }))).status).toBe(409);
    expect((await register(newPerson({ email }))).status).toBe(201);
    expect((await register(newPerson({ email }))).status).toBe(429);
  });
});
