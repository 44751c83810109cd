import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { problemSchema } from "#contract/problem.ts";
import { switchSecondFactorOn, type TestFactor } from "../../../testing/accounts/second-factor.ts";
import { signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  type TestHarness,
} from "../../../testing/app/start-test-app.ts";

const OLD = "old-secret-of-the-installation-0123456789";
const NEW = "new-secret-of-the-installation-0123456789";

let harness: TestHarness;
beforeEach(async () => {
  harness = await createTestHarness(undefined, { isMigrated: true });
});
afterEach(() => harness[Symbol.asyncDispose]());

const start = (env: Record<string, string>, acceptsNewSecret = false) =>
  startTestApp({ harness, env, acceptsNewSecret });

async function enrol(): Promise<TestAccount & TestFactor> {
  await using app = await start({ SECRET_KEY: OLD });
  const account = await signUpProved(app);
  return { ...account, ...(await switchSecondFactorOn(app, account)) };
}

/** @returns the status of the second step, and the code of its refusal */
async function signIn(app: TestApp, { user, password }: TestAccount, code: string): Promise<[number, string?]> {
  const first = await app.call("POST", accountPaths.login, { body: { username: user.username, password } });
  const { ticket } = problemSchema.parse(await first.json());
  const second = await app.call("POST", accountPaths.secondStep, { body: { ticket, code } });
  return second.ok ? [second.status] : [second.status, problemSchema.parse(await second.json()).code];
}

describe("second factors and the key of the installation", () => {
  it("N6 a start with another key stops and names the second factors, unless it accepts the new one", async () => {
    const account = await enrol();
    await expect(start({ SECRET_KEY: NEW })).rejects.toThrow(/SECRET_KEY does not open.*second factor of one account/);
    await using app = await start({ SECRET_KEY: NEW }, true);
    const code = account.authenticator.codeAt(app.context.clock.now());
    expect(await signIn(app, account, code)).toEqual([403, "codes-unreadable"]);
    expect(await signIn(app, account, account.recoveryCodes[0] ?? "")).toEqual([200]);
  });

  it("N6 the previous key opens secrets, which are encrypted again", async () => {
    const account = await enrol();
    {
      await using between = await start({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD });
      expect(await signIn(between, account, account.authenticator.codeAt(between.context.clock.now()))).toEqual([200]);
    }
    await using after = await start({ SECRET_KEY: NEW });
    const next = account.authenticator.codeAt(after.context.clock.now(), 1);
    expect(await signIn(after, account, next)).toEqual([200]);
  });
});
