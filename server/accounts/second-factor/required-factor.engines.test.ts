import { describe, expect, it } from "vitest";
import { accountDetailsSchema } from "#contract/accounts/account-settings.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { setUpSignedInSchema, totpEnrolmentSchema } from "#contract/accounts/second-factor.ts";
import { administeredAccountSchema, auditListSchema } from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { mailedKey, subjectsTo } from "../../../testing/accounts/filed-mails.ts";
import { startGoogleApp } from "../../../testing/accounts/google-app.ts";
import { insertTestGroup, moveToGroup } from "../../../testing/accounts/groups.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { giveRole, signUpAs } from "../../../testing/accounts/roles.ts";
import { AuthenticatorApp, switchSecondFactorOn } from "../../../testing/accounts/second-factor.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { newPerson, signUpByMail, signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { routeRows } from "../../../testing/http/route-rows.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";

const { app, google, clock } = disposeAfterAll(await startGoogleApp());
const group = await insertTestGroup(app, { needs_second_factor: 1 });

/** An account whose group needs a second factor, and which has none. */
async function signUpRequired(): Promise<TestAccount> {
  const account = await signUpProved(app);
  await moveToGroup(app, group, account);
  return account;
}

const problemOf = async (response: Response) => problemSchema.parse(await response.json());
const codeOf = async (response: Response) => [response.status, (await problemOf(response)).code];

const login = ({ user, password }: TestAccount, at: TestApp = app) =>
  at.call("POST", accountPaths.login, { body: { username: user.username, password } });

/** Takes the first step by password. @returns the ticket of the set-up */
async function takeFirstStep(browser: TestBrowser, { user, password }: TestAccount): Promise<string> {
  browser.token = undefined;
  await browser.call("GET", accountPaths.authConfig);
  const response = await browser.call("POST", accountPaths.login, { username: user.username, password });
  const { code, ticket = "" } = await problemOf(response);
  expect([response.status, code]).toEqual([403, "second-factor-missing"]);
  return ticket;
}

async function beginSetUp(browser: TestBrowser, ticket: string) {
  const begun = await browser.call("POST", accountPaths.secondStepEnrolment, { ticket });
  const { secret, ...enrolment } = totpEnrolmentSchema.parse(await begun.json());
  return { ...enrolment, authenticator: new AuthenticatorApp(secret) };
}

const complete = (browser: TestBrowser, ticket: string, enrolment: string, code: string) =>
  browser.call("POST", accountPaths.secondStepSetUp, { ticket, enrolment, code });

/** Signs in with a new second factor. */
async function setUp(browser: TestBrowser, ticket: string) {
  const { enrolment, authenticator } = await beginSetUp(browser, ticket);
  const completed = await complete(browser, ticket, enrolment, authenticator.codeAt(clock.now()));
  expect(completed.status).toBe(200);
  return { ...setUpSignedInSchema.parse(await completed.json()), authenticator };
}

const readDetails = async ({ token }: Pick<TestAccount, "token">) =>
  accountDetailsSchema.parse(await (await app.call("GET", accountPaths.account, { token })).json());

const countSessions = async ({ user }: TestAccount) =>
  (await app.context.database.selectFrom("sessions").select("id").where("user_id", "=", user.id).execute()).length;

describe("the first step of an account that lacks a required second factor", () => {
  it("a right password without a required factor is answered with 403, a sentence and a ticket, and begins no session", async () => {
    const account = await signUpRequired();
    const before = await countSessions(account);
    const response = await login(account);
    const sentence = "This account needs a second factor. Please sign in with a browser to set it up.";
    expect([response.status, await response.json()]).toEqual([
      403,
      {
        detail: { message: sentence, second_factor: true },
        error: sentence,
        code: "second-factor-missing",
        ticket: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
    expect(response.headers.getSetCookie().join()).not.toContain("access_token");
    expect(await countSessions(account)).toBe(before);
  });

  it("a sign-in by Google and one by a mailed key need the set-up too", async () => {
    const account = await signUpRequired();
    const browser = new TestBrowser(app);
    const sub = newPerson().username;
    const idToken = async () => {
      const config = await browser.call("GET", accountPaths.authConfig);
      const { googleNonce } = (await config.json()) as { googleNonce: string };
      return google.issueIdToken({ sub, email: account.user.email, nonce: googleNonce }, clock.now());
    };
    browser.token = account.token;
    expect((await browser.call("POST", accountPaths.googleConnection, { id_token: await idToken() })).status).toBe(204);
    browser.token = undefined;
    await browser.call("GET", accountPaths.authConfig);
    const byGoogle = await browser.call("POST", accountPaths.google, { id_token: await idToken() });
    expect(await codeOf(byGoogle)).toEqual([403, "second-factor-missing"]);
    const person = newPerson();
    await app.call("POST", accountPaths.register, { body: person });
    const registered = app.context.database.updateTable("users").set({ group_id: group });
    await registered.where("username", "=", person.username).execute();
    const key = await mailedKey(app, person.email);
    expect(await codeOf(await app.call("POST", accountPaths.verify, { body: { key } }))).toEqual([
      403,
      "second-factor-missing",
    ]);
  });

  it("a wrong password reveals nothing, and a disabled account is refused before the set-up", async () => {
    const [account, other] = [await signUpRequired(), await signUpProved(app)];
    const answers = await Promise.all(
      [account, other].map(async (each) => (await login({ ...each, password: "wrong words" })).text()),
    );
    expect(answers[0]).toBe(answers[1]);
    const disabled = app.context.database.updateTable("users").set({ disabled_at: clock.now() });
    await disabled.where("id", "=", account.user.id).execute();
    expect(await codeOf(await login(account))).toEqual([403, "account-disabled"]);
  });

  it("a session that exists when the requirement begins goes on until it ends", async () => {
    const account = await signUpRequired();
    expect((await app.call("GET", accountPaths.me, { token: account.token })).status).toBe(200);
    expect(await readDetails(account)).toMatchObject({ secondFactor: null, needsSecondFactor: true });
  });
});

describe("the set-up of a second factor at the sign-in", () => {
  it("a code of the app switches the factor on, completes the sign-in, and answers ten recovery codes", async () => {
    const account = await signUpRequired();
    const browser = new TestBrowser(app);
    const ticket = await takeFirstStep(browser, account);
    const { access_token: token, recoveryCodes, authenticator } = await setUp(browser, ticket);
    expect(recoveryCodes).toHaveLength(10);
    expect((await readDetails({ token })).secondFactor).toMatchObject({ recoveryCodesLeft: 10 });
    expect(await securityEventsOf(app, account.user.id)).toContain("second-factor-on");
    expect((await subjectsTo(app, account.user.email)).join()).toContain("A second factor protects your account");
    const next = await problemOf(await login(account));
    expect(next.code).toBe("second-factor-needed");
    clock.advance(MINUTE);
    const body = { ticket: next.ticket, code: authenticator.codeAt(clock.now()) };
    expect((await app.call("POST", accountPaths.secondStep, { body })).status).toBe(200);
  });

  it("the ticket opens no other route: neither as a token, nor as the ticket of a second step", async () => {
    const account = await signUpRequired();
    const response = await login(account);
    const { ticket = "" } = await problemOf(response);
    const statuses = new Map<string, number>();
    for (const [route, { role }] of Object.entries(routeRows)) {
      const [method = "GET", path = ""] = route.split(" ");
      if (role === "open") continue;
      statuses.set(route, (await app.call(method, path.replace(":id", "x"), { token: ticket })).status);
    }
    expect([...statuses].filter(([, status]) => status !== 401)).toEqual([]);
    const step = await app.call("POST", accountPaths.secondStep, { body: { ticket, code: "123456" } });
    expect(await codeOf(step)).toEqual([403, "second-step-expired"]);
    const loss = await app.call("POST", accountPaths.secondStepLoss, { body: { ticket } });
    expect(await codeOf(loss)).toEqual([403, "second-step-expired"]);
  });

  it("the ticket of a second step sets nothing up", async () => {
    const account = await signUpRequired();
    await switchSecondFactorOn(app, account);
    const { code, ticket } = await problemOf(await login(account));
    expect(code).toBe("second-factor-needed");
    const begun = await app.call("POST", accountPaths.secondStepEnrolment, { body: { ticket } });
    expect(await codeOf(begun)).toEqual([403, "second-step-expired"]);
  });

  it("the ticket belongs to the browser of the first step, and the enrolment to its ticket", async () => {
    const account = await signUpRequired();
    const [browser, thief] = [new TestBrowser(app), new TestBrowser(app)];
    const ticket = await takeFirstStep(browser, account);
    const other = await takeFirstStep(thief, account);
    const { enrolment, authenticator } = await beginSetUp(browser, ticket);
    const code = authenticator.codeAt(clock.now());
    const stolen = await thief.call("POST", accountPaths.secondStepEnrolment, { ticket });
    expect(await codeOf(stolen)).toEqual([403, "second-step-expired"]);
    expect(await codeOf(await complete(thief, ticket, enrolment, code))).toEqual([403, "second-step-expired"]);
    expect(await codeOf(await complete(thief, other, enrolment, code))).toEqual([400, "enrolment-expired"]);
    expect((await complete(browser, ticket, enrolment, code)).status).toBe(200);
  });

  it("O1 one of several concurrent set-ups counts, and ends the other tickets", async () => {
    const account = await signUpRequired();
    const before = await countSessions(account);
    const browser = new TestBrowser(app);
    const begun = [];
    for (let count = 0; count < 3; count++) {
      const ticket = await takeFirstStep(browser, account);
      begun.push({ ticket, ...(await beginSetUp(browser, ticket)) });
    }
    const answers = await Promise.all(
      begun.flatMap(({ ticket, enrolment, authenticator }) => {
        const code = authenticator.codeAt(clock.now());
        return [complete(browser, ticket, enrolment, code), complete(browser, ticket, enrolment, code)];
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403, 403]);
    expect(await countSessions(account)).toBe(before + 1);
    const tickets = app.context.database.selectFrom("sign_in_tickets").select("hash");
    expect(await tickets.where("user_id", "=", account.user.id).execute()).toEqual([]);
  });

  it("B1 wrong codes are refused, and wait after ten", async () => {
    const account = await signUpRequired();
    const browser = new TestBrowser(app);
    const ticket = await takeFirstStep(browser, account);
    const { enrolment, authenticator } = await beginSetUp(browser, ticket);
    const codes: string[] = [];
    for (let count = 0; count < 14; count++) {
      clock.advance(SECOND);
      codes.push((await problemOf(await complete(browser, ticket, enrolment, "000000"))).code);
    }
    expect([codes[0], codes.at(-1)]).toEqual(["wrong-code", "too-many-requests"]);
    expect((await readDetails(account)).secondFactor).toBeNull();
    clock.advance(20 * MINUTE);
    const code = authenticator.codeAt(clock.now());
    expect((await complete(browser, ticket, enrolment, code)).status).toBe(200);
  });

  it("a ticket expires after an hour, and ends when the password is reset by mail", async () => {
    const account = await signUpRequired();
    const { email } = account.user;
    const browser = new TestBrowser(app);
    const late = await takeFirstStep(browser, account);
    clock.advance(HOUR);
    const begun = await browser.call("POST", accountPaths.secondStepEnrolment, { ticket: late });
    expect(await codeOf(begun)).toEqual([403, "second-step-expired"]);
    const ticket = await takeFirstStep(browser, account);
    const { enrolment, authenticator } = await beginSetUp(browser, ticket);
    await app.call("POST", accountPaths.forgotPassword, { body: { email } });
    const key = await newestKeyFor(app, "reset-password", email);
    const password = "another horse battery";
    await app.call("POST", accountPaths.resetPassword, { body: { key, password } });
    const code = authenticator.codeAt(clock.now());
    expect(await codeOf(await complete(browser, ticket, enrolment, code))).toEqual([403, "second-step-expired"]);
  });
});

describe("a required second factor", () => {
  it("a required factor cannot be switched off until it is not required any more", async () => {
    const account = await signUpRequired();
    const { recoveryCodes } = await switchSecondFactorOn(app, account);
    const switchOff = () =>
      app.call("POST", accountPaths.secondFactorRemoval, {
        token: account.token,
        body: { code: recoveryCodes[0] },
      });
    expect(await codeOf(await switchOff())).toEqual([409, "second-factor-required"]);
    expect((await readDetails(account)).secondFactor).toMatchObject({ recoveryCodesLeft: 10 });
    await moveToGroup(app, null, account);
    expect((await switchOff()).status).toBe(204);
    expect((await login(account)).status).toBe(200);
  });

  it("an administrator requires it of one account, which is recorded, and not any more", async () => {
    const [administrator, account] = [await signUpAs(app, "administrator"), await signUpProved(app)];
    const require = async (needsSecondFactor: boolean) => {
      const path = administrationPaths.account(account.user.id);
      const changed = await app.call("PATCH", path, { token: administrator.token, body: { needsSecondFactor } });
      return administeredAccountSchema.parse(await changed.json()).needsSecondFactor;
    };
    expect([await require(true), (await login(account)).status]).toEqual([true, 403]);
    expect([await require(false), (await login(account)).status]).toEqual([false, 200]);
    const audit = await app.call("GET", administrationPaths.audit, { token: administrator.token });
    const { entries } = auditListSchema.parse(await audit.json());
    expect(entries.slice(0, 2).map(({ kind, subject, after }) => [kind, subject?.id, after])).toEqual([
      ["second-factor-requirement-changed", account.user.id, { needsSecondFactor: "off" }],
      ["second-factor-requirement-changed", account.user.id, { needsSecondFactor: "on" }],
    ]);
  });

  it("an account whose factor an administrator resets sets a new one up at its next sign-in", async () => {
    const [administrator, account] = [await signUpAs(app, "administrator"), await signUpRequired()];
    await switchSecondFactorOn(app, account);
    const body = { ids: [account.user.id], action: "reset-second-factor" };
    await app.call("POST", administrationPaths.accountActions, { token: administrator.token, body });
    const browser = new TestBrowser(app);
    expect((await setUp(browser, await takeFirstStep(browser, account))).recoveryCodes).toHaveLength(10);
  });

  it("SECOND_FACTOR=administrators requires it of administrators and owners only", async () => {
    await using strict = await startTestApp({ env: { SECOND_FACTOR: "administrators" } });
    const account = await signUpProved(strict);
    const statuses: number[] = [];
    for (const role of ["person", "manager", "administrator", "owner"] as const) {
      await giveRole(strict, account, role);
      statuses.push((await login(account, strict)).status);
    }
    expect(statuses).toEqual([200, 200, 403, 403]);
  });

  it("SECOND_FACTOR=required requires it of everybody, also of people who register", async () => {
    await using strict = await startTestApp({ env: { SECOND_FACTOR: "required" } });
    const account = await signUpProved(strict);
    expect(await codeOf(await login(account, strict))).toEqual([403, "second-factor-missing"]);
    await expect(signUpByMail(strict)).rejects.toThrow("second-factor-missing");
  });
});
