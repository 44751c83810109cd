import { describe, expect, it } from "vitest";
import { REGISTRATION_SUCCESS, type RegisterRequest } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { DAY, SECOND } from "#contract/limits.ts";
import { filedMailsTo, keyIn } from "../../../testing/accounts/filed-mails.ts";
import { newPerson, signUpByMail } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { send, visible } from "../../../testing/http/send.ts";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock }));

const post = (path: string, body: unknown) => app.call("POST", path, { body });
const register = (given: Partial<RegisterRequest> = {}) => post(accountPaths.register, newPerson(given));
const login = (username: string, password: string) => post(accountPaths.login, { username, password });
/** The parts of an answer that a client sees, without `fetch`, which hides the order of headers. */
const seen = async (path: string, body: unknown) =>
  visible(await send(app.url, { method: "POST", path: API_BASE + path, body }));

describe("registration", () => {
  it("registration creates a pending account and mails a link with a key", async () => {
    const response = await register({ username: "AdaKing", email: "Ada.King@Example.ORG" });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ message: REGISTRATION_SUCCESS, emailVerified: false });
    const [mail] = await filedMailsTo(app, "Ada.King@example.org");
    expect(mail).toMatchObject({ to: "Ada.King@example.org", subject: "Verify your email address for Parley" });
    expect(mail?.text).toContain("“AdaKing”");
    expect(mail?.text).toContain("ignore this mail");
    const link = `${app.context.config.publicUrl}/verify-email?key=${keyIn(mail?.text ?? "")}&email=Ada.King%40example.org`;
    expect(mail?.text).toContain(link);
    expect(mail?.html).toContain(link.replaceAll("&", "&amp;"));
  });

  it.each([
    [{ firstname: "" }, "Firstname is required"],
    [{ firstname: "A" }, "Firstname must be at least 2 characters"],
    [{ lastname: "a".repeat(31) }, "Lastname must be no more than 30 characters"],
    [{ lastname: "O'Hara" }, "Lastname must contain only letters (no numbers or special characters)"],
    [{ username: "ab" }, "Username must be at least 3 characters"],
    [
      { username: "a da", email: "a@example.org" },
      "Username must contain only letters and numbers (no spaces or special characters)",
    ],
    [{ username: "a".repeat(31), email: "a@example.org" }, "Username must be no more than 30 characters"],
    [{ email: "" }, "Email is required"],
    [{ email: "no-at-sign" }, "Please enter a valid email address"],
    [{ email: "ada@example.org\r\nBcc: eve@example.org" }, "Please enter a valid email address"],
    [{ password: "1234567" }, "Password must be at least 8 characters"],
    [{ password: "a".repeat(257) }, "Password must be no more than 256 characters"],
  ])("registration refuses %o with the sentence of the form", async (given, sentence) => {
    const response = await register(given);
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({ detail: sentence, error: sentence, code: "invalid-input" });
  });

  it("registration refuses a username that is taken, case-insensitively", async () => {
    const { username, email } = newPerson();
    await register({ username, email });
    const response = await register({ username: username.toUpperCase(), email: newPerson().email });
    expect(response.status).toBe(409);
    expect(await problemOf(response)).toMatchObject({ code: "username-taken" });
  });

  it("gives a username to one of many concurrent registrations", async () => {
    const { username } = newPerson();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => register({ username, email: newPerson().email })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  it("frees the username of an unverified account after seven days", async () => {
    const { username } = newPerson();
    const { email } = newPerson();
    await register({ username, email: newPerson().email });
    clock.advance(7 * DAY - SECOND);
    expect((await register({ username, email })).status).toBe(409);
    clock.advance(SECOND);
    expect((await register({ username, email })).status).toBe(201);
    expect((await filedMailsTo(app, email)).flatMap(({ text }) => keyIn(text) ?? [])).toHaveLength(1);
  });

  it("C2 registration gives the same answer for an address with a verified or pending account, and mails its owner", async () => {
    const owner = await signUpByMail(app, newPerson());
    const { email } = owner.user;
    const pending = newPerson();
    await register(pending);
    const { username: eve } = newPerson();
    const bob = newPerson();
    const people = [newPerson({ username: eve, email: email.toUpperCase() }), newPerson({ email: pending.email })];
    const unknown = await seen(accountPaths.register, bob);
    for (const person of people) expect(await seen(accountPaths.register, person)).toBe(unknown);
    const mails = await filedMailsTo(app, email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      "Verify your email address for Parley",
      "You already have an account at Parley",
    ]);
    expect(mails[1]?.text).toContain(`${app.context.config.publicUrl}/login`);
    expect(mails[1]?.text).toContain(owner.user.username);
    for (const password of [bob.password, "a wrong password"]) {
      const afterwards = await seen(accountPaths.login, { username: bob.username, password });
      for (const { username } of people)
        expect(await seen(accountPaths.login, { username, password })).toBe(afterwards);
    }
  });

  it("registration is refused if the configuration closes it", async () => {
    await using closed = await startTestApp({ env: { REGISTRATION: "closed" } });
    const response = await closed.call("POST", accountPaths.register, { body: newPerson() });
    expect(response.status).toBe(403);
    expect(await problemOf(response)).toMatchObject({ code: "registration-closed" });
    expect(await (await closed.call("GET", accountPaths.authConfig)).json()).toMatchObject({ registrationOpen: false });
  });

  it("registration accepts only addresses of the configured domains", async () => {
    await using limited = await startTestApp({ env: { REGISTRATION_DOMAINS: "Example.org, example.com" } });
    const ask = (email: string) => limited.call("POST", accountPaths.register, { body: newPerson({ email }) });
    expect((await ask("ada@EXAMPLE.org")).status).toBe(201);
    for (const email of ["ada@example.net", "ada@sub.example.org", "ada@notexample.org"]) {
      expect(await problemOf(await ask(email))).toMatchObject({ code: "registration-domain" });
    }
  });

  it("registration requires the configured minimum length of passwords", async () => {
    await using strict = await startTestApp({ env: { PASSWORD_MIN: "12" } });
    const response = await strict.call("POST", accountPaths.register, {
      body: newPerson({ password: "12345678901" }),
    });
    expect(await problemOf(response)).toMatchObject({ detail: "Password must be at least 12 characters" });
    expect(await (await strict.call("GET", accountPaths.authConfig)).json()).toMatchObject({ passwordMin: 12 });
  });

  it("the configuration reports whether mails become links on the console", async () => {
    await using mailing = await startTestApp({ env: { SMTP_URL: "smtp://127.0.0.1:1" } });
    expect(await (await app.call("GET", accountPaths.authConfig)).json()).toMatchObject({ isMailOnConsole: true });
    expect(await (await mailing.call("GET", accountPaths.authConfig)).json()).not.toHaveProperty("isMailOnConsole");
  });

  it("H2 registration ignores fields that are not part of the request", async () => {
    const { username, email } = newPerson();
    await post(accountPaths.register, {
      ...newPerson({ username, email }),
      id: "x",
      verified_at: 1,
      emailVerified: true,
    });
    const users = app.context.database.selectFrom("users").selectAll();
    const user = await users.where("username", "=", username).executeTakeFirstOrThrow();
    expect(user.id).not.toBe("x");
    expect(user.verified_at).toBeNull();
  });
});

it("D10 creates no session of any kind for an unverified account", async () => {
  const { username, email } = newPerson();
  const registered = await register({ username, email });
  expect([registered.headers.getSetCookie(), await registered.text()]).toEqual([
    [],
    expect.not.stringContaining("eyJ"),
  ]);
  const response = await login(username, newPerson().password);
  expect(response.status).toBe(403);
  expect([...response.headers.values()].join()).not.toContain("eyJ");
  const body = await response.json();
  expect(body).toEqual({
    detail: { message: "Please verify your email address first.", email_verified: false },
    error: "Please verify your email address first.",
    code: "email-unverified",
  });
  expect(response.headers.getSetCookie()).toEqual([]);
  const { database } = app.context;
  const { id } = await database.selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow();
  expect(await database.selectFrom("sessions").selectAll().where("user_id", "=", id).execute()).toEqual([]);
});
