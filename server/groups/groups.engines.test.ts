import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import {
  accountActionResultsSchema,
  accountListSchema,
  administeredAccountSchema,
  auditListSchema,
} from "#contract/administration/administration.ts";
import {
  type AccountGroupList,
  accountGroupListSchema,
  accountGroupSchema,
  GROUPS_MAX,
  groupDeletionSchema,
  NO_GROUP,
} from "#contract/administration/groups.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { DAY } from "#contract/limits.ts";
import { insertTestGroup, moveToGroup, newGroup } from "../../testing/accounts/groups.ts";
import { invite } from "../../testing/accounts/invitations.ts";
import { insertCalls } from "../../testing/accounts/model-calls.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { holdUser } from "../accounts/account-store.ts";
import { verifyAudit } from "../audit/verify-audit.ts";

let app: TestApp;
let owner: TestAccount;
beforeAll(async () => {
  app = await startTestApp({ env: { RATE_LIMITS: "off" } });
  owner = await signUpAs(app, "owner");
});
afterAll(() => app[Symbol.asyncDispose]());

const call = (method: string, path: string, body?: unknown) => app.call(method, path, { token: owner.token, body });
const issuesOf = async (response: Response) => [
  response.status,
  (await problemOf(response)).issues?.map(({ field, rule }) => `${field} ${rule}`),
];

async function list(): Promise<AccountGroupList> {
  return accountGroupListSchema.parse(await (await call("GET", administrationPaths.groups)).json());
}
const find = async (id: string) => (await list()).groups.find((group) => group.id === id);
const account = async (id: string) =>
  administeredAccountSchema.parse(await (await call("GET", administrationPaths.account(id))).json());
const patchAccount = (id: string, body: object) => call("PATCH", administrationPaths.account(id), body);

async function recordsOf(id: string) {
  const { entries, groups } = auditListSchema.parse(await (await call("GET", administrationPaths.audit)).json());
  const ofGroup = entries.filter(
    ({ subject, before, after }) => subject?.id === id || before?.group === id || after?.group === id,
  );
  return { records: ofGroup.map(({ kind, before, after }) => ({ kind, before, after })), groups };
}

describe("management of groups", () => {
  it("groups are created with defaults, listed by name, and changed field by field", async () => {
    const made = await newGroup(app, owner, { name: "  Zoo\u0007keepers " });
    expect(made).toEqual({
      ...{
        id: made.id,
        name: "Zoo keepers",
        members: 0,
        isOwnersOnly: false,
        models: null,
        unknownModels: [],
        defaultModel: null,
      },
      ...{
        quotaMb: null,
        budget: null,
        memberBudget: null,
        timeZone: "UTC",
        needsSecondFactor: false,
        mayShare: true,
        createdAt: expect.any(Number),
      },
    });
    const models = ["GPT:gpt-5-mini", "CLAUDE:long-gone", "GPT:gpt-5-mini"];
    const given = { models, defaultModel: "GPT:gpt-5-mini", quotaMb: 5, budget: 20.29, memberBudget: 0.01 };
    const change = { ...given, timeZone: "Europe/Berlin", needsSecondFactor: true, mayShare: false };
    const changed = accountGroupSchema.parse(
      await (await call("PATCH", administrationPaths.group(made.id), change)).json(),
    );
    const shown = { ...made, ...change, models: models.slice(0, 2), unknownModels: ["CLAUDE:long-gone"] };
    expect(changed).toEqual(shown);
    await newGroup(app, owner, { name: "aardvarks" });
    const { groups, choices } = await list();
    expect(groups.map(({ name }) => name)).toEqual(["aardvarks", "Zoo keepers"]);
    expect(groups[1]).toMatchObject({ ...shown, budgetState: { limit: 20.29, spent: 0, reserved: 0 } });
    expect(choices.flatMap(({ models: all }) => all.map(({ value }) => value))).toContain("GPT:gpt-5-mini");
    await call("PATCH", administrationPaths.group(made.id), { budget: null, name: "Keepers" });
    expect(await find(made.id)).toEqual({ ...shown, budget: null, name: "Keepers" });
    const { records, groups: named } = await recordsOf(made.id);
    const none = { models: null, defaultModel: null, quotaMb: null, budget: null, memberBudget: null };
    const nothing = { ...none, needsSecondFactor: "off", mayShare: "on" };
    const values = { ...change, models: "GPT:gpt-5-mini, CLAUDE:long-gone", needsSecondFactor: "on", mayShare: "off" };
    expect(records).toEqual([
      { kind: "group-changed", before: { budget: 20.29 }, after: { budget: null, isRenamed: true } },
      { kind: "group-changed", before: { ...nothing, timeZone: "UTC" }, after: values },
      { kind: "group-created", before: undefined, after: { ...nothing, timeZone: "UTC" } },
    ]);
    expect(named).toContainEqual({ id: made.id, name: "Keepers" });
    const rows = await app.context.database.selectFrom("audit_events").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/keepers|aardvarks/i);
  });

  it("names of groups differ by more than letter case, also in concurrent requests", async () => {
    await newGroup(app, owner, { name: "Straße" });
    const other = await newGroup(app, owner);
    expect(
      await issuesOf(await call("POST", administrationPaths.groups, { name: "STRASSE".replace("SS", "ß") })),
    ).toEqual([400, ["name taken"]]);
    expect(await issuesOf(await call("PATCH", administrationPaths.group(other.id), { name: "straße" }))).toEqual([
      400,
      ["name taken"],
    ]);
    expect((await call("PATCH", administrationPaths.group(other.id), { name: other.name.toUpperCase() })).status).toBe(
      200,
    );
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => call("POST", administrationPaths.groups, { name: "Race" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
  });

  it.each([
    [{}, "name required"],
    [{ name: " " }, "name required"],
    [{ name: "x".repeat(61) }, "name max"],
    [{ name: "a", models: [] }, "models required"],
    [{ name: "a", models: ["GPT:a"], defaultModel: "GPT:b" }, "defaultModel invalid"],
    [{ name: "a", quotaMb: 0 }, "quotaMb invalid"],
    [{ name: "a", budget: 0.001 }, "budget invalid"],
    [{ name: "a", budget: 1.005 }, "budget invalid"],
    [{ name: "a", memberBudget: 1_000_001 }, "memberBudget invalid"],
    [{ name: "a", timeZone: "Europe/Atlantis" }, "timeZone invalid"],
    [{ name: "a", timeZone: "+01:00" }, "timeZone invalid"],
  ])("the group %o is refused", async (body, issue) => {
    expect(await issuesOf(await call("POST", administrationPaths.groups, body))).toEqual([400, [issue]]);
  });

  it("a default model of a group stays among its models when only one of them changes", async () => {
    const { id } = await newGroup(app, owner, { models: ["GPT:a", "GPT:b"], defaultModel: "GPT:b" });
    const change = (body: object) => call("PATCH", administrationPaths.group(id), body);
    expect(await issuesOf(await change({ models: ["GPT:a"] }))).toEqual([400, ["defaultModel invalid"]]);
    expect(await issuesOf(await change({ defaultModel: "GPT:c" }))).toEqual([400, ["defaultModel invalid"]]);
    expect((await change({ models: ["GPT:a"], defaultModel: "GPT:a" })).status).toBe(200);
    expect((await change({ models: null })).status).toBe(200);
    expect((await change({ defaultModel: "GPT:c" })).status).toBe(200);
  });

  it("an unknown group is not found, and the number of groups is limited", async () => {
    for (const method of ["PATCH", "DELETE"]) {
      const response = await call(
        method,
        administrationPaths.group("none"),
        method === "PATCH" ? { name: "x" } : undefined,
      );
      expect([method, response.status]).toEqual([method, 404]);
    }
    await using full = await startTestApp();
    const { token } = await signUpAs(full, "owner");
    for (let count = 0; count < GROUPS_MAX; count++) await insertTestGroup(full);
    expect((await full.call("POST", administrationPaths.groups, { token, body: { name: "One more" } })).status).toBe(
      400,
    );
  });
});

it("P5 a budget that a group gets in the middle of a month counts what its members have spent in it", async () => {
  const [group, outsider] = [await newGroup(app, owner), await signUp(app)];
  const members = [await signUp(app), await signUp(app)];
  await moveToGroup(app, group.id, ...members);
  await insertCalls(app, [...members, outsider], { cost: 3e9, at: app.context.clock.now() });
  await insertCalls(app, members, { cost: 5e9, at: app.context.clock.now() - 40 * DAY });
  await call("PATCH", administrationPaths.group(group.id), { budget: 100 });
  expect((await find(group.id))?.budgetState).toMatchObject({ limit: 100, spent: 6 });
  await insertCalls(app, members, { cost: 1e9, at: app.context.clock.now() });
  await call("PATCH", administrationPaths.group(group.id), { budget: 90 });
  expect((await find(group.id))?.budgetState).toMatchObject({ limit: 90, spent: 8 });
});

describe("membership in groups", () => {
  it("membership in a group is changed, recorded, shown and counted", async () => {
    const group = await newGroup(app, owner, { quotaMb: 7 });
    const { user } = await signUp(app);
    expect((await patchAccount(user.id, { groupId: group.id })).status).toBe(200);
    expect(await account(user.id)).toMatchObject({ group: { id: group.id, name: group.name }, groupQuotaMb: 7 });
    expect((await find(group.id))?.members).toBe(1);
    // Nothing to change, so nothing to record.
    expect((await patchAccount(user.id, { groupId: group.id })).status).toBe(200);
    expect((await patchAccount(user.id, { groupId: null })).status).toBe(200);
    expect(await account(user.id)).not.toHaveProperty("group");
    const { records } = await recordsOf(group.id);
    expect(records.slice(0, 2)).toEqual([
      { kind: "group-assigned", before: { group: group.id }, after: { group: null } },
      { kind: "group-assigned", before: { group: null }, after: { group: group.id } },
    ]);
    expect(await issuesOf(await patchAccount(user.id, { groupId: "none" }))).toEqual([400, ["groupId invalid"]]);
  });

  it("membership is changed for several accounts at once, each of which can be refused by itself", async () => {
    const group = await newGroup(app, owner);
    const administrator = await signUpAs(app, "administrator");
    const people = [await signUp(app), await signUp(app)];
    const ids = [...people.map(({ user }) => user.id), owner.user.id];
    const act = (groupId: string | null) =>
      app.call("POST", administrationPaths.accountActions, {
        token: administrator.token,
        body: { ids, action: "set-group", groupId },
      });
    const { results } = accountActionResultsSchema.parse(await (await act(group.id)).json());
    expect(results).toEqual([
      { id: ids[0], ok: true, changed: true },
      { id: ids[1], ok: true, changed: true },
      { id: ids[2], ok: false, code: "not-permitted" },
    ]);
    expect(await issuesOf(await act("none"))).toEqual([400, ["groupId invalid"]]);
    const filtered = async (value: string) => {
      const response = await call("GET", `${administrationPaths.accounts}?group=${value}`);
      return accountListSchema.parse(await response.json());
    };
    const found = await filtered(group.id);
    expect([found.total, found.accounts.map(({ id }) => id).sort()]).toEqual([2, ids.slice(0, 2).sort()]);
    expect((await filtered("unknown")).total).toBe(0);
    const without = await filtered(NO_GROUP);
    expect(without.accounts.map(({ id }) => id)).not.toContain(ids[0]);
    expect(without.total).toBeGreaterThan(1);
    await act(null);
    expect((await find(group.id))?.members).toBe(0);
  });
});

describe("deletion of groups", () => {
  it("deleting a group removes its members, revokes its open invitations, and reports how many", async () => {
    const [group, other] = [await newGroup(app, owner), await newGroup(app, owner)];
    const people = [await signUp(app), await signUp(app)];
    await moveToGroup(app, group.id, ...people);
    const stranger = await signUp(app);
    await moveToGroup(app, other.id, stranger);
    const open = await invite(app, owner, { groupId: group.id });
    const revoked = await invite(app, owner, { groupId: group.id });
    await call("DELETE", administrationPaths.invitation(revoked.invitation.id));
    const elsewhere = await invite(app, owner, { groupId: other.id });
    const response = await call("DELETE", administrationPaths.group(group.id));
    expect(groupDeletionSchema.parse(await response.json())).toEqual({ members: 2, invitations: 1 });
    expect(await find(group.id)).toBeUndefined();
    for (const { user } of people) expect(await account(user.id)).not.toHaveProperty("group");
    expect((await account(stranger.user.id)).group?.id).toBe(other.id);
    const lookUp = (key: string) => app.call("POST", accountPaths.invitation, { body: { key } });
    expect((await problemOf(await lookUp(open.key))).code).toBe("bad-invitation");
    expect((await lookUp(elsewhere.key)).status).toBe(200);
    const { records, groups = [] } = await recordsOf(group.id);
    expect(records[0]).toMatchObject({ kind: "group-deleted", before: { members: 2, invitations: 1 } });
    expect(groups.map(({ id }) => id)).not.toContain(group.id);
    expect((await verifyAudit(app.context.database)).brokenAt).toBeUndefined();
  });

  it("deleting a group leaves no member in it while accounts join it", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await newGroup(app, owner);
      const people = await Promise.all([signUp(app), signUp(app), signUp(app), signUp(app)]);
      await moveToGroup(app, id, ...people.slice(0, 2));
      const statuses = await Promise.all([
        ...people.slice(2).map(({ user }) => patchAccount(user.id, { groupId: id })),
        call("DELETE", administrationPaths.group(id)),
        ...people.slice(0, 2).map(({ user }) => patchAccount(user.id, { groupId: null })),
        call("POST", administrationPaths.invitations, { groupId: id }),
      ]);
      for (const { status } of statuses) expect([200, 201, 400]).toContain(status);
      const left = app.context.database.selectFrom("users").select("id").where("group_id", "=", id);
      expect(await left.execute()).toEqual([]);
      expect(await find(id)).toBeUndefined();
    }
  });

  it.runIf(isOnPostgres)("two owners who delete each other's groups at once do not deadlock", async () => {
    // Each group has a member whose id is before those of the owners, and whose row both deletions wait for.
    const members = [await signUp(app), await signUp(app)];
    const owners = [await signUpAs(app, "owner"), await signUpAs(app, "owner")];
    const groups = [await newGroup(app, owner), await newGroup(app, owner)];
    const { database } = app.context;
    const waiting = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const deletions = await database.transaction().execute(async (db) => {
      for (const [at, { id }] of groups.entries()) {
        await moveToGroup(app, id, ...[members[at], owners[1 - at]].filter((each) => each !== undefined));
      }
      for (const { user } of members) await holdUser(db, user.id);
      const asked = owners.map(({ token }, at) =>
        app.call("DELETE", administrationPaths.group(groups[at]?.id ?? ""), { token }),
      );
      await expect.poll(async () => (await waiting.execute(database)).rows[0]?.count, { interval: 10 }).toBe(2);
      return { asked };
    });
    expect((await Promise.all(deletions.asked)).map(({ status }) => status)).toEqual([200, 200]);
  });
});
