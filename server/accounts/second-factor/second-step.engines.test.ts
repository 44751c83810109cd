import { describe, expect, it } from "vitest";
import { type SignedIn, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { DAY, MINUTE, SECOND } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { startGoogleApp } from "../../../testing/accounts/google-app.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { switchSecondFactorOn, type TestFactor } from "../../../testing/accounts/second-factor.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { newPerson, signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";

const { app, google, clock } = disposeAfterAll(await startGoogleApp());

type Protected = TestAccount & TestFactor;

async function signUpProtected(): Promise<Protected> {
  const account = await signUpProved(app);
  return { ...account, ...(await switchSecondFactorOn(app, account)) };
}

const problemOf = async (response: Response) => problemSchema.parse(await response.json());
const codeOf = async (response: Response) => [response.status, (await problemOf(response)).code];

/** Takes the first step by password, without a session. */
async function typePassword(browser: TestBrowser, { user, password }: TestAccount): Promise<Response> {
  browser.token = undefined;
  // Renews the anti-forgery token, which belonged to the session.
  await browser.call("GET", accountPaths.authConfig);
  return browser.call("POST", accountPaths.login, { username: user.username, password });
}

/** {@link typePassword} where it does not suffice. @returns the ticket */
async function takeFirstStep(browser: TestBrowser, account: TestAccount): Promise<string> {
  const response = await typePassword(browser, account);
  const { code, ticket = "" } = await problemOf(response);
  expect([response.status, code]).toEqual([403, "second-factor-needed"]);
  return ticket;
}

const takeSecondStep = (browser: TestBrowser, ticket: string, code: string, remember?: boolean) =>
  browser.call("POST", accountPaths.secondStep, { ticket, code, ...(remember !== undefined && { remember }) });

async function signInTo(browser: TestBrowser, account: Protected, remember?: boolean): Promise<SignedIn> {
  // The code of each step is accepted once.
  clock.advance(MINUTE);
  const ticket = await takeFirstStep(browser, account);
  const response = await takeSecondStep(browser, ticket, account.authenticator.codeAt(clock.now()), remember);
  return signedInSchema.parse(await response.json());
}

const countSessions = async ({ user }: TestAccount) =>
  (await app.context.database.selectFrom("sessions").select("id").where("user_id", "=", user.id).execute()).length;

describe("the first step of a sign-in with a second factor", () => {
  it("the right password is answered with 403, a sentence and a ticket, and begins no session", async () => {
    const account = await signUpProtected();
    const before = await countSessions(account);
    const body = { username: account.user.username, password: account.password };
    const response = await app.call("POST", accountPaths.login, { body });
    expect([response.status, await response.json()]).toEqual([
      403,
      {
        detail: { message: "This account needs a second step: a code of its authenticator app.", second_factor: true },
        error: "This account needs a second step: a code of its authenticator app.",
        code: "second-factor-needed",
        ticket: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
    expect(response.headers.getSetCookie().join()).not.toContain("access_token");
    expect(await countSessions(account)).toBe(before);
  });

  it("C1 a wrong password is answered like that of an account without a second factor", async () => {
    const [account, other] = [await signUpProtected(), await signUpProved(app)];
    const answers = await Promise.all(
      [account, other].map(async ({ user }) => {
        const body = { username: user.username, password: "wrong words" };
        const response = await app.call("POST", accountPaths.login, { body });
        return [response.status, await response.text()];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  it("a sign-in by Google needs the second step too", async () => {
    const account = await signUpProved(app);
    const browser = new TestBrowser(app);
    const sub = newPerson().username;
    const idToken = async () => {
      const config = await browser.call("GET", accountPaths.authConfig);
      const { googleNonce } = (await config.json()) as { googleNonce: string };
      return google.issueIdToken({ sub, email: account.user.email, nonce: googleNonce }, clock.now());
    };
    browser.token = account.token;
    const connected = await browser.call("POST", accountPaths.googleConnection, { id_token: await idToken() });
    expect(connected.status).toBe(204);
    const { authenticator } = await switchSecondFactorOn(app, account);
    browser.token = undefined;
    await browser.call("GET", accountPaths.authConfig);
    const refused = await browser.call("POST", accountPaths.google, { id_token: await idToken() });
    const { code, ticket = "" } = await problemOf(refused);
    expect([refused.status, code]).toEqual([403, "second-factor-needed"]);
    const completed = await takeSecondStep(browser, ticket, authenticator.codeAt(clock.now()));
    browser.token = signedInSchema.parse(await completed.json()).access_token;
    const sessions = (await (await browser.call("GET", accountPaths.sessions)).json()) as { method: string }[];
    expect(sessions[0]?.method).toBe("google");
  });

  it("a disabled account is refused before the second step", async () => {
    const account = await signUpProtected();
    const disabled = app.context.database.updateTable("users").set({ disabled_at: clock.now() });
    await disabled.where("id", "=", account.user.id).execute();
    const body = { username: account.user.username, password: account.password };
    expect(await codeOf(await app.call("POST", accountPaths.login, { body }))).toEqual([403, "account-disabled"]);
  });
});

describe("the second step of a sign-in", () => {
  it("O1 a code of the app completes the sign-in with the answer of the specification, once", async () => {
    const account = await signUpProtected();
    const browser = new TestBrowser(app);
    const code = account.authenticator.codeAt(clock.now());
    const ticket = await takeFirstStep(browser, account);
    const completed = await takeSecondStep(browser, ticket, code);
    const answer = (await completed.json()) as SignedIn;
    expect([completed.status, Object.keys(answer)]).toEqual([200, ["access_token", "user", "emailVerified"]]);
    expect((await app.call("GET", accountPaths.me, { token: answer.access_token })).status).toBe(200);
    browser.token = answer.access_token;
    expect(await codeOf(await takeSecondStep(browser, ticket, code))).toEqual([403, "second-step-expired"]);
    const next = await takeFirstStep(browser, account);
    expect(await codeOf(await takeSecondStep(browser, next, code))).toEqual([403, "wrong-code"]);
  });

  it("O1 one of many concurrent requests with one code begins a session", async () => {
    const account = await signUpProtected();
    const browser = new TestBrowser(app);
    const code = account.authenticator.codeAt(clock.now());
    const tickets: string[] = [];
    for (let count = 0; count < 4; count++) tickets.push(await takeFirstStep(browser, account));
    const before = await countSessions(account);
    const answers = await Promise.all(
      tickets.flatMap((ticket) => [takeSecondStep(browser, ticket, code), takeSecondStep(browser, ticket, code)]),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await countSessions(account)).toBe(before + 1);
  });

  it("O1 a code is refused after its time, and before the last accepted one", async () => {
    const account = await signUpProtected();
    const browser = new TestBrowser(app);
    const late = account.authenticator.codeAt(clock.now());
    const next = account.authenticator.codeAt(clock.now(), 1);
    const accepted = await takeSecondStep(browser, await takeFirstStep(browser, account), next);
    expect(accepted.status).toBe(200);
    const ticket = await takeFirstStep(browser, account);
    expect(await codeOf(await takeSecondStep(browser, ticket, late))).toEqual([403, "wrong-code"]);
    const old = account.authenticator.codeAt(clock.now(), 2);
    clock.advance(4 * MINUTE);
    expect(await codeOf(await takeSecondStep(browser, ticket, old))).toEqual([403, "wrong-code"]);
  });

  it("O2 a recovery code completes one sign-in, is logged and mailed, and says nothing to others", async () => {
    const account = await signUpProtected();
    const other = await signUpProtected();
    const browser = new TestBrowser(app);
    const [code = ""] = account.recoveryCodes;
    const foreign = await takeSecondStep(browser, await takeFirstStep(browser, other), code);
    expect(await codeOf(foreign)).toEqual([403, "wrong-code"]);
    const ticket = await takeFirstStep(browser, account);
    expect((await takeSecondStep(browser, ticket, code.toLowerCase().replaceAll("-", " "))).status).toBe(200);
    expect(await securityEventsOf(app, account.user.id)).toContain("recovery-code-used");
    const again = await takeSecondStep(browser, await takeFirstStep(browser, account), code);
    expect(await codeOf(again)).toEqual([403, "wrong-code"]);
    const details = await (await app.call("GET", accountPaths.account, { token: account.token })).json();
    expect(details).toMatchObject({ secondFactor: { recoveryCodesLeft: 9 } });
  });

  it("a ticket expires after five minutes, and belongs to the browser of the first step", async () => {
    const account = await signUpProtected();
    const [browser, thief] = [new TestBrowser(app), new TestBrowser(app)];
    const ticket = await takeFirstStep(browser, account);
    await takeFirstStep(thief, account);
    const code = () => account.authenticator.codeAt(clock.now());
    expect(await codeOf(await takeSecondStep(thief, ticket, code()))).toEqual([403, "second-step-expired"]);
    const program = await app.call("POST", accountPaths.secondStep, { body: { ticket, code: code() } });
    expect(await codeOf(program)).toEqual([403, "second-step-expired"]);
    clock.advance(5 * MINUTE - SECOND);
    expect((await takeSecondStep(browser, ticket, code())).status).toBe(200);
    const late = await takeFirstStep(browser, account);
    clock.advance(5 * MINUTE);
    expect(await codeOf(await takeSecondStep(browser, late, code()))).toEqual([403, "second-step-expired"]);
  });

  it("a ticket gives no access", async () => {
    const account = await signUpProtected();
    const ticket = await takeFirstStep(new TestBrowser(app), account);
    expect((await app.call("GET", accountPaths.me, { token: ticket })).status).toBe(401);
  });

  it("a ticket ends when the password is reset by mail, and the second factor stays on", async () => {
    const account = await signUpProtected();
    const { email, username } = account.user;
    const browser = new TestBrowser(app);
    const ticket = await takeFirstStep(browser, account);
    await app.call("POST", accountPaths.forgotPassword, { body: { email } });
    const key = await newestKeyFor(app, "reset-password", email);
    const password = "another horse battery";
    expect((await app.call("POST", accountPaths.resetPassword, { body: { key, password } })).status).toBe(200);
    const code = account.authenticator.codeAt(clock.now());
    expect(await codeOf(await takeSecondStep(browser, ticket, code))).toEqual([403, "second-step-expired"]);
    const first = await app.call("POST", accountPaths.login, { body: { username, password } });
    expect(await codeOf(first)).toEqual([403, "second-factor-needed"]);
  });

  it("the database contains no ticket, no recovery code and no secret", async () => {
    const account = await signUpProtected();
    const ticket = await takeFirstStep(new TestBrowser(app), account);
    const { database } = app.context;
    const tables = ["sign_in_tickets", "recovery_codes", "totp_factors"] as const;
    const rows = await Promise.all(tables.map((table) => database.selectFrom(table).selectAll().execute()));
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(ticket);
    expect(account.recoveryCodes.filter((code) => stored.includes(code.replaceAll("-", "")))).toEqual([]);
    expect(rows[2]).toContainEqual(
      expect.objectContaining({ user_id: account.user.id, secret_encrypted: expect.any(String) }),
    );
  });
});

describe("guesses of codes", () => {
  const guess = async (browser: TestBrowser, account: Protected, code: string) =>
    takeSecondStep(browser, await takeFirstStep(browser, account), code);

  it("B1 O1 wrong codes have counters of their own: after ten they wait, and a right password does not clear them", async () => {
    const account = await signUpProtected();
    const thief = new TestBrowser(app);
    const ticket = await takeFirstStep(thief, account);
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) {
      clock.advance(10 * SECOND);
      statuses.push((await takeSecondStep(thief, ticket, "000000")).status);
    }
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 403));
    const rows = await app.context.database
      .selectFrom("sign_in_throttles")
      .selectAll()
      .where("user_id", "=", account.user.id)
      .execute();
    expect(rows.map(({ purpose, failures }) => [purpose, failures])).toEqual([["code", 12]]);
    expect(await securityEventsOf(app, account.user.id)).toContain("second-factor-failed");
    // The first step still works, and leaves the counter of codes as it is.
    clock.advance(MINUTE);
    const waits = await guess(thief, account, "000000");
    const after = await guess(thief, account, account.authenticator.codeAt(clock.now()));
    expect([waits.status, after.status]).toEqual([403, 429]);
    expect(after.headers.get("retry-after")).toMatch(/^\d+$/);
  });

  it("B1 wrong codes elsewhere do not lock the owner's own browser out", async () => {
    const account = await signUpProtected();
    const [own, thief] = [new TestBrowser(app), new TestBrowser(app)];
    await signInTo(own, account);
    const ticket = await takeFirstStep(thief, account);
    for (let count = 0; count < 11; count++) await takeSecondStep(thief, ticket, "000000");
    expect((await signInTo(own, account)).user.id).toBe(account.user.id);
  });

  it("B1 at most a hundred codes are compared from many networks before a right one", async () => {
    const account = await signUpProtected();
    await guess(new TestBrowser(app), account, "000000");
    const counted = app.context.database.updateTable("sign_in_throttles").set({ failures: 98 });
    await counted.where("user_id", "=", account.user.id).where("purpose", "=", "code").execute();
    const codes: string[] = [];
    for (let count = 0; count < 4; count++) {
      clock.advance(16 * MINUTE);
      const code = count < 3 ? "000000" : account.authenticator.codeAt(clock.now());
      codes.push((await problemOf(await guess(new TestBrowser(app), account, code))).code);
    }
    expect(codes).toEqual(["wrong-code", "wrong-code", "too-many-requests", "too-many-requests"]);
  });
});

describe("remembered browsers", () => {
  it("a remembered browser is not asked for a code for thirty days, and no other one is", async () => {
    const account = await signUpProtected();
    const [own, other] = [new TestBrowser(app), new TestBrowser(app)];
    await signInTo(own, account, true);
    expect((await typePassword(own, account)).status).toBe(200);
    expect((await typePassword(other, account)).status).toBe(403);
    clock.advance(30 * DAY);
    expect(await codeOf(await typePassword(own, account))).toEqual([403, "second-factor-needed"]);
  });

  it("a browser is not remembered unless the person asks for it", async () => {
    const account = await signUpProtected();
    const own = new TestBrowser(app);
    await signInTo(own, account);
    await takeFirstStep(own, account);
  });

  it("a changed password ends the remembered browsers elsewhere, and their owner can end all of them", async () => {
    const account = await signUpProtected();
    const [own, lost] = [new TestBrowser(app), new TestBrowser(app)];
    own.token = (await signInTo(own, account, true)).access_token;
    await signInTo(lost, account, true);
    const password = "another horse battery";
    const body = { currentPassword: account.password, password };
    expect((await own.call("POST", accountPaths.password, body)).status).toBe(204);
    const changed = { ...account, password };
    await takeFirstStep(lost, changed);
    expect((await own.call("DELETE", accountPaths.rememberedBrowsers)).status).toBe(204);
    await takeFirstStep(own, changed);
  });
});
