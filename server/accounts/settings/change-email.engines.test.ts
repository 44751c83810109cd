import { describe, expect, it } from "vitest";
import { accountDetailsSchema, CHANGE_EMAIL_SUCCESS } from "#contract/accounts/account-settings.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { DAY, MINUTE, SECOND } from "#contract/limits.ts";
import { filedMailsTo, subjectsTo } from "../../../testing/accounts/filed-mails.ts";
import { type LinkedPage, mailedKeysFor, newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { switchSecondFactorOn } from "../../../testing/accounts/second-factor.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { newPerson, signUp, signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";
import { visibleOf } from "../../../testing/http/visible-of.ts";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock }));

const NEW_PASSWORD = "another horse battery";
const somebody = () => signUpProved(app);
const post = (path: string, body: unknown, token?: string) =>
  app.call("POST", path, { body, ...(token !== undefined && { token }) });
const login = (username: string, password: string) => post(accountPaths.login, { username, password });
const me = async (token: string) => (await app.call("GET", accountPaths.me, { token })).status;
const details = async (token: string) =>
  accountDetailsSchema.parse(await (await app.call("GET", accountPaths.account, { token })).json());
const askedKey = async (account: TestAccount, email: string) => {
  expect((await post(accountPaths.email, { email }, account.token)).status).toBe(200);
  return newestKeyFor(app, "confirm-email", email);
};

describe("change of the address", () => {
  it("the address of an account changes once the new one is confirmed, and the old one is notified", async () => {
    const account = await somebody();
    const { user, token } = account;
    const { email } = newPerson();
    const asked = await post(accountPaths.email, { email }, token);
    expect(await asked.json()).toEqual({ message: CHANGE_EMAIL_SUCCESS });
    expect((await details(token)).pendingEmail).toBe(email);
    expect(await (await app.call("GET", accountPaths.me, { token })).json()).toMatchObject({ email: user.email });
    const key = await newestKeyFor(app, "confirm-email", email);
    expect((await post(accountPaths.confirmEmail, { key })).status).toBe(204);
    expect(await (await app.call("GET", accountPaths.me, { token })).json()).toMatchObject({ email });
    expect((await details(token)).pendingEmail).toBeNull();
    expect(await subjectsTo(app, user.email)).toContain("The address of your account at Parley was changed");
    expect(await securityEventsOf(app, user.id)).toEqual(
      expect.arrayContaining(["email-change-asked", "email-changed"]),
    );
  });

  it("a change of address ends no sessions if the requesting browser confirms it, even without its cookies", async () => {
    const { user, token } = await somebody();
    const browser = new TestBrowser(app);
    browser.token = token;
    const { email } = newPerson();
    expect((await browser.call("POST", accountPaths.email, { email })).status).toBe(200);
    const letter = (await filedMailsTo(app, email)).at(-1);
    expect(letter?.text?.replaceAll(/\s+/g, " ")).toContain("opened elsewhere, it signs out all devices");
    const key = await newestKeyFor(app, "confirm-email", email);
    expect((await browser.call("POST", accountPaths.confirmEmail, { key })).status).toBe(204);
    expect(await me(token)).toBe(200);
    expect(await securityEventsOf(app, user.id)).toContain("email-changed");
  });

  it("notifies the current address of the request of another one", async () => {
    const { user, token } = await somebody();
    await post(accountPaths.email, { email: newPerson().email }, token);
    const notice = (await filedMailsTo(app, user.email)).at(-1);
    expect(notice?.subject).toBe("Another address for your account at Parley");
    expect(notice?.text).toContain(`${app.context.config.publicUrl}/forgot-password`);
  });

  it("C2 a change to an address of another account gets the same answer, and notifies its owner", async () => {
    const [ada, eve] = [await somebody(), await somebody()];
    const free = await visibleOf(await post(accountPaths.email, { email: newPerson().email }, eve.token));
    const taken = await visibleOf(await post(accountPaths.email, { email: ada.user.email.toUpperCase() }, eve.token));
    expect(taken).toEqual(free);
    expect((await details(eve.token)).pendingEmail?.toLowerCase()).toBe(ada.user.email);
    expect(await mailedKeysFor(app, "confirm-email", ada.user.email)).toEqual([]);
    expect(await subjectsTo(app, ada.user.email)).toContain("You already have an account at Parley");
  });

  it("D11 refuses to confirm an address that another account has verified meanwhile, like an invalid key", async () => {
    const account = await somebody();
    const rival = newPerson();
    const key = await askedKey(account, rival.email);
    const { user: owner } = await signUp(app, rival);
    const wrong = await visibleOf(await post(accountPaths.confirmEmail, { key: "A".repeat(43) }));
    expect(await visibleOf(await post(accountPaths.confirmEmail, { key }))).toEqual(wrong);
    expect(JSON.parse(wrong.body)).toMatchObject({ code: "bad-link" });
    const { email } = (await (await app.call("GET", accountPaths.me, { token: account.token })).json()) as {
      email: string;
    };
    expect([email, owner.email]).toEqual([account.user.email, rival.email]);
  });

  it("a change of address removes pending accounts with the new address", async () => {
    const [account, eve] = [await somebody(), newPerson()];
    const key = await askedKey(account, eve.email);
    await post(accountPaths.register, eve);
    expect((await post(accountPaths.confirmEmail, { key })).status).toBe(204);
    expect((await login(eve.username, eve.password)).status).toBe(401);
  });

  it("a cancelled request does not change the address", async () => {
    const account = await somebody();
    const key = await askedKey(account, newPerson().email);
    const cancel = () => app.call("DELETE", accountPaths.email, { token: account.token });
    expect([(await cancel()).status, (await cancel()).status]).toEqual([204, 204]);
    expect((await post(accountPaths.confirmEmail, { key })).status).toBe(400);
    expect(
      (await securityEventsOf(app, account.user.id)).filter((kind) => kind === "email-change-cancelled"),
    ).toHaveLength(1);
  });

  it("D2 D3 D4 accepts the key of a change of address for 24 hours, once, and only the newest", async () => {
    const account = await somebody();
    const [first, second] = [newPerson().email, newPerson().email];
    const old = await askedKey(account, first);
    const key = await askedKey(account, second);
    expect((await post(accountPaths.confirmEmail, { key: old })).status).toBe(400);
    clock.advance(DAY - SECOND);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(accountPaths.confirmEmail, { key })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(400)]);
    const late = await somebody();
    const lateKey = await askedKey(late, newPerson().email);
    clock.advance(DAY);
    expect((await post(accountPaths.confirmEmail, { key: lateKey })).status).toBe(400);
  });

  it("a change of address accepts only addresses of the configured domains", async () => {
    await using limited = await startTestApp({ env: { REGISTRATION_DOMAINS: "example.org" } });
    const { user, password } = await signUp(limited);
    const signedIn = await limited.call("POST", accountPaths.login, { body: { username: user.username, password } });
    const { access_token: token } = (await signedIn.json()) as { access_token: string };
    const response = await limited.call("POST", accountPaths.email, { token, body: { email: "ada@example.net" } });
    expect(await problemOf(response)).toMatchObject({ code: "registration-domain" });
  });
});

describe("undoing a change of address", () => {
  const move = async (account: TestAccount, email: string) => {
    const key = await askedKey(account, email);
    expect((await post(accountPaths.confirmEmail, { key })).status).toBe(204);
  };
  const emailOf = async ({ user }: TestAccount) => {
    const users = app.context.database.selectFrom("users").select("email").where("id", "=", user.id);
    return (await users.executeTakeFirstOrThrow()).email;
  };

  it("undoing a change of address is possible for seven days, and ends every session and every other key", async () => {
    const victim = await somebody();
    const { user, password, token } = victim;
    const eve = newPerson().email;
    await move(victim, eve);
    await post(accountPaths.forgotPassword, { email: eve });
    const evesReset = await newestKeyFor(app, "reset-password", eve);
    await post(accountPaths.email, { email: newPerson().email }, token);
    clock.advance(7 * DAY - MINUTE);
    const key = await newestKeyFor(app, "undo-email", user.email);
    expect((await post(accountPaths.undoEmail, { key })).status).toBe(204);
    expect(await emailOf(victim)).toBe(user.email);
    expect(await me(token)).toBe(401);
    expect((await post(accountPaths.resetPassword, { key: evesReset, password: "eve's password" })).status).toBe(400);
    // The attacker who changed the address may know the password.
    const known = await login(user.username, password);
    expect([known.status, (await problemOf(known)).code]).toEqual([401, "wrong-credentials"]);
    await post(accountPaths.forgotPassword, { email: user.email });
    const reset = await newestKeyFor(app, "reset-password", user.email);
    expect((await post(accountPaths.resetPassword, { key: reset, password: NEW_PASSWORD })).status).toBe(200);
    expect((await login(user.username, NEW_PASSWORD)).status).toBe(200);
    expect(await securityEventsOf(app, user.id)).toContain("email-change-undone");
    expect(await subjectsTo(app, user.email)).toContain("Your address at Parley was given back");
  });

  it("D2 D3 undoing a change of address works once, and not after seven days", async () => {
    const [once, late] = [await somebody(), await somebody()];
    await move(once, newPerson().email);
    const key = await newestKeyFor(app, "undo-email", once.user.email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(accountPaths.undoEmail, { key })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(400)]);
    await move(late, newPerson().email);
    const lateKey = await newestKeyFor(app, "undo-email", late.user.email);
    clock.advance(7 * DAY);
    expect((await post(accountPaths.undoEmail, { key: lateKey })).status).toBe(400);
  });

  it("undoing a change of address reverts any number of later ones too, and invalidates their keys", async () => {
    const account = await somebody();
    const [second, third] = [newPerson().email, newPerson().email];
    await move(account, second);
    await move(account, third);
    const [toFirst, toSecond] = [
      await newestKeyFor(app, "undo-email", account.user.email),
      await newestKeyFor(app, "undo-email", second),
    ];
    expect((await post(accountPaths.undoEmail, { key: toFirst })).status).toBe(204);
    expect(await emailOf(account)).toBe(account.user.email);
    expect((await post(accountPaths.undoEmail, { key: toSecond })).status).toBe(400);
  });

  it("undoing a change reports that another account has the address, and works once the address is free", async () => {
    const victim = await somebody();
    const { user, password, token } = victim;
    await move(victim, newPerson().email);
    const key = await newestKeyFor(app, "undo-email", user.email);
    const again = await signUpProved(app, newPerson({ email: user.email }));
    for (let tried = 0; tried < 2; tried++) {
      const refused = await post(accountPaths.undoEmail, { key });
      expect([refused.status, (await problemOf(refused)).code]).toEqual([409, "address-taken"]);
    }
    expect([await me(token), (await login(user.username, password)).status]).toEqual([401, 401]);
    await move(again, newPerson().email);
    expect((await post(accountPaths.undoEmail, { key })).status).toBe(204);
    expect(await emailOf(victim)).toBe(user.email);
  });

  it("undoing a change of address works after an attacker's actions: other addresses, another password, a reset", async () => {
    const victim = await somebody();
    await move(victim, newPerson().email);
    const eve = newPerson().email;
    await move(victim, eve);
    await post(accountPaths.forgotPassword, { email: eve });
    const reset = await newestKeyFor(app, "reset-password", eve);
    expect((await post(accountPaths.resetPassword, { key: reset, password: NEW_PASSWORD })).status).toBe(200);
    const key = await newestKeyFor(app, "undo-email", victim.user.email);
    expect((await post(accountPaths.undoEmail, { key })).status).toBe(204);
    expect(await emailOf(victim)).toBe(victim.user.email);
  });

  it("undoing a change of address removes a second factor that was switched on since, and no earlier one", async () => {
    const [own, stolen] = [await somebody(), await somebody()];
    await switchSecondFactorOn(app, own);
    clock.advance(2 * DAY);
    for (const account of [own, stolen]) {
      const { token, password } = account;
      expect((await post(accountPaths.proof, { password }, token)).status).toBe(200);
      await move(account, newPerson().email);
    }
    await switchSecondFactorOn(app, stolen);
    const statuses: number[] = [];
    for (const { user } of [own, stolen]) {
      const key = await newestKeyFor(app, "undo-email", user.email);
      expect((await post(accountPaths.undoEmail, { key })).status).toBe(204);
      await post(accountPaths.forgotPassword, { email: user.email });
      const reset = await newestKeyFor(app, "reset-password", user.email);
      expect((await post(accountPaths.resetPassword, { key: reset, password: NEW_PASSWORD })).status).toBe(200);
      statuses.push((await login(user.username, NEW_PASSWORD)).status);
    }
    expect(statuses).toEqual([403, 200]);
    expect(await securityEventsOf(app, stolen.user.id)).toContain("second-factor-reset");
  });
});

it("D4 accepts each mailed key only for its own purpose and account, in all pairs", async () => {
  const pages: Record<LinkedPage, string> = {
    "verify-email": accountPaths.verify,
    "reset-password": accountPaths.resetPassword,
    "confirm-email": accountPaths.confirmEmail,
    "undo-email": accountPaths.undoEmail,
    "lose-factor": accountPaths.secondFactorLoss,
    "keep-factor": accountPaths.secondFactorKeep,
  };
  const account = await somebody();
  const [pending, second, third] = [newPerson(), newPerson().email, newPerson().email];
  await post(accountPaths.register, pending);
  await post(accountPaths.confirmEmail, { key: await askedKey(account, second) });
  await askedKey(account, third);
  await post(accountPaths.forgotPassword, { email: second });
  const addresses = [pending.email, second, third, account.user.email];
  const keys = new Map<LinkedPage, string>();
  for (const [at, page] of (["verify-email", "reset-password", "confirm-email", "undo-email"] as const).entries()) {
    keys.set(page, await newestKeyFor(app, page, addresses[at] ?? ""));
  }
  for (const [own, key] of keys) {
    for (const [page, path] of Object.entries(pages)) {
      if (page !== own) expect((await post(path, { key, password: NEW_PASSWORD })).status).toBe(400);
    }
  }
  for (const page of ["verify-email", "confirm-email", "undo-email"] as const) {
    expect((await post(pages[page], { key: keys.get(page) })).ok).toBe(true);
  }
});
