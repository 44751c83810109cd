import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AccountRole, accountRoles } from "#contract/accounts/roles.ts";
import {
  type AccountAction,
  accountActionResultsSchema,
  accountActions,
  accountListSchema,
} from "#contract/administration/administration.ts";
import { accountGroupListSchema } from "#contract/administration/groups.ts";
import { invitationListSchema } from "#contract/administration/invitations.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { insertTestGroup, moveToGroup } from "../../testing/accounts/groups.ts";
import { invite } from "../../testing/accounts/invitations.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { allRows } from "../../testing/database/all-rows.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { isAdministrative, pathFor, routeOf, routeRows } from "../../testing/http/route-rows.ts";

let app: TestApp;
let owner: TestAccount;
let manager: TestAccount;
let own: string;
let foreign: string;
/** Accounts of every role, in the manager's group and in others. */
let members: Record<AccountRole, TestAccount>;
let strangers: TestAccount[];
beforeAll(async () => {
  app = await startTestApp({ env: { RATE_LIMITS: "off" } });
  owner = await signUpAs(app, "owner");
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  [own, foreign] = [await insertTestGroup(app), await insertTestGroup(app)];
  manager = await signUpAs(app, "manager");
  const signUpAll = async () =>
    Object.fromEntries(await Promise.all(accountRoles.map(async (role) => [role, await signUpAs(app, role)] as const)));
  members = (await signUpAll()) as typeof members;
  await moveToGroup(app, own, manager, ...Object.values(members));
  const elsewhere = Object.values(await signUpAll()) as TestAccount[];
  await moveToGroup(app, foreign, ...elsewhere);
  strangers = [...elsewhere, await signUp(app)];
});

const call = (method: string, path: string, body?: unknown) => app.call(method, path, { token: manager.token, body });
const codeOf = async (response: Response) => (response.ok ? response.status : (await problemOf(response)).code);

async function act(action: AccountAction, { user }: TestAccount) {
  const response = await call("POST", administrationPaths.accountActions, { ids: [user.id], action });
  const { results } = accountActionResultsSchema.parse(await response.json());
  return results.map((result) => (result.ok ? "done" : result.code))[0];
}

async function listed(query = "") {
  return accountListSchema.parse(await (await call("GET", administrationPaths.accounts + query)).json());
}
const idsOf = (accounts: readonly TestAccount[]) => accounts.map(({ user }) => user.id);

describe("P1 managers of a group", () => {
  it("P1 a manager lists and exports the members of the own group only, whatever the query requests", async () => {
    const inGroup = idsOf([manager, ...Object.values(members)]);
    for (const query of ["", `?group=${own}`, "?q=example.org", "?sort=name"]) {
      const { accounts, total } = await listed(query);
      expect([query, accounts.map(({ id }) => id).sort(), total]).toEqual([query, inGroup.toSorted(), inGroup.length]);
    }
    const [stranger] = strangers;
    for (const query of [`?group=${foreign}`, "?group=none", `?q=${stranger?.user.id}`, `?q=${stranger?.user.email}`]) {
      expect([query, (await listed(query)).accounts]).toEqual([query, []]);
    }
    const csv = await (await call("GET", `${administrationPaths.accountsCsv}?group=${foreign}`)).text();
    expect(csv.split("\r\n")).toHaveLength(2);
    const all = await (await call("GET", administrationPaths.accountsCsv)).text();
    expect(idsOf(strangers).filter((id) => all.includes(id))).toEqual([]);
    expect(all).toContain(members.person.user.id);
  });

  it("P1 a manager sees accounts of the own group; others are answered as unknown ones", async () => {
    for (const member of Object.values(members)) {
      expect(await codeOf(await call("GET", administrationPaths.account(member.user.id)))).toBe(200);
    }
    const unknown = await (await call("GET", administrationPaths.account("unknown"))).text();
    for (const stranger of strangers) {
      const response = await call("GET", administrationPaths.account(stranger.user.id));
      expect([response.status, await response.text()]).toEqual([404, unknown]);
    }
  });

  it("P1 a manager verifies, disables and enables accounts, ends their sessions and sends them links, nothing more", async () => {
    const permitted: AccountAction[] = ["verify", "disable", "enable", "end-sessions", "send-reset"];
    for (const action of permitted) expect([action, await act(action, members.person)]).toEqual([action, "done"]);
    for (const action of ["delete", "set-group"] as const) {
      expect([action, await act(action, members.person)]).toEqual([action, "not-permitted"]);
    }
    const before = await allRows(app.context.database);
    for (const action of accountActions) {
      for (const role of ["manager", "administrator", "owner"] as const) {
        expect([action, role, await act(action, members[role])]).toEqual([action, role, "not-permitted"]);
      }
      expect([action, await act(action, manager)]).toEqual([action, "not-permitted"]);
      for (const stranger of strangers) expect([action, await act(action, stranger)]).toEqual([action, "not-found"]);
      expect([action, await act(action, { ...manager, user: { ...manager.user, id: "unknown" } })]).toEqual([
        action,
        "not-found",
      ]);
    }
    expect(await allRows(app.context.database)).toEqual(before);
  });

  it("P1 a manager invites into the own group, sees its invitations, and revokes those without a role only", async () => {
    const made = await invite(app, manager, { uses: 30 });
    expect(made.invitation).toMatchObject({ role: "person", group: { id: own } });
    const [into, outside, beyond] = [
      await invite(app, owner, { groupId: own, role: "administrator" }),
      await invite(app, owner),
      await invite(app, owner, { groupId: foreign }),
    ];
    const { invitations } = invitationListSchema.parse(
      await (await call("GET", administrationPaths.invitations)).json(),
    );
    expect(invitations.map(({ id }) => id)).toEqual([into.invitation.id, made.invitation.id]);
    for (const body of [
      { role: "manager" },
      { role: "owner" },
      { groupId: foreign },
      { groupId: null },
      { groupId: "x" },
    ]) {
      expect([body, await codeOf(await call("POST", administrationPaths.invitations, body))]).toEqual([
        body,
        "not-permitted",
      ]);
    }
    const revoke = (id: string) => call("DELETE", administrationPaths.invitation(id)).then(codeOf);
    for (const { invitation } of [outside, beyond]) expect(await revoke(invitation.id)).toBe("not-found");
    expect(await revoke(made.invitation.id)).toBe(204);
    for (const role of ["manager", "administrator"] as const) {
      const high = role === "administrator" ? into : await invite(app, owner, { groupId: own, role });
      expect([role, await revoke(high.invitation.id)]).toEqual([role, "not-permitted"]);
    }
    expect(await revoke((await invite(app, owner, { groupId: own })).invitation.id)).toBe(204);
  });

  it("P1 a manager sees the own group, and changes none", async () => {
    const list = accountGroupListSchema.parse(await (await call("GET", administrationPaths.groups)).json());
    expect([list.groups.map(({ id, members: count }) => [id, count]), list.choices]).toEqual([[[own, 5]], []]);
    for (const [method, path] of [
      ["POST", administrationPaths.groups],
      ["PATCH", administrationPaths.group(own)],
      ["DELETE", administrationPaths.group(own)],
    ] as const) {
      const body = method === "DELETE" ? undefined : { name: "Mine" };
      expect([method, await codeOf(await call(method, path, body))]).toEqual([method, "not-permitted"]);
    }
  });

  it("P1 a manager without a group sees no account and creates no invitation", async () => {
    await moveToGroup(app, null, manager);
    expect(await listed()).toEqual({ accounts: [], total: 0 });
    expect(await listed("?group=none")).toEqual({ accounts: [], total: 0 });
    const [stranger] = strangers.slice(-1);
    expect(await codeOf(await call("GET", administrationPaths.account(stranger?.user.id ?? "")))).toBe("not-found");
    expect(await act("disable", members.person)).toBe("not-found");
    const { invitations } = invitationListSchema.parse(
      await (await call("GET", administrationPaths.invitations)).json(),
    );
    expect(invitations).toEqual([]);
    expect(await codeOf(await call("POST", administrationPaths.invitations, {}))).toBe("not-permitted");
    const groups = accountGroupListSchema.parse(await (await call("GET", administrationPaths.groups)).json());
    expect(groups).toEqual({ groups: [], choices: [] });
  });

  it("P1 a manager who moves to another group loses the members with the next request", async () => {
    expect(await codeOf(await call("GET", administrationPaths.account(members.person.user.id)))).toBe(200);
    await moveToGroup(app, foreign, manager);
    expect(await codeOf(await call("GET", administrationPaths.account(members.person.user.id)))).toBe("not-found");
    expect(await act("disable", members.person)).toBe("not-found");
  });
});

it("P1 no answer of administration to a manager has words, or a trace of an account beyond the group", async () => {
  const word = "quillwort";
  const speak = async ({ token }: TestAccount) => {
    const chat = (await (await app.call("POST", conversationPaths.chats, { token })).json()) as { id: string };
    const body = { message: word };
    expect((await app.call("POST", conversationPaths.chatSend(chat.id), { token, body })).status).toBe(200);
    await app.call("PUT", conversationPaths.instructions, { token, body: { instructions: word } });
  };
  await speak(members.person);
  const traces = strangers.flatMap(({ user }) => [user.id, user.username, user.email]);
  const reading = Object.entries(routeRows).filter(([name, row]) => name.startsWith("GET") && isAdministrative(row));
  for (const [name, row] of reading) {
    const ids = { account: members.person.user.id } as Parameters<typeof pathFor>[2];
    const response = await call("GET", pathFor(row, routeOf(name).path, ids));
    expect([name, response.ok]).toEqual([name, row.role === "manager"]);
    const text = await response.text();
    expect([name, [word, ...traces].filter((trace) => text.includes(trace))]).toEqual([name, []]);
  }
});
