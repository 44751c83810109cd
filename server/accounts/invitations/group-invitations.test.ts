import { expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { AccountRole } from "#contract/accounts/roles.ts";
import { invitationListSchema } from "#contract/administration/invitations.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { mailedKey } from "../../../testing/accounts/filed-mails.ts";
import { insertTestGroup, moveToGroup } from "../../../testing/accounts/groups.ts";
import { invite } from "../../../testing/accounts/invitations.ts";
import { giveRole, signUpAs } from "../../../testing/accounts/roles.ts";
import { newPerson } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";

const env = { REGISTRATION: "closed", PUBLIC_URL: "https://chat.example.org", RATE_LIMITS: "off" };
const app = disposeAfterAll(await startTestApp({ env }));
const owner = await signUpAs(app, "owner");

async function register(invitation: string) {
  const person = newPerson();
  expect((await app.call("POST", accountPaths.register, { body: { ...person, invitation } })).status).toBe(201);
  return person;
}

async function verify({ email }: { email: string }): Promise<string> {
  const response = await app.call("POST", accountPaths.verify, { body: { key: await mailedKey(app, email) } });
  return signedInSchema.parse(await response.json()).user.id;
}

const accountOf = (id: string) =>
  app.context.database.selectFrom("users").select(["group_id", "role"]).where("id", "=", id).executeTakeFirst();

const deleteGroup = (id: string) => app.call("DELETE", administrationPaths.group(id), { token: owner.token });

it("P3 an invitation gives its group and role at the verification, and the group is recorded", async () => {
  const group = await insertTestGroup(app);
  const { key, invitation } = await invite(app, owner, { groupId: group, role: "manager" });
  expect(invitation.group?.id).toBe(group);
  const person = await register(key);
  const pending = app.context.database.selectFrom("users").select(["id", "group_id"]);
  const before = await pending.where("email", "=", person.email).executeTakeFirstOrThrow();
  expect(before.group_id).toBeNull();
  const id = await verify(person);
  expect(await accountOf(id)).toEqual({ group_id: group, role: "manager" });
  const rows = await app.context.database.selectFrom("audit_events").selectAll().where("subject", "=", id).execute();
  const values = { before: '{"group":null}', after: JSON.stringify({ group }) };
  expect(rows.find(({ kind }) => kind === "group-assigned")).toMatchObject({ actor: owner.user.id, ...values });
});

it("P3 an invitation whose group was deleted before the verification creates an account without a group", async () => {
  const group = await insertTestGroup(app);
  const person = await register((await invite(app, owner, { groupId: group })).key);
  expect((await deleteGroup(group)).status).toBe(200);
  expect(await accountOf(await verify(person))).toEqual({ group_id: null, role: "person" });
});

it("P3 refuses an invitation into an unknown group, and a registration into a group that was deleted meanwhile", async () => {
  const invited = await app.call("POST", administrationPaths.invitations, {
    token: owner.token,
    body: { groupId: "none" },
  });
  expect((await problemOf(invited)).issues).toMatchObject([{ field: "groupId", rule: "invalid" }]);
  const group = await insertTestGroup(app);
  const { key } = await invite(app, owner, { groupId: group });
  await deleteGroup(group);
  const response = await app.call("POST", accountPaths.register, { body: { ...newPerson(), invitation: key } });
  expect((await problemOf(response)).code).toBe("bad-invitation");
});

it("P3 an invitation leaves an account in the group that an administrator gave it before the verification", async () => {
  const [invited, given] = [await insertTestGroup(app), await insertTestGroup(app)];
  const person = await register((await invite(app, owner, { groupId: invited, role: "manager" })).key);
  const pending = app.context.database.selectFrom("users").select("id").where("email", "=", person.email);
  const { id } = await pending.executeTakeFirstOrThrow();
  const change = { token: owner.token, body: { groupId: given } };
  expect((await app.call("PATCH", administrationPaths.account(id), change)).status).toBe(200);
  await verify(person);
  expect(await accountOf(id)).toEqual({ group_id: given, role: "manager" });
});

it("P1 the list of invitations shows a manager the invited accounts of the own group only", async () => {
  const group = await insertTestGroup(app);
  const manager = await signUpAs(app, "manager");
  await moveToGroup(app, group, manager);
  const { key, invitation } = await invite(app, manager, { uses: 3 });
  const [stays, leaves] = [await verify(await register(key)), await verify(await register(key))];
  await register(key);
  const body = { groupId: await insertTestGroup(app) };
  await app.call("PATCH", administrationPaths.account(leaves), { token: owner.token, body });
  const usersFor = async ({ token }: { token: string }) => {
    const response = await app.call("GET", administrationPaths.invitations, { token });
    const { invitations } = invitationListSchema.parse(await response.json());
    const found = invitations.find(({ id }) => id === invitation.id);
    return [found?.uses, found?.users.map(({ id }) => id)];
  };
  expect(await usersFor(manager)).toEqual([3, [stays]]);
  expect(await usersFor(owner)).toEqual([3, [expect.any(String), leaves, stays]]);
});

it.each(["person", "manager"] as const)(
  "P3 an invitation gives its group but no role if the inviting manager is a %s of another group meanwhile",
  async (role: AccountRole) => {
    const group = await insertTestGroup(app);
    const manager = await signUpAs(app, "manager");
    await moveToGroup(app, group, manager);
    const person = await register((await invite(app, manager)).key);
    await giveRole(app, manager, role);
    await moveToGroup(app, await insertTestGroup(app), manager);
    expect(await accountOf(await verify(person))).toEqual({ group_id: group, role: "person" });
  },
);
