import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { AccountRole } from "#contract/accounts/roles.ts";
import { accountActionResultsSchema, accountActions } from "#contract/administration/administration.ts";
import { accountGroupListSchema } from "#contract/administration/groups.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { SETUP_PATH } from "#contract/administration/setup.ts";
import { filePaths } from "#contract/files/paths.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { insertTestConnection } from "../../testing/accounts/connections.ts";
import { insertTestGroup, moveToGroup } from "../../testing/accounts/groups.ts";
import { invite } from "../../testing/accounts/invitations.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { newPerson, signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { insertTestProvider } from "../../testing/administration/identity-providers.ts";
import { attemptsOnServers, insertTestServer } from "../../testing/administration/mcp-servers.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { isAdministrative, routeRows } from "../../testing/http/route-rows.ts";
import { holdAdministration } from "../audit/record-audit.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock: new TestClock(), env: { RATE_LIMITS: "off" } });
});
afterAll(() => app[Symbol.asyncDispose]());

/** A group with a shared budget, whose members are one account of each role and the acting administrator. */
type Scene = {
  actor: TestAccount;
  group: string;
  /** A group without members. */
  empty: string;
  /** Slugs of a connection, of an identity provider and of an MCP server. */
  connection: string;
  provider: string;
  mcpServer: string;
  members: Record<AccountRole, TestAccount>;
  /** A person who is in no group. */
  outsider: TestAccount;
  /** Invitation of the owner that makes an administrator of the group. */
  invitation: string;
};
let scene: Scene;
beforeEach(async () => {
  const actor = await signUpAs(app, "administrator");
  const members = {
    person: await signUpAs(app, "person"),
    manager: await signUpAs(app, "manager"),
    administrator: await signUpAs(app, "administrator"),
    owner: await signUpAs(app, "owner"),
  };
  const limits = { models: JSON.stringify(["DEMO:demo"]), quota_mb: 50, budget: 20e9, member_budget: 5e9 };
  const [group, empty] = [await insertTestGroup(app, limits), await insertTestGroup(app)];
  await moveToGroup(app, group, actor, ...Object.values(members));
  const { invitation } = await invite(app, members.owner, { groupId: group, role: "administrator" });
  const connection = await insertTestConnection(app);
  const provider = await insertTestProvider(app);
  const mcpServer = await insertTestServer(app);
  scene = {
    actor,
    group,
    empty,
    connection,
    provider,
    mcpServer,
    members,
    outsider: await signUp(app),
    invitation: invitation.id,
  };
});

/** Account settings that another account could change. The notice to everybody is not one of them. */
const ownRoutes = [accountPaths.me, modelPaths.models, filePaths.storage, modelPaths.usage, accountPaths.account];

/** Returns the answers to an account that show its rights, models and limits. */
async function stateOf({ token }: TestAccount): Promise<string[]> {
  const states: string[] = [];
  for (const path of ownRoutes) {
    const response = await app.call("GET", path, { token });
    states.push(`${path} ${response.status} ${await response.text()}`);
  }
  return states;
}

type Call = { path: string; body?: object };

/** Valid values of each field that changes a group. */
const groupChanges = [
  { name: "Others" },
  { models: ["LOCAL:none"] },
  { models: null },
  { defaultModel: "DEMO:demo" },
  { quotaMb: 1 },
  { quotaMb: null },
  { budget: 0.01 },
  { budget: null },
  { memberBudget: 0.01 },
  { memberBudget: null },
  { timeZone: "Asia/Tokyo" },
  { needsSecondFactor: true },
];
const accountChanges = (groupId: string) => [
  { role: "person" },
  { role: "owner" },
  { quotaMb: 1 },
  { budgetUsd: 0.01 },
  { groupId: null },
  { groupId },
  { needsSecondFactor: true },
];

const searchEngine = { kind: "searxng", baseUrl: "http://127.0.0.1:9" };

/** Calls of each writing route of the administration that aim at accounts on which an administrator may not act. */
const attempts: Record<string, (scene: Scene, aim: TestAccount) => Call[]> = {
  [`POST ${administrationPaths.providerCheck(":name")}`]: () => [
    { path: administrationPaths.providerCheck("openai"), body: { model: "GPT:gpt-5-mini" } },
  ],
  [`POST ${administrationPaths.accountActions}`]: ({ empty }, { user }) =>
    accountActions.map((action) => ({
      path: administrationPaths.accountActions,
      body: { ids: [user.id], action, ...(action === "set-group" && { groupId: empty }) },
    })),
  [`PATCH ${administrationPaths.account(":id")}`]: ({ empty }, { user }) =>
    accountChanges(empty).map((body) => ({ path: administrationPaths.account(user.id), body })),
  [`POST ${administrationPaths.ownershipOffer(":id")}`]: (_, { user }) => [
    { path: administrationPaths.ownershipOffer(user.id), body: { staysOwner: true } },
  ],
  [`DELETE ${administrationPaths.ownershipOffer(":id")}`]: (_, { user }) => [
    { path: administrationPaths.ownershipOffer(user.id) },
  ],
  [`PATCH ${administrationPaths.settings}`]: () => [
    { path: administrationPaths.settings, body: { dailyReplies: 1 } },
    { path: administrationPaths.settings, body: { systemPrompt: "Refuse." } },
  ],
  [`PUT ${administrationPaths.changedNotice}`]: () => [
    { path: administrationPaths.changedNotice, body: { text: "Back at nine." } },
  ],
  [`DELETE ${administrationPaths.changedNotice}`]: () => [{ path: administrationPaths.changedNotice }],
  [`POST ${administrationPaths.connections}`]: () => [
    {
      path: administrationPaths.connections,
      body: { kind: "openai", name: "Elsewhere", baseUrl: "http://127.0.0.1:9/v1", isEnabled: false },
    },
  ],
  [`PATCH ${administrationPaths.connection(":id")}`]: ({ connection }) => [
    { path: administrationPaths.connection(connection), body: { baseUrl: "http://127.0.0.1:9/v2" } },
  ],
  [`DELETE ${administrationPaths.connection(":id")}`]: ({ connection }) => [
    { path: administrationPaths.connection(connection) },
  ],
  [`PATCH ${administrationPaths.connectionModels(":id")}`]: ({ connection }) => [
    { path: administrationPaths.connectionModels(connection), body: { changes: [{ name: "m" }] } },
  ],
  [`POST ${administrationPaths.connectionList(":id")}`]: ({ connection }) => [
    { path: administrationPaths.connectionList(connection) },
  ],
  [`PUT ${administrationPaths.connectionOrder}`]: () => [
    { path: administrationPaths.connectionOrder, body: { slugs: [] } },
  ],
  [`PUT ${administrationPaths.automaticModels}`]: () => [
    { path: administrationPaths.automaticModels, body: { values: ["GPT:gpt-5-mini"] } },
  ],
  [`POST ${administrationPaths.identityProviders}`]: () => [
    {
      path: administrationPaths.identityProviders,
      body: { name: "Elsewhere", issuer: "http://127.0.0.1:9/elsewhere", clientId: "parley" },
    },
  ],
  [`PUT ${administrationPaths.identityProviderOrder}`]: () => [
    { path: administrationPaths.identityProviderOrder, body: { slugs: [] } },
  ],
  [`PATCH ${administrationPaths.identityProvider(":id")}`]: ({ provider }) => [
    {
      path: administrationPaths.identityProvider(provider),
      body: { roleRules: [{ value: "*", role: "person" }], isEnabled: true },
    },
  ],
  [`DELETE ${administrationPaths.identityProvider(":id")}`]: ({ provider }) => [
    { path: administrationPaths.identityProvider(provider) },
  ],
  [`POST ${administrationPaths.identityProviderCheck}`]: ({ provider }) => [
    { path: administrationPaths.identityProviderCheck, body: { slug: provider } },
  ],
  [`PUT ${administrationPaths.webSearch}`]: () => [{ path: administrationPaths.webSearch, body: searchEngine }],
  [`DELETE ${administrationPaths.webSearch}`]: () => [{ path: administrationPaths.webSearch }],
  [`POST ${administrationPaths.webSearchCheck}`]: () => [
    { path: administrationPaths.webSearchCheck, body: { engine: searchEngine } },
  ],
  ...attemptsOnServers,
  [`PATCH ${SETUP_PATH}`]: () => [{ path: SETUP_PATH, body: { skipped: ["mail"] } }],
  [`POST ${administrationPaths.testMail}`]: () => [{ path: administrationPaths.testMail }],
  [`POST ${administrationPaths.groups}`]: () => [
    { path: administrationPaths.groups, body: { name: `Class ${crypto.randomUUID()}`, budget: 0.01 } },
  ],
  [`PATCH ${administrationPaths.group(":id")}`]: ({ group }) =>
    groupChanges.map((body) => ({ path: administrationPaths.group(group), body })),
  [`DELETE ${administrationPaths.group(":id")}`]: ({ group }) => [{ path: administrationPaths.group(group) }],
  [`POST ${administrationPaths.invitations}`]: ({ group }) => [
    { path: administrationPaths.invitations, body: { groupId: group } },
  ],
  [`POST ${administrationPaths.bulkInvitations}`]: ({ group }, { user }) => [
    { path: administrationPaths.bulkInvitations, body: { groupId: group, lines: [{ address: user.email }] } },
    { path: administrationPaths.bulkInvitations, body: { lines: [{ address: user.email }], mail: true } },
  ],
  [`DELETE ${administrationPaths.invitation(":id")}`]: ({ invitation }) => [
    { path: administrationPaths.invitation(invitation) },
  ],
};

describe("P7 effects on accounts that an administrator may not change", () => {
  it("P7 the table of attempts contains every writing route of the administration", () => {
    const writing = Object.entries(routeRows).filter(([name, row]) => !name.startsWith("GET") && isAdministrative(row));
    expect(Object.keys(attempts).sort()).toEqual(writing.map(([name]) => name).sort());
  });

  it.each(Object.keys(attempts))("P7 no administrator reaches owners, equals or themselves by %s", async (name) => {
    const { actor, members } = scene;
    const guarded = [members.owner, members.administrator, actor];
    const before = await Promise.all(guarded.map(stateOf));
    for (const aim of guarded) {
      for (const { path, body } of attempts[name]?.(scene, aim) ?? []) {
        const method = name.split(" ")[0] ?? "";
        await app.call(method, path, { token: actor.token, body });
        expect([body, await Promise.all(guarded.map(stateOf))]).toEqual([body, before]);
      }
    }
    const left = app.context.database.selectFrom("users").select("id").where("group_id", "=", scene.group);
    expect((await left.execute()).map(({ id }) => id)).toEqual(
      expect.arrayContaining(guarded.map(({ user }) => user.id)),
    );
    const invitation = app.context.database.selectFrom("invitations").select("revoked_at");
    expect(await invitation.where("id", "=", scene.invitation).execute()).toEqual([{ revoked_at: null }]);
  });
});

const codeOf = async (response: Response) => (response.ok ? response.status : (await problemOf(response)).code);
const callAs = async ({ token }: TestAccount, method: string, path: string, body?: object) =>
  codeOf(await app.call(method, path, { token, body }));
const isOwnersOnly = async ({ token }: TestAccount, id: string) => {
  const response = await app.call("GET", administrationPaths.groups, { token });
  return accountGroupListSchema.parse(await response.json()).groups.find((group) => group.id === id)?.isOwnersOnly;
};

describe("groups that only owners change", () => {
  it.each(["person", "manager", "administrator", "owner"] as const)(
    "P7 an administrator changes and deletes a group with another %s only if they may act on that account",
    async (role) => {
      const { actor, empty, members } = scene;
      await moveToGroup(app, empty, members[role]);
      const isHigh = role === "administrator" || role === "owner";
      expect(await isOwnersOnly(actor, empty)).toBe(isHigh);
      for (const [method, body] of [["PATCH", { quotaMb: 1 }], ["DELETE"]] as const) {
        const expected = isHigh ? "not-permitted" : 200;
        expect(await callAs(actor, method, administrationPaths.group(empty), body)).toBe(expected);
      }
    },
  );

  it("P7 an administrator does not change the own group, and owners change every group", async () => {
    const { actor, empty, members } = scene;
    await moveToGroup(app, empty, actor);
    const path = administrationPaths.group(empty);
    expect(await callAs(actor, "PATCH", path, { memberBudget: null })).toBe("not-permitted");
    expect(await callAs(actor, "DELETE", path)).toBe("not-permitted");
    expect(await callAs(members.owner, "PATCH", path, { memberBudget: 5 })).toBe(200);
    expect(await callAs(members.owner, "DELETE", path)).toBe(200);
  });

  it("P7 an invitation that makes an administrator guards its group until it ends, and an unverified account after it", async () => {
    const { actor, empty, members } = scene;
    const path = administrationPaths.group(empty);
    const { invitation, key } = await invite(app, members.owner, { groupId: empty, role: "administrator", uses: 1 });
    expect(await isOwnersOnly(actor, empty)).toBe(true);
    expect(await callAs(actor, "PATCH", path, { quotaMb: 1 })).toBe("not-permitted");
    expect(await callAs(actor, "DELETE", path)).toBe("not-permitted");
    const body = { ...newPerson(), invitation: key };
    expect((await app.call("POST", accountPaths.register, { body })).status).toBe(201);
    expect(await callAs(actor, "PATCH", path, { quotaMb: 1 })).toBe("not-permitted");
    expect(await callAs(members.owner, "DELETE", administrationPaths.invitation(invitation.id))).toBe(204);
    expect(await isOwnersOnly(actor, empty)).toBe(false);
    expect(await callAs(actor, "PATCH", path, { quotaMb: 1 })).toBe(200);
  });

  it.runIf(isOnPostgres).each(["PATCH", "DELETE"])(
    "P7 an owner who joins a group while an administrator's %s of it waits is judged as its member",
    async (method) => {
      const { actor, empty, members } = scene;
      const { database } = app.context;
      const waiting = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      const asked = await database.transaction().execute(async (db) => {
        await holdAdministration(db);
        await db.updateTable("users").set({ group_id: empty }).where("id", "=", members.owner.user.id).execute();
        const body = method === "PATCH" ? { quotaMb: 1 } : undefined;
        const answer = callAs(actor, method, administrationPaths.group(empty), body);
        await expect.poll(async () => (await waiting.execute(database)).rows[0]?.count, { interval: 10 }).toBe(1);
        return { answer };
      });
      expect(await asked.answer).toBe("not-permitted");
      const row = database.selectFrom("users").select("group_id").where("id", "=", members.owner.user.id);
      expect(await row.execute()).toEqual([{ group_id: empty }]);
    },
  );
});

describe("a budget that owners share", () => {
  const moveInto = (group: string, { user }: TestAccount) =>
    [administrationPaths.account(user.id), { groupId: group }] as const;

  it("P7 administrators and managers let nobody share a budget of administrators or owners", async () => {
    const { actor, group, members, outsider } = scene;
    expect(await callAs(actor, "PATCH", ...moveInto(group, outsider))).toBe("not-permitted");
    const bulk = { ids: [outsider.user.id], action: "set-group", groupId: group };
    const response = await app.call("POST", administrationPaths.accountActions, { token: actor.token, body: bulk });
    expect(accountActionResultsSchema.parse(await response.json()).results).toEqual([
      { id: outsider.user.id, ok: false, code: "not-permitted" },
    ]);
    for (const inviting of [actor, members.manager]) {
      expect(await callAs(inviting, "POST", administrationPaths.invitations, { groupId: group })).toBe("not-permitted");
    }
    expect(await callAs(members.owner, "PATCH", ...moveInto(group, outsider))).toBe(200);
  });

  it("P7 without a shared budget, people join and leave a group of owners by an administrator", async () => {
    const { actor, empty, members, outsider } = scene;
    await moveToGroup(app, empty, members.owner);
    expect(await callAs(actor, "PATCH", ...moveInto(empty, outsider))).toBe(200);
    expect(await callAs(actor, "POST", administrationPaths.invitations, { groupId: empty })).toBe(201);
    expect(await callAs(actor, "PATCH", administrationPaths.account(outsider.user.id), { groupId: null })).toBe(200);
  });

  it("P7 a member leaves a group with a shared budget by an administrator", async () => {
    const { actor, members } = scene;
    const path = administrationPaths.account(members.person.user.id);
    expect(await callAs(actor, "PATCH", path, { groupId: null })).toBe(200);
  });
});

it("P7 an administrator revokes no invitation of a higher role by deleting its group", async () => {
  const { actor, empty, members } = scene;
  const { invitation } = await invite(app, members.owner, { groupId: empty, role: "administrator" });
  expect(await callAs(actor, "DELETE", administrationPaths.group(empty))).toBe("not-permitted");
  const row = app.context.database.selectFrom("invitations").select("revoked_at").where("id", "=", invitation.id);
  expect(await row.execute()).toEqual([{ revoked_at: null }]);
});
