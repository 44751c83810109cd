import { describe, expect, it } from "vitest";
import { accountDetailsSchema, type LastSignIns } from "#contract/accounts/account-settings.ts";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { administeredAccountSchema } from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { HOUR } from "#contract/limits.ts";
import { startGoogleApp } from "../../../testing/accounts/google-app.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { switchSecondFactorOn } from "../../../testing/accounts/second-factor.ts";
import { PASSWORD, signUp, signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";

const { app, google, clock } = disposeAfterAll(await startGoogleApp());

const lastSignInsOf = async ({ token }: Pick<TestAccount, "token">): Promise<LastSignIns> =>
  accountDetailsSchema.parse(await (await app.call("GET", accountPaths.account, { token })).json()).lastSignIns;

const typePassword = ({ user }: Pick<TestAccount, "user">, password = PASSWORD) =>
  app.call("POST", accountPaths.login, { body: { username: user.username, password } });

const signInByGoogle = async (sub: string, email: string) =>
  app.call("POST", accountPaths.google, { body: { id_token: await google.issueIdToken({ sub, email }, clock.now()) } });

const connectGoogle = async ({ token }: TestAccount, sub: string) =>
  app.call("POST", accountPaths.googleConnection, {
    token,
    body: { id_token: await google.issueIdToken({ sub }, clock.now()) },
  });

/** Takes both steps. @returns the token of the session */
async function signInByCode({ user }: TestAccount, code: string): Promise<string> {
  const { ticket } = await problemOf(await typePassword({ user }));
  const response = await app.call("POST", accountPaths.secondStep, { body: { ticket, code } });
  return signedInSchema.parse(await response.json()).access_token;
}

describe("the last use of the ways to sign in", () => {
  it("the account details have the time of the last sign-in by password, and none before the first", async () => {
    const account = await signUp(app);
    expect(await lastSignInsOf(account)).toEqual({});
    for (const _ of ["first", "second"]) {
      clock.advance(HOUR);
      expect((await typePassword(account)).status).toBe(200);
      expect(await lastSignInsOf(account)).toEqual({ password: clock.now() });
    }
  });

  it("a wrong password, and a confirmation of who acts, are no sign-in", async () => {
    const account = await signUpProved(app);
    const before = await lastSignInsOf(account);
    clock.advance(1);
    expect((await typePassword(account, "wrong words")).status).toBe(401);
    const proof = await app.call("POST", accountPaths.proof, { token: account.token, body: { password: PASSWORD } });
    expect(proof.status).toBe(200);
    expect(await lastSignInsOf(account)).toEqual(before);
  });

  it("the account details have the time of the last sign-in by Google, apart from that by password", async () => {
    const first = signedInSchema.parse(await (await signInByGoogle("2001", "by-google@example.org")).json());
    expect(await lastSignInsOf({ token: first.access_token })).toEqual({ google: clock.now() });
  });

  it("another Google account that is connected has not been used", async () => {
    const account = await signUpProved(app);
    const password = clock.now();
    expect((await connectGoogle(account, "2002")).status).toBe(204);
    expect((await signInByGoogle("2002", "elsewhere@example.org")).status).toBe(200);
    expect(await lastSignInsOf(account)).toEqual({ password, google: clock.now() });
    expect((await app.call("DELETE", accountPaths.googleConnection, { token: account.token })).status).toBe(204);
    expect((await connectGoogle(account, "2003")).status).toBe(204);
    expect(await lastSignInsOf(account)).toEqual({ password });
  });

  it("a password without its second step is no sign-in", async () => {
    const account = await signUpProved(app);
    const password = clock.now();
    const { authenticator } = await switchSecondFactorOn(app, account);
    clock.advance(HOUR);
    expect((await typePassword(account)).status).toBe(403);
    expect(await lastSignInsOf({ token: account.token })).toEqual({ password });
    await signInByCode(account, authenticator.codeAt(clock.now()));
    expect(await lastSignInsOf({ token: account.token })).toEqual({ password: clock.now() });
  });

  it("the account details have the last use of a recovery code until the codes are renewed", async () => {
    const account = await signUpProved(app);
    const { authenticator, recoveryCodes } = await switchSecondFactorOn(app, account);
    clock.advance(HOUR);
    const token = await signInByCode(account, recoveryCodes[0] ?? "");
    const now = clock.now();
    expect(await lastSignInsOf({ token })).toEqual({ password: now, recoveryCode: now });
    const body = { code: authenticator.codeAt(now) };
    expect((await app.call("POST", accountPaths.recoveryCodes, { token, body })).status).toBe(200);
    expect(await lastSignInsOf({ token })).toEqual({ password: now });
  });

  it("administrators see the last use of each way of a person, and no secret", async () => {
    const administrator = await signUpAs(app, "administrator");
    const account = await signUpProved(app);
    const read = async () => {
      const path = administrationPaths.account(account.user.id);
      const text = await (await app.call("GET", path, { token: administrator.token })).text();
      return { text, ...administeredAccountSchema.parse(JSON.parse(text)) };
    };
    const { authenticator } = await switchSecondFactorOn(app, account);
    const before = await read();
    expect(before).toMatchObject({ hasSecondFactor: true, lastSignIns: { password: clock.now() } });
    expect(before.secondFactorUsedAt).toBeUndefined();
    clock.advance(HOUR);
    await signInByCode(account, authenticator.codeAt(clock.now()));
    const after = await read();
    expect(after).toMatchObject({ lastSignIns: { password: clock.now() }, secondFactorUsedAt: clock.now() });
    expect(after.text).not.toMatch(/argon2|secret_encrypted|recovery_codes/);
  });
});
