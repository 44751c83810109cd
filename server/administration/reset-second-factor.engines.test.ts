import { expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import {
  type AccountActionResult,
  accountActionResultsSchema,
  administeredAccountSchema,
  auditListSchema,
} from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { subjectsTo } from "../../testing/accounts/filed-mails.ts";
import { insertTestGroup, moveToGroup } from "../../testing/accounts/groups.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { switchSecondFactorOn } from "../../testing/accounts/second-factor.ts";
import { securityEventsOf } from "../../testing/accounts/security-events-of.ts";
import { signUpProved, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";

const app = disposeAfterAll(await startTestApp());

async function reset(by: TestAccount, { user }: TestAccount): Promise<AccountActionResult | undefined> {
  const body = { ids: [user.id], action: "reset-second-factor" };
  const response = await app.call("POST", administrationPaths.accountActions, { token: by.token, body });
  return accountActionResultsSchema.parse(await response.json()).results[0];
}

const hasSecondFactor = async (by: TestAccount, { user }: TestAccount) => {
  const response = await app.call("GET", administrationPaths.account(user.id), { token: by.token });
  return administeredAccountSchema.parse(await response.json()).hasSecondFactor;
};

it("an administrator sees that an account has a second factor, and resets it: logged, mailed and recorded", async () => {
  const [administrator, account] = [await signUpAs(app, "administrator"), await signUpProved(app)];
  await switchSecondFactorOn(app, account);
  expect(await hasSecondFactor(administrator, account)).toBe(true);
  const { id, username, email } = account.user;
  expect(await reset(administrator, account)).toEqual({ id, ok: true, changed: true });
  expect(await hasSecondFactor(administrator, account)).toBe(false);
  const signedIn = await app.call("POST", accountPaths.login, { body: { username, password: account.password } });
  expect(signedIn.status).toBe(200);
  expect(await securityEventsOf(app, id)).toContain("second-factor-reset");
  expect(await subjectsTo(app, email)).toContainEqual(expect.stringContaining("was reset"));
  const audit = await app.call("GET", administrationPaths.audit, { token: administrator.token });
  const [entry] = auditListSchema.parse(await audit.json()).entries;
  expect([entry?.kind, entry?.actor?.id, entry?.subject?.id]).toEqual([
    "second-factor-reset",
    administrator.user.id,
    id,
  ]);
  expect(await reset(administrator, account)).toEqual({ id, ok: true, changed: false });
});

it("a reset removes the passkeys of an account too, also without a second factor", async () => {
  const [administrator, account] = [await signUpAs(app, "administrator"), await signUpProved(app)];
  const counted = { counter: 0, host: "chat.example.org", created_at: 1, last_used_at: 5, restored_at: null };
  const row = { id: account.user.id, user_id: account.user.id, name: "Phone", public_key: "eA", ...counted };
  await app.context.database.insertInto("passkeys").values(row).execute();
  const read = async () => {
    const path = administrationPaths.account(account.user.id);
    return administeredAccountSchema.parse(await (await app.call("GET", path, { token: administrator.token })).json());
  };
  expect(await read()).toMatchObject({ hasSecondFactor: false, hasPasskeys: true, passkeyUsedAt: 5 });
  expect(await reset(administrator, account)).toMatchObject({ ok: true, changed: true });
  expect(await read()).not.toHaveProperty("hasPasskeys");
});

it("managers reset no second factor, and administrators none of an owner", async () => {
  const [owner, administrator, manager] = [
    await signUpAs(app, "owner"),
    await signUpAs(app, "administrator"),
    await signUpAs(app, "manager"),
  ];
  const member = await signUpProved(app);
  const group = await insertTestGroup(app);
  await moveToGroup(app, group, manager, member);
  await switchSecondFactorOn(app, owner);
  await switchSecondFactorOn(app, member);
  expect(await reset(administrator, owner)).toMatchObject({ ok: false, code: "not-permitted" });
  expect(await reset(manager, member)).toMatchObject({ ok: false, code: "not-permitted" });
  expect([await hasSecondFactor(owner, owner), await hasSecondFactor(owner, member)]).toEqual([true, true]);
});
