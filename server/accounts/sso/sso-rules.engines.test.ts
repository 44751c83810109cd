import { describe, expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { MINUTE } from "#contract/limits.ts";
import { insertTestGroup, moveToGroup } from "../../../testing/accounts/groups.ts";
import { giveRole } from "../../../testing/accounts/roles.ts";
import { switchSecondFactorOn } from "../../../testing/accounts/second-factor.ts";
import type { TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { newOidcPerson, SsoBrowser, startSsoApp } from "../../../testing/sso/sso-app.ts";

const sso = disposeAfterAll(
  await startSsoApp({
    env: {
      OIDC_GROUPS_CLAIM: "groups",
      OIDC_GROUPS: "staff -> Teachers; pupils -> Pupils; ghosts -> Nowhere",
      OIDC_ROLES: "admins -> administrator; staff -> manager; nobody -> person",
    },
  }),
);
const { app } = sso;
const teachers = await insertTestGroup(app, { name: "Teachers", name_key: "teachers" });
const pupils = await insertTestGroup(app, { name: "Pupils", name_key: "pupils" });

const userOf = (id: string) =>
  app.context.database.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

/** Signs a person in with these groups. @returns group and role of the account, and the account */
async function signInWith(person: ReturnType<typeof newOidcPerson>, claims: Record<string, unknown>) {
  const browser = new SsoBrowser(sso, { ...person, ...claims });
  const { user, access_token: token } = signedInSchema.parse(await (await browser.signInBySso()).json());
  const { group_id, role } = await userOf(user.id);
  const account: TestAccount = { token, user, password: "" };
  return { group: group_id, role, account };
}

describe("rules for groups and roles", () => {
  it("the first rule that matches gives the group, at each sign-in", async () => {
    const person = newOidcPerson();
    expect(await signInWith(person, { groups: ["pupils", "staff"] })).toMatchObject({ group: teachers });
    expect(await signInWith(person, { groups: ["pupils"] })).toMatchObject({ group: pupils });
  });

  it("without a match the account keeps its group and its role", async () => {
    const person = newOidcPerson();
    await signInWith(person, { groups: ["staff"] });
    expect(await signInWith(person, { groups: [] })).toMatchObject({ group: teachers, role: "manager" });
    expect(await signInWith(person, { groups: ["Staff", "admin", "*"] })).toMatchObject({
      group: teachers,
      role: "manager",
    });
  });

  it("groups that the provider does not state change nothing: too many for a token, or no claim", async () => {
    const person = newOidcPerson();
    await signInWith(person, { groups: ["staff"] });
    const overage = { groups: undefined, _claim_names: { groups: "src1" }, _claim_sources: { src1: {} } };
    expect(await signInWith(person, overage)).toMatchObject({ group: teachers, role: "manager" });
    expect(await signInWith(person, { groups: undefined })).toMatchObject({ group: teachers, role: "manager" });
  });

  it("a rule for a group that does not exist changes nothing, and is logged", async () => {
    const person = newOidcPerson();
    expect(await signInWith(person, { groups: ["ghosts"] })).toMatchObject({ group: null });
    expect(app.logLines.join("")).toContain("a rule names a group that does not exist");
  });

  it("a role is given by a rule alone, never by a claim of its name", async () => {
    const claims = { groups: ["owner", "administrator"], role: "owner", roles: ["owner"], is_admin: true };
    expect(await signInWith(newOidcPerson(), claims)).toMatchObject({ role: "person" });
    expect(await signInWith(newOidcPerson(), { groups: ["admins"] })).toMatchObject({ role: "administrator" });
  });

  it("no rule changes the role of an owner", async () => {
    const person = newOidcPerson();
    const { account } = await signInWith(person, { groups: [] });
    await giveRole(app, account, "owner");
    expect(await signInWith(person, { groups: ["nobody"] })).toMatchObject({ role: "owner" });
  });

  it("a rule takes a role back, and is recorded without an actor", async () => {
    const person = newOidcPerson();
    await signInWith(person, { groups: ["admins"] });
    const { account, role } = await signInWith(person, { groups: ["nobody"] });
    expect(role).toBe("person");
    const events = app.context.database.selectFrom("audit_events").select(["kind", "actor"]);
    const own = await events.where("subject", "=", account.user.id).where("kind", "=", "role-changed").execute();
    expect(own).toEqual([
      { kind: "role-changed", actor: null },
      { kind: "role-changed", actor: null },
    ]);
  });

  it("an account that was moved by hand is moved back by a rule only", async () => {
    const person = newOidcPerson();
    const { account } = await signInWith(person, { groups: ["staff"] });
    await moveToGroup(app, pupils, account);
    expect(await signInWith(person, { groups: ["other"] })).toMatchObject({ group: pupils });
    expect(await signInWith(person, { groups: ["staff"] })).toMatchObject({ group: teachers });
  });
});

describe("the second factor of an account that signs in by a provider", () => {
  it("the second factor is left to the provider, unless the operator wants it", async () => {
    for (const isWanted of [false, true]) {
      const clock = new TestClock(Date.now());
      await using one = await startSsoApp({ clock, env: { OIDC_SECOND_FACTOR: String(isWanted) } });
      const person = newOidcPerson();
      const browser = new SsoBrowser(one, person);
      await browser.signInBySso();
      await browser.call("POST", accountPaths.proof, { sso: await browser.visit("prove") });
      const factor = await switchSecondFactorOn(one.app, { token: browser.token ?? "" });
      clock.advance(MINUTE);
      const again = new SsoBrowser(one, person);
      const answered = await again.signInBySso();
      if (!isWanted) {
        expect(answered.status).toBe(200);
        continue;
      }
      const { code, ticket } = await problemOf(answered);
      expect(code).toBe("second-factor-needed");
      const step = { ticket, code: factor.authenticator.codeAt(clock.now()) };
      const { access_token } = signedInSchema.parse(
        await (await again.call("POST", accountPaths.secondStep, step)).json(),
      );
      again.token = access_token;
      // The session is still that of the provider, which can end it.
      expect(await (await again.call("POST", accountPaths.logout)).json()).toHaveProperty("providerLogout");
    }
  });
});
