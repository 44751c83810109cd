import { describe, expect, it } from "vitest";
import { accountDetailsSchema } from "#contract/accounts/account-settings.ts";
import { userSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { MINUTE } from "#contract/limits.ts";
import { filedMailsTo, subjectsTo } from "../../../testing/accounts/filed-mails.ts";
import { followAccount } from "../../../testing/accounts/follow-account.ts";
import { startGoogleApp } from "../../../testing/accounts/google-app.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { newPerson, signUp, signUpProved } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";

const { app, google, clock } = disposeAfterAll(await startGoogleApp());

const NEW_PASSWORD = "another horse battery";
const login = (username: string, password: string) =>
  app.call("POST", accountPaths.login, { body: { username, password } });

const somebody = () => signUpProved(app);

async function tokenOf(username: string, password: string): Promise<string> {
  const response = await login(username, password);
  expect(response.status).toBe(200);
  return ((await response.json()) as { access_token: string }).access_token;
}

const post = (path: string, body: unknown, token?: string) =>
  app.call("POST", path, { body, ...(token !== undefined && { token }) });
const me = async (token: string) => (await app.call("GET", accountPaths.me, { token })).status;
const details = async (token: string) =>
  accountDetailsSchema.parse(await (await app.call("GET", accountPaths.account, { token })).json());

it("account details include fields that are not part of auth/me", async () => {
  const { token } = await somebody();
  expect(await details(token)).toEqual({
    hasPassword: true,
    hasGoogle: false,
    pendingEmail: null,
    createdAt: clock.now(),
    secondFactor: null,
    lastSignIns: { password: clock.now() },
    needsSecondFactor: false,
  });
  expect((await app.call("GET", accountPaths.account)).status).toBe(401);
});

describe("names", () => {
  it("the names of an account are changed and logged", async () => {
    const { token, user } = await somebody();
    const response = await app.call("PATCH", accountPaths.me, {
      token,
      body: { firstname: "Augusta", lastname: "King" },
    });
    expect(userSchema.parse(await response.json())).toEqual({ ...user, firstname: "Augusta", lastname: "King" });
    expect(await (await app.call("GET", accountPaths.me, { token })).json()).toMatchObject({ firstname: "Augusta" });
    expect(await securityEventsOf(app, user.id)).toContain("names-changed");
    await app.call("PATCH", accountPaths.me, { token, body: { lastname: "Lovelace" } });
    const partial = await app.call("PATCH", accountPaths.me, { token, body: { firstname: "Ada" } });
    expect(await partial.json()).toMatchObject({ firstname: "Ada", lastname: "Lovelace" });
  });

  it("B2 the names of an account are changed at most thirty times an hour", async () => {
    await using limited = await startTestApp({ env: { RATE_LIMITS: "on" } });
    const { token } = await signUp(limited);
    const change = async (firstname: string) =>
      (await limited.call("PATCH", accountPaths.me, { token, body: { firstname, lastname: "Byron" } })).status;
    for (let count = 0; count < 30; count++) expect(await change(count % 2 ? "Ada" : "Augusta")).toBe(200);
    expect(await change("Ada")).toBe(429);
  });

  it("H2 a change of names ignores fields that are not part of the request", async () => {
    const [{ token, user }, other] = [await somebody(), await somebody()];
    const body = {
      firstname: "Augusta",
      lastname: "King",
      id: other.user.id,
      email: "x@example.org",
      username: "root",
    };
    const response = await app.call("PATCH", accountPaths.me, { token, body });
    expect(await response.json()).toEqual({ ...user, firstname: "Augusta", lastname: "King" });
  });
});

describe("preferences", () => {
  const change = (token: string, body: unknown) => app.call("PATCH", accountPaths.preferences, { token, body });

  it("an account has no preferences until one is chosen; later choices are merged", async () => {
    const [{ token, user }, other] = [await somebody(), await somebody()];
    expect(user).not.toHaveProperty("preferences");
    expect((await change(token, { theme: "dark", language: "pt-BR" })).status).toBe(200);
    const answer = await change(token, { theme: "light", send: "mod-enter" });
    const preferences = { theme: "light", language: "pt-BR", send: "mod-enter" };
    expect(userSchema.parse(await answer.json())).toEqual({ ...user, preferences });
    expect(await (await app.call("GET", accountPaths.me, { token })).json()).toEqual({ ...user, preferences });
    expect(await (await app.call("GET", accountPaths.me, { token: other.token })).json()).toEqual(other.user);
  });

  it("two concurrent choices of preferences are both stored", async () => {
    const { token } = await somebody();
    await Promise.all([change(token, { theme: "dark" }), change(token, { size: "large" })]);
    const me = await (await app.call("GET", accountPaths.me, { token })).json();
    expect(me).toMatchObject({ preferences: { theme: "dark", size: "large" } });
  });

  it.each([{ theme: "pink" }, { language: "../../de" }, { language: "a".repeat(36) }, { motion: null }, []])(
    "H2 refuses the preference %j",
    async (body) => {
      const { token, user } = await somebody();
      expect((await change(token, body)).status).toBe(400);
      expect(await (await app.call("GET", accountPaths.me, { token })).json()).toEqual(user);
    },
  );

  it("H2 ignores names that are no preference", async () => {
    const { token, user } = await somebody();
    const answer = await change(token, { theme: "dark", id: "1", iconURL: "x" });
    expect(await answer.json()).toEqual({ ...user, preferences: { theme: "dark" } });
  });
});

describe("change of the username", () => {
  it("a username is changed: the new one signs in, the old one does not, and the owner is notified", async () => {
    const { token, user, password } = await somebody();
    const username = `${user.username}New`;
    const response = await post(accountPaths.username, { username }, token);
    expect(await response.json()).toMatchObject({ id: user.id, username });
    expect((await login(user.username, password)).status).toBe(401);
    expect((await login(username, password)).status).toBe(200);
    expect(await subjectsTo(app, user.email)).toContain("Your username at Parley was changed");
    expect(await securityEventsOf(app, user.id)).toContain("username-changed");
  });

  it("a username can be another spelling of the own one, but not another account's in any letter case", async () => {
    const [ada, eve] = [await somebody(), await somebody()];
    const own = ada.user.username.toUpperCase();
    expect((await post(accountPaths.username, { username: own }, ada.token)).status).toBe(200);
    const taken = await post(accountPaths.username, { username: eve.user.username.toUpperCase() }, ada.token);
    expect(taken.status).toBe(409);
    expect(await problemOf(taken)).toMatchObject({ code: "username-taken" });
  });
});

it("B2 repeated actions on an account are mailed at most five times an hour", async () => {
  await using own = await startTestApp();
  const { token, user } = await signUpProved(own);
  for (let count = 0; count < 7; count++) {
    const body = { username: `${user.username}${count}` };
    expect((await own.call("POST", accountPaths.username, { token, body })).status).toBe(200);
  }
  const mails = await filedMailsTo(own, user.email);
  expect(mails.filter(({ subject }) => subject.includes("username"))).toHaveLength(5);
});

describe("change of the password", () => {
  it("A7 a change of the password requires the current one, ends all other sessions and their streams, and notifies by mail", async () => {
    const { token, user, password } = await somebody();
    const other = await tokenOf(user.username, password);
    await using stream = await followAccount(app, other);
    const wrong = await post(accountPaths.password, { currentPassword: "wrong", password: NEW_PASSWORD }, token);
    expect(wrong.status).toBe(400);
    expect(await problemOf(wrong)).toMatchObject({ code: "wrong-password" });
    const missing = await problemOf(await post(accountPaths.password, { password: NEW_PASSWORD }, token));
    expect(missing).toMatchObject({ issues: [{ field: "currentPassword", rule: "required" }] });
    for (const body of [
      { currentPassword: "", password: NEW_PASSWORD },
      { currentPassword: [password], password: NEW_PASSWORD },
      { currentPassword: password, password: "short" },
    ]) {
      expect((await post(accountPaths.password, body, token)).status).toBe(400);
    }
    expect(await me(other)).toBe(200);
    const { email } = newPerson();
    await post(accountPaths.email, { email }, token);
    const key = await newestKeyFor(app, "confirm-email", email);
    const changed = await post(accountPaths.password, { currentPassword: password, password: NEW_PASSWORD }, token);
    expect(changed.status).toBe(204);
    expect([await me(other), await me(token)]).toEqual([401, 200]);
    expect(await stream.next()).toBeUndefined();
    expect((await login(user.username, password)).status).toBe(401);
    expect((await login(user.username, NEW_PASSWORD)).status).toBe(200);
    expect((await post(accountPaths.confirmEmail, { key })).status).toBe(400);
    expect(await subjectsTo(app, user.email)).toContain("Your password at Parley was changed");
    expect(await securityEventsOf(app, user.id)).toContain("password-changed");
  });

  it("a change of the password invalidates mailed links that set a new one", async () => {
    const { token, user, password } = await somebody();
    await post(accountPaths.forgotPassword, { email: user.email });
    const key = await newestKeyFor(app, "reset-password", user.email);
    await post(accountPaths.password, { currentPassword: password, password: NEW_PASSWORD }, token);
    expect((await post(accountPaths.resetPassword, { key, password: "eve's own password" })).status).toBe(400);
  });

  it("only one of several concurrent changes of the password succeeds", async () => {
    const { token, password } = await somebody();
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        post(accountPaths.password, { currentPassword: password, password: `${NEW_PASSWORD} ${at}` }, token),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400, 400]);
  });

  it("an account that had only Google can set a first password", async () => {
    const email = `${newPerson().username}@gmail.com`;
    const id_token = await google.issueIdToken({ sub: email, email }, clock.now());
    const { access_token, user } = (await (await post(accountPaths.google, { id_token })).json()) as {
      access_token: string;
      user: { username: string };
    };
    expect((await details(access_token)).hasPassword).toBe(false);
    expect((await post(accountPaths.password, { password: NEW_PASSWORD }, access_token)).status).toBe(204);
    expect(await details(access_token)).toMatchObject({ hasPassword: true, hasGoogle: true });
    expect((await login(user.username, NEW_PASSWORD)).status).toBe(200);
  });
});

it.each([accountPaths.username, accountPaths.password, accountPaths.email, accountPaths.accountDeletion])(
  "V47 %s requires a proof of the last ten minutes",
  async (path) => {
    const { token } = await signUp(app);
    const body = { username: "x".repeat(8), password: NEW_PASSWORD, email: "x@example.org", isImmediate: true };
    expect(await problemOf(await post(path, body, token))).toMatchObject({ code: "proof-needed" });
    const { token: late } = await somebody();
    clock.advance(10 * MINUTE);
    expect(await problemOf(await post(path, body, late))).toMatchObject({ code: "proof-needed" });
    expect((await post(path, body)).status).toBe(401);
  },
);
