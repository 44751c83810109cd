import { beforeEach, describe, expect, it } from "vitest";
import { accountDetailsSchema } from "#contract/accounts/account-settings.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { secondFactorLossSchema } from "#contract/accounts/second-factor.ts";
import { HOUR, MINUTE } from "#contract/limits.ts";
import { filedMailsTo } from "../../../testing/accounts/filed-mails.ts";
import { mailedKeysFor, newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { switchSecondFactorOn, type TestFactor } from "../../../testing/accounts/second-factor.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock }));

let account: TestAccount & TestFactor;
beforeEach(async () => {
  const made = await signUpProved(app);
  account = { ...made, ...(await switchSecondFactorOn(app, made)) };
});

const post = (path: string, body: unknown) => app.call("POST", path, { body });
const codeOf = async (response: Response) => [response.status, (await problemOf(response)).code];
const takeFirstStep = () => post(accountPaths.login, { username: account.user.username, password: account.password });
const ticketOf = async () => (await problemOf(await takeFirstStep())).ticket ?? "";
const readFactor = async () => {
  const details = await app.call("GET", accountPaths.account, { token: account.token });
  return accountDetailsSchema.parse(await details.json()).secondFactor;
};

async function askForLoss(): Promise<string> {
  expect((await post(accountPaths.secondStepLoss, { ticket: await ticketOf() })).status).toBe(200);
  return newestKeyFor(app, "lose-factor", account.user.email);
}

async function beginLoss(): Promise<number> {
  const begun = await post(accountPaths.secondFactorLoss, { key: await askForLoss() });
  return secondFactorLossSchema.parse(await begun.json()).endsAt;
}

describe("lost second factors", () => {
  it("a lost second factor ends 72 hours after the mailed link, with a notice at once, in the log and at the end", async () => {
    const endsAt = await beginLoss();
    expect(endsAt).toBe(clock.now() + 72 * HOUR);
    expect(await readFactor()).toMatchObject({ endsAt });
    const own = await app.call("GET", accountPaths.me, { token: account.token });
    expect(await own.json()).toMatchObject({ secondFactorEndsAt: endsAt });
    expect((await filedMailsTo(app, account.user.email)).at(-1)).toMatchObject({
      subject: "The second factor of your account at Parley will end",
      text: expect.stringContaining("reported the second factor"),
    });
    clock.advance(72 * HOUR - 1);
    expect(await codeOf(await takeFirstStep())).toEqual([403, "second-factor-needed"]);
    clock.advance(1);
    expect((await takeFirstStep()).status).toBe(200);
    expect(await readFactor()).toBeNull();
    expect(await securityEventsOf(app, account.user.id)).toEqual(
      expect.arrayContaining(["second-factor-loss-asked", "second-factor-loss-begun", "second-factor-lost"]),
    );
    const subjects = (await filedMailsTo(app, account.user.email)).map(({ subject }) => subject);
    expect(subjects).toContain("The second factor of your account at Parley is off");
  });

  it("a lost second factor stays if its owner stops the end in a session, by the mailed key, or by signing in with a code", async () => {
    const ways: (() => Promise<Response>)[] = [
      () => app.call("DELETE", accountPaths.secondFactorLoss, { token: account.token }),
      async () =>
        post(accountPaths.secondFactorKeep, { key: await newestKeyFor(app, "keep-factor", account.user.email) }),
      async () => post(accountPaths.secondStep, { ticket: await ticketOf(), code: account.recoveryCodes[0] }),
    ];
    for (const stop of ways) {
      await beginLoss();
      expect((await stop()).ok).toBe(true);
      expect(await readFactor()).toMatchObject({ endsAt: null });
      // Another mail to the address is possible after a while.
      clock.advance(HOUR);
    }
    clock.advance(72 * HOUR);
    expect((await takeFirstStep()).status).toBe(403);
    expect(await securityEventsOf(app, account.user.id)).toContain("second-factor-loss-stopped");
  });

  it("a lost second factor does not end earlier or later if its loss is reported again", async () => {
    const endsAt = await beginLoss();
    clock.advance(HOUR);
    expect(await beginLoss()).toBe(endsAt);
  });

  it("the loss of a second factor needs the first step, and each mailed key once and for its own purpose", async () => {
    const refused = await post(accountPaths.secondStepLoss, { ticket: "x".repeat(43) });
    expect(await codeOf(refused)).toEqual([403, "second-step-expired"]);
    const key = await askForLoss();
    for (const path of [accountPaths.secondFactorKeep, accountPaths.verify, accountPaths.confirmEmail]) {
      expect((await post(path, { key })).status).toBe(400);
    }
    expect(await (await post(accountPaths.mailedKey, { key })).json()).toEqual({
      purpose: "lose-factor",
      username: account.user.username,
    });
    expect((await post(accountPaths.secondFactorLoss, { key })).status).toBe(200);
    expect(await codeOf(await post(accountPaths.secondFactorLoss, { key }))).toEqual([400, "bad-link"]);
    const [keep = ""] = await mailedKeysFor(app, "keep-factor", account.user.email);
    expect((await post(accountPaths.secondFactorLoss, { key: keep })).status).toBe(400);
    expect((await post(accountPaths.resetPassword, { key: keep, password: "another horse battery" })).status).toBe(400);
  });

  it("a second factor is not ended by a link that is older than thirty minutes, or than a new password", async () => {
    const old = await askForLoss();
    clock.advance(30 * MINUTE);
    expect(await codeOf(await post(accountPaths.secondFactorLoss, { key: old }))).toEqual([400, "bad-link"]);
    const key = await askForLoss();
    const { token, password } = account;
    await app.call("POST", accountPaths.proof, { token, body: { password } });
    const changed = await app.call("POST", accountPaths.password, {
      token,
      body: { currentPassword: password, password: "another horse battery" },
    });
    expect(changed.status).toBe(204);
    expect(await codeOf(await post(accountPaths.secondFactorLoss, { key }))).toEqual([400, "bad-link"]);
  });
});
