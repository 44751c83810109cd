import { expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { MINUTE } from "#contract/limits.ts";
import { giveRole } from "../../../testing/accounts/roles.ts";
import { switchSecondFactorOn } from "../../../testing/accounts/second-factor.ts";
import { signUp, signUpProved } from "../../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { admin } from "../../../testing/cli/run-admin.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";

it("sign-in-link prints a link by which an owner signs in once, with the second factor, for ten minutes", async () => {
  await using harness = await createTestHarness();
  const clock = new TestClock(Date.now());
  const env = { OIDC_ISSUER: "http://127.0.0.1:9", OIDC_CLIENT_ID: "parley", OIDC_ONLY: "true" };
  await using app = await startTestApp({ harness, clock, env });
  const owner = await signUpProved(app);
  await giveRole(app, owner, "owner");
  const { username } = owner.user;
  const printKey = async () => {
    const { json } = await admin(harness, ["sign-in-link", username, "--json"]);
    expect(json).toMatchObject({ ok: true, username });
    return new URL(String(json.link)).searchParams.get("key");
  };
  const use = (key: string | null) => app.call("POST", accountPaths.verify, { body: { key } });
  const key = await printKey();
  const signedIn = signedInSchema.parse(await (await use(key)).json());
  expect(signedIn.user.username).toBe(username);
  expect((await use(key)).status).toBe(400);
  await switchSecondFactorOn(app, owner);
  expect((await problemOf(await use(await printKey()))).code).toBe("second-factor-needed");
  const late = await printKey();
  clock.advance(11 * MINUTE);
  expect((await use(late)).status).toBe(400);
  const audit = await app.context.database.selectFrom("audit_events").select(["kind", "subject"]).execute();
  expect(audit).toContainEqual({ kind: "sign-in-link-made", subject: owner.user.id });
});

it("sign-in-link refuses an account that is no owner", async () => {
  await using harness = await createTestHarness();
  await using app = await startTestApp({ harness });
  const { username } = (await signUp(app)).user;
  const { json } = await admin(harness, ["sign-in-link", username, "--json"]);
  expect(json).toMatchObject({ ok: false, error: expect.stringContaining("is not an owner") });
});
