import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { AccountRole } from "#contract/accounts/roles.ts";
import {
  type AccountAction,
  accountActionResultsSchema,
  administeredAccountSchema,
} from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { mailedKey, subjectsTo } from "../../testing/accounts/filed-mails.ts";
import { insertTestGroup, moveToGroup } from "../../testing/accounts/groups.ts";
import { invite } from "../../testing/accounts/invitations.ts";
import { mailedKeysFor, newestKeyFor } from "../../testing/accounts/mailed-links.ts";
import { giveRole, signUpAs } from "../../testing/accounts/roles.ts";
import { securityEventsOf } from "../../testing/accounts/security-events-of.ts";
import { newPerson, PASSWORD, signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { createSharedDatabase } from "../../testing/servers/shared-database.ts";
import { insertUser } from "../accounts/account-store.ts";
import { toPendingAccount } from "../accounts/registration/register.ts";
import { newId } from "../database/new-id.ts";

let app: TestApp;
let owner: TestAccount;
let administrator: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
  owner = await signUpAs(app, "owner");
  administrator = await signUpAs(app, "administrator");
});
afterAll(() => app[Symbol.asyncDispose]());

async function act(by: TestAccount, action: AccountAction, ids: string[]) {
  const response = await app.call("POST", administrationPaths.accountActions, {
    token: by.token,
    body: { ids, action },
  });
  return accountActionResultsSchema.parse(await response.json()).results;
}

/** Acts on one account. @returns whether it changed, or the code of the refusal */
async function actOn(by: TestAccount, action: AccountAction, { user }: Pick<TestAccount, "user">) {
  const [result] = await act(by, action, [user.id]);
  return result?.ok ? result.changed : result?.code;
}

const change = (by: TestAccount, id: string, body: object) =>
  app.call("PATCH", administrationPaths.account(id), { token: by.token, body });

/** @returns the new role, or the code of the refusal */
async function setRole(by: TestAccount, { user }: TestAccount, role: AccountRole): Promise<string> {
  const response = await change(by, user.id, { role });
  return response.ok ? administeredAccountSchema.parse(await response.json()).role : (await problemOf(response)).code;
}

const statusOf = async ({ token }: TestAccount) => (await app.call("GET", accountPaths.me, { token })).status;
const recordsAbout = async (id: string) => {
  const rows = app.context.database.selectFrom("audit_events").selectAll().where("subject", "=", id);
  return rows.orderBy("seq").execute();
};
const kindsAbout = async (id: string) => (await recordsAbout(id)).map(({ kind }) => kind);

async function insertPending(email?: string): Promise<{ id: string; email: string }> {
  const row = toPendingAccount(newPerson(email === undefined ? {} : { email }), "", app.context.clock.now());
  await insertUser(app.context.database, row);
  return row;
}

describe("actions on accounts", () => {
  it("administration disables an account, ends its sessions and enables it, each once, with a record of the actor", async () => {
    const ada = await signUp(app);
    expect([await actOn(administrator, "disable", ada), await actOn(administrator, "disable", ada)]).toEqual([
      true,
      false,
    ]);
    expect(await statusOf(ada)).toBe(401);
    expect([await actOn(owner, "enable", ada), await actOn(owner, "enable", ada)]).toEqual([true, false]);
    const records = await recordsAbout(ada.user.id);
    expect(records.map(({ kind, actor }) => [kind, actor])).toEqual([
      ["account-disabled", administrator.user.id],
      ["account-enabled", owner.user.id],
    ]);
  });

  it("administration ends all sessions of an account, which can sign in again", async () => {
    const ada = await signUp(app);
    expect([await actOn(administrator, "end-sessions", ada), await actOn(administrator, "end-sessions", ada)]).toEqual([
      true,
      false,
    ]);
    expect(await statusOf(ada)).toBe(401);
    const body = { username: ada.user.username, password: PASSWORD };
    expect((await app.call("POST", accountPaths.login, { body })).status).toBe(200);
  });

  it("administration verifies an account, unless its address belongs to another one", async () => {
    const [pending, ada] = [await insertPending(), await signUp(app)];
    const rival = await insertPending(ada.user.email);
    const results = await act(administrator, "verify", [pending.id, rival.id, pending.id]);
    expect(results).toEqual([
      { id: pending.id, ok: true, changed: true },
      { id: rival.id, ok: false, code: "address-taken" },
    ]);
    expect(await act(administrator, "verify", [pending.id])).toEqual([{ id: pending.id, ok: true, changed: false }]);
    expect(await kindsAbout(pending.id)).toEqual(["account-verified"]);
  });

  it("administration mails a link to a new password, and to an unverified account one to verify", async () => {
    const [ada, pending] = [await signUp(app), await insertPending()];
    for (let count = 0; count < 3; count++) await act(administrator, "send-reset", [ada.user.id, pending.id]);
    expect(await mailedKeysFor(app, "reset-password", ada.user.email)).toHaveLength(3);
    const key = await newestKeyFor(app, "reset-password", ada.user.email);
    const body = { key, password: `${PASSWORD} new` };
    expect((await app.call("POST", accountPaths.resetPassword, { body })).status).toBe(200);
    expect(
      (await app.call("POST", accountPaths.verify, { body: { key: await mailedKey(app, pending.email) } })).ok,
    ).toBe(true);
    expect(await kindsAbout(ada.user.id)).toEqual(Array(3).fill("password-reset-sent"));
    expect(await securityEventsOf(app, ada.user.id)).toContain("password-reset-asked");
  });

  it("K3 administration mails at most five links an hour to a mailbox, invitations included, whoever acts", async () => {
    await using limited = await startTestApp({ env: { RATE_LIMITS: "on" } });
    const [chief, group, ada, eve] = [
      await signUpAs(limited, "owner"),
      await insertTestGroup(limited),
      await signUp(limited),
      await signUp(limited),
    ];
    const managers = [await signUpAs(limited, "manager"), await signUpAs(limited, "manager")];
    await moveToGroup(limited, group, ...managers, ada, eve);
    const send = async ({ token }: TestAccount, ...accounts: TestAccount[]) => {
      const body = { ids: accounts.map(({ user }) => user.id), action: "send-reset" };
      const response = await limited.call("POST", administrationPaths.accountActions, { token, body });
      const { results } = accountActionResultsSchema.parse(await response.json());
      return results.map((result) => (result.ok ? "sent" : result.code));
    };
    await invite(limited, chief, { address: ada.user.email, mail: true });
    for (const [at, by] of [...managers, ...managers].entries()) {
      expect(await send(by, ada)).toEqual(["sent"]);
      // A mail whose key is replaced before it is sent is not sent at all.
      await expect.poll(() => mailedKeysFor(limited, "reset-password", ada.user.email)).toHaveLength(at + 1);
    }
    for (const by of [...managers, chief]) expect(await send(by, ada)).toEqual(["too-many-requests"]);
    expect(await send(chief, ada, eve)).toEqual(["too-many-requests", "sent"]);
    // Who forgot the password can ask still.
    const body = { email: ada.user.email };
    expect((await limited.call("POST", accountPaths.forgotPassword, { body })).status).toBe(200);
    await expect.poll(() => mailedKeysFor(limited, "reset-password", ada.user.email)).toHaveLength(5);
  });

  it("K3 refused actions do not use up the limit of a mailbox", async () => {
    await using limited = await startTestApp({ env: { RATE_LIMITS: "on" } });
    const chief = await signUpAs(limited, "owner");
    const { token } = await signUpAs(limited, "administrator");
    const send = async (by: { token: string }) => {
      const body = { ids: [chief.user.id], action: "send-reset" };
      const response = await limited.call("POST", administrationPaths.accountActions, { token: by.token, body });
      return accountActionResultsSchema.parse(await response.json()).results;
    };
    const refused = [{ id: chief.user.id, ok: false, code: "not-permitted" }];
    for (let count = 0; count < 6; count++) expect(await send({ token })).toEqual(refused);
    expect(await send(chief)).toMatchObject([{ ok: true }]);
  });

  it("administration deletes an account with all that it has stored, and mails a receipt", async () => {
    const ada = await signUp(app);
    await app.call("POST", conversationPaths.chats, { token: ada.token });
    expect(await actOn(administrator, "delete", ada)).toBe(true);
    expect(await statusOf(ada)).toBe(401);
    await vi.waitUntil(async () => (await actOn(administrator, "delete", ada)) === "not-found");
    const rows = app.context.database.selectFrom("users").select("id").where("id", "=", ada.user.id);
    await vi.waitUntil(async () => (await rows.execute()).length === 0);
    expect(await subjectsTo(app, ada.user.email)).toEqual([expect.stringMatching(/deleted/)]);
    expect(await kindsAbout(ada.user.id)).toEqual(["account-deletion-asked"]);
  });

  it("actions on several accounts continue after a refusal, and return one result for each id, in order", async () => {
    const [ada, eve] = [await signUp(app), await signUp(app)];
    const unknown = newId();
    const ids = [ada.user.id, owner.user.id, unknown, administrator.user.id, eve.user.id, ada.user.id];
    expect(await act(administrator, "disable", ids)).toEqual([
      { id: ada.user.id, ok: true, changed: true },
      { id: owner.user.id, ok: false, code: "not-permitted" },
      { id: unknown, ok: false, code: "not-found" },
      { id: administrator.user.id, ok: false, code: "not-permitted" },
      { id: eve.user.id, ok: true, changed: true },
    ]);
  });

  it("an action accepts at most 100 ids", async () => {
    const send = (count: number) => {
      const body = { ids: Array.from({ length: count }, (_, at) => String(at)), action: "enable" };
      return app.call("POST", administrationPaths.accountActions, { token: owner.token, body });
    };
    expect((await send(100)).status).toBe(200);
    expect([(await send(101)).status, (await send(0)).status]).toEqual([400, 400]);
  });

  it("actions leave no address and no browser of the administrator in the account's log", async () => {
    const ada = await signUp(app);
    for (const action of ["disable", "enable", "send-reset"] as const) await actOn(administrator, action, ada);
    const rows = app.context.database.selectFrom("security_events").selectAll().where("user_id", "=", ada.user.id);
    const events = (await rows.orderBy("id").execute()).slice(-3);
    expect(events.map(({ kind, ip, user_agent }) => [kind, ip, user_agent])).toEqual([
      ["disabled", "", ""],
      ["enabled", "", ""],
      ["password-reset-asked", "", ""],
    ]);
  });
});

describe("P1 roles of administration", () => {
  const actions = ["disable", "enable", "end-sessions", "send-reset", "verify", "delete"] as const;

  it("an administrator cannot act on administrators and owners, nor change them", async () => {
    const others = [await signUpAs(app, "administrator"), await signUpAs(app, "owner"), administrator];
    const ids = others.map(({ user }) => user.id);
    for (const action of actions) {
      const results = await act(administrator, action, ids);
      expect(results).toEqual(ids.map((id) => ({ id, ok: false, code: "not-permitted" })));
    }
    for (const other of others) {
      expect(await setRole(administrator, other, "person")).toBe("not-permitted");
      expect((await change(administrator, other.user.id, { quotaMb: 5 })).status).toBe(403);
      expect(await statusOf(other)).toBe(200);
      expect(await kindsAbout(other.user.id)).toEqual([]);
    }
  });

  it("only an owner makes administrators, and no role makes an owner", async () => {
    const ada = await signUp(app);
    expect(await setRole(administrator, ada, "manager")).toBe("manager");
    expect(await setRole(administrator, ada, "administrator")).toBe("not-permitted");
    expect(await setRole(administrator, ada, "owner")).toBe("not-permitted");
    expect(await setRole(owner, ada, "administrator")).toBe("administrator");
    expect(await setRole(owner, ada, "owner")).toBe("not-permitted");
    expect(await setRole(owner, owner, "owner")).toBe("not-permitted");
    expect(await setRole(owner, ada, "person")).toBe("person");
    const values = (await recordsAbout(ada.user.id)).map(({ before, after }) => [before, after]);
    expect(values[0]).toEqual(['{"role":"person"}', '{"role":"manager"}']);
    expect(values).toHaveLength(3);
  });

  it("P3 administrators and owners cannot disable, delete or demote themselves by administration", async () => {
    for (const self of [owner, administrator]) {
      for (const action of ["disable", "delete"] as const)
        expect(await actOn(self, action, self)).toBe("not-permitted");
      expect(await setRole(self, self, "person")).toBe("not-permitted");
      expect(await statusOf(self)).toBe(200);
    }
  });

  it("P3 one of two owners who take each other's role at once stays an owner", async () => {
    await using other = await startTestApp();
    const call = (by: TestAccount, { user }: TestAccount) =>
      other.call("PATCH", administrationPaths.account(user.id), { token: by.token, body: { role: "person" } });
    for (let round = 0; round < 4; round++) {
      const [ada, eve] = [await signUpAs(other, "owner"), await signUpAs(other, "owner")];
      const statuses = (await Promise.all([call(ada, eve), call(eve, ada)])).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      const owners = other.context.database.selectFrom("users").select("id").where("role", "=", "owner");
      expect(await owners.execute()).toHaveLength(1);
      await other.context.database.updateTable("users").set({ role: "person" }).execute();
    }
  });

  it("an account that is being deleted cannot be administered", async () => {
    const ada = await signUp(app);
    await app.context.database.updateTable("users").set({ delete_at: 0 }).where("id", "=", ada.user.id).execute();
    for (const action of ["enable", "disable", "send-reset"] as const) {
      expect(await actOn(owner, action, ada)).toBe("not-found");
    }
    expect(await setRole(owner, ada, "manager")).toBe("not-found");
  });
});

describe("change of role and quota", () => {
  it("role and quota of an account change together or not at all, and the account is returned", async () => {
    const ada = await signUp(app);
    const response = await change(owner, ada.user.id, { role: "manager", quotaMb: 9 });
    expect(await response.json()).toMatchObject({ id: ada.user.id, role: "manager", quotaMb: 9 });
    expect((await change(administrator, ada.user.id, { role: "owner", quotaMb: 1 })).status).toBe(403);
    const reset = await (await change(administrator, ada.user.id, { quotaMb: null })).json();
    expect(reset).toMatchObject({ role: "manager" });
    expect(reset).not.toHaveProperty("quotaMb");
    expect(await kindsAbout(ada.user.id)).toEqual(["role-changed", "quota-changed", "quota-changed"]);
  });

  it("a change of role or quota refuses wrong values and unknown ids", async () => {
    const ada = await signUp(app);
    for (const body of [{ role: "king" }, { quotaMb: 0 }, { quotaMb: 1.5 }, { quotaMb: 1_000_001 }]) {
      expect((await change(owner, ada.user.id, body)).status).toBe(400);
    }
    for (const body of [{ role: "manager" }, { quotaMb: 5 }, {}]) {
      expect((await problemOf(await change(owner, newId(), body))).code).toBe("not-found");
    }
    expect((await change(owner, ada.user.id, {})).status).toBe(200);
    expect(await kindsAbout(ada.user.id)).toEqual([]);
  });
});

describe.runIf(isOnPostgres)("two processes on one database", () => {
  it("P1 a role that one process takes is refused by the other with the next request", async () => {
    await using database = await createSharedDatabase();
    const [one, other] = [await database.startServer(), await database.startServer()];
    const [chief, ada] = [await signUpAs(one, "owner"), await signUpAs(one, "administrator")];
    const read = async () => (await other.call("GET", administrationPaths.accounts, { token: ada.token })).status;
    expect(await read()).toBe(200);
    const body = { role: "person" };
    expect(
      (await one.call("PATCH", administrationPaths.account(ada.user.id), { token: chief.token, body })).status,
    ).toBe(200);
    expect(await read()).toBe(403);
    await giveRole(one, ada, "administrator");
    expect(await read()).toBe(200);
    const disable = { ids: [ada.user.id], action: "disable" };
    expect(
      (await one.call("POST", administrationPaths.accountActions, { token: chief.token, body: disable })).status,
    ).toBe(200);
    expect(await read()).toBe(401);
  });
});
