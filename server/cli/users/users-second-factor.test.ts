import { expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { filedMailsTo } from "../../../testing/accounts/filed-mails.ts";
import { switchSecondFactorOn } from "../../../testing/accounts/second-factor.ts";
import { signUpProved } from "../../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp } from "../../../testing/app/start-test-app.ts";
import { admin } from "../../../testing/cli/run-admin.ts";

it("users reset-second-factor lets an account sign in without a code, and mails its owner", async () => {
  await using harness = await createTestHarness();
  await using app = await startTestApp({ harness });
  const account = await signUpProved(app);
  const { username, email } = account.user;
  const reset = async () => (await admin(harness, ["users", "reset-second-factor", username, "--json"])).json;
  const body = { username, password: account.password };
  const signIn = async () => (await app.call("POST", accountPaths.login, { body })).status;
  expect(await reset()).toMatchObject({ ok: true, changed: false });
  await switchSecondFactorOn(app, account);
  expect(await signIn()).toBe(403);
  expect(await reset()).toMatchObject({ ok: true, changed: true });
  expect(await signIn()).toBe(200);
  const received = (await filedMailsTo(app, email)).map(({ text }) => text).join();
  expect(received).toContain("The administrator removed the second factor");
});
