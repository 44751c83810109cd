import { describe, expect, it } from "vitest";
import { accountDetailsSchema } from "#contract/accounts/account-settings.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { recoveryCodesSchema, type TotpEnrolment, totpEnrolmentSchema } from "#contract/accounts/second-factor.ts";
import { HOUR, MINUTE } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { subjectsTo } from "../../../testing/accounts/filed-mails.ts";
import { AuthenticatorApp, switchSecondFactorOn, type TestFactor } from "../../../testing/accounts/second-factor.ts";
import { securityEventsOf } from "../../../testing/accounts/security-events-of.ts";
import { signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock, env: { PRODUCT_NAME: "Our Chat" } }));

const codeOf = async (response: Response) => {
  const { code } = problemSchema.parse(await response.json());
  return [response.status, code];
};

const readFactor = async ({ token }: TestAccount) =>
  accountDetailsSchema.parse(await (await app.call("GET", accountPaths.account, { token })).json()).secondFactor;

async function beginEnrolment({ token }: TestAccount): Promise<TotpEnrolment & { authenticator: AuthenticatorApp }> {
  const begun = totpEnrolmentSchema.parse(await (await app.call("POST", accountPaths.totpEnrolment, { token })).json());
  return { ...begun, authenticator: new AuthenticatorApp(begun.secret) };
}

const confirm = ({ token }: Pick<TestAccount, "token">, enrolment: string, code: string) =>
  app.call("POST", accountPaths.secondFactor, { token, body: { enrolment, code } });

/** Signs in by password in a second session. */
async function signInAgain({ user, password }: TestAccount): Promise<{ token: string }> {
  const body = { username: user.username, password };
  const { access_token: token } = (await (await app.call("POST", accountPaths.login, { body })).json()) as {
    access_token: string;
  };
  return { token };
}

describe("switching the second factor on", () => {
  it("the secret is answered in base32 and as the address of a QR code, and nothing is stored before its code", async () => {
    const account = await signUpProved(app);
    const { secret, uri } = await beginEnrolment(account);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toBe(`otpauth://totp/Our%20Chat:${account.user.username}?secret=${secret}&issuer=Our%20Chat`);
    expect(await readFactor(account)).toBeNull();
  });

  it("a code of the app switches the second factor on, and answers ten recovery codes", async () => {
    const account = await signUpProved(app);
    const { enrolment, authenticator } = await beginEnrolment(account);
    const wrong = await confirm(account, enrolment, "000000");
    expect(await codeOf(wrong)).toEqual([403, "wrong-code"]);
    const confirmed = await confirm(account, enrolment, authenticator.codeAt(clock.now()));
    expect(recoveryCodesSchema.parse(await confirmed.json()).recoveryCodes).toHaveLength(10);
    expect(await readFactor(account)).toEqual({
      createdAt: clock.now(),
      lastUsedAt: null,
      recoveryCodesLeft: 10,
      rememberedBrowsers: 0,
      endsAt: null,
    });
    expect(await securityEventsOf(app, account.user.id)).toContain("second-factor-on");
    expect(await subjectsTo(app, account.user.email)).toContain("A second factor protects your account at Our Chat");
  });

  it("the first confirmed one of several enrolments counts", async () => {
    const account = await signUpProved(app);
    const [one, other] = [await beginEnrolment(account), await beginEnrolment(account)];
    const answers = await Promise.all(
      [one, other].map(({ enrolment, authenticator }) =>
        confirm(account, enrolment, authenticator.codeAt(clock.now())),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const again = await app.call("POST", accountPaths.totpEnrolment, { token: account.token });
    expect(await codeOf(again)).toEqual([409, "second-factor-on"]);
  });

  it("an enrolment belongs to its session, and expires after an hour", async () => {
    const account = await signUpProved(app);
    const { enrolment, authenticator } = await beginEnrolment(account);
    const code = () => authenticator.codeAt(clock.now());
    const elsewhere = await signInAgain(account);
    expect(await codeOf(await confirm(elsewhere, enrolment, code()))).toEqual([400, "enrolment-expired"]);
    const stranger = await signUpProved(app);
    expect(await codeOf(await confirm(stranger, enrolment, code()))).toEqual([400, "enrolment-expired"]);
    clock.advance(HOUR);
    const later = await app.call("POST", accountPaths.proof, {
      token: account.token,
      body: { password: account.password },
    });
    expect(later.status).toBe(200);
    expect(await codeOf(await confirm(account, enrolment, code()))).toEqual([400, "enrolment-expired"]);
  });

  it("the secret of an enrolment that another text replaces does not count", async () => {
    const account = await signUpProved(app);
    for (const forged of ["x", "x".repeat(90), `${clock.now() + HOUR} ABCDEFGH`]) {
      expect(await codeOf(await confirm(account, forged, "123456"))).toEqual([400, "enrolment-expired"]);
    }
  });
});

describe("changing the second factor", () => {
  const path = { off: accountPaths.secondFactorRemoval, renew: accountPaths.recoveryCodes } as const;
  const signUpProtected = async (): Promise<TestAccount & TestFactor> => {
    const account = await signUpProved(app);
    return { ...account, ...(await switchSecondFactorOn(app, account)) };
  };
  const change = ({ token }: TestAccount, way: keyof typeof path, code: string) =>
    app.call("POST", path[way], { token, body: { code } });

  it.each(["off", "renew"] as const)("the change %j needs a right code beside the proof", async (way) => {
    const account = await signUpProtected();
    expect(await codeOf(await change(account, way, "000000"))).toEqual([403, "wrong-code"]);
    expect(await readFactor(account)).toMatchObject({ recoveryCodesLeft: 10 });
    clock.advance(10 * MINUTE);
    const late = await change(account, way, account.authenticator.codeAt(clock.now()));
    expect(await codeOf(late)).toEqual([403, "proof-needed"]);
    expect(await securityEventsOf(app, account.user.id)).toContain("second-factor-failed");
  });

  it("a code of the app switches the second factor off, and the password suffices again", async () => {
    const account = await signUpProtected();
    expect((await change(account, "off", account.authenticator.codeAt(clock.now()))).status).toBe(204);
    expect(await readFactor(account)).toBeNull();
    expect((await app.call("GET", accountPaths.me, await signInAgain(account))).status).toBe(200);
    expect(await securityEventsOf(app, account.user.id)).toContain("second-factor-off");
    expect(await subjectsTo(app, account.user.email)).toContain("The second factor of your account at Our Chat is off");
    expect(await codeOf(await change(account, "off", "123456"))).toEqual([409, "second-factor-off"]);
  });

  it("O2 a recovery code can switch the second factor off, because the phone may be lost", async () => {
    const account = await signUpProtected();
    const [code = ""] = account.recoveryCodes;
    expect((await change(account, "off", code)).status).toBe(204);
  });

  it("O2 new recovery codes end the earlier ones", async () => {
    const account = await signUpProtected();
    const renewed = await change(account, "renew", account.recoveryCodes[0] ?? "");
    const { recoveryCodes } = recoveryCodesSchema.parse(await renewed.json());
    expect(recoveryCodes).toHaveLength(10);
    expect(recoveryCodes.filter((code) => account.recoveryCodes.includes(code))).toEqual([]);
    expect(await codeOf(await change(account, "off", account.recoveryCodes[1] ?? ""))).toEqual([403, "wrong-code"]);
    expect((await change(account, "off", recoveryCodes[0] ?? "")).status).toBe(204);
  });
});
