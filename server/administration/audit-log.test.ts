import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AUDIT_ACCOUNTS_MAX,
  AUDIT_PAGE,
  type AuditEntry,
  auditListSchema,
  type OwnAudit,
  ownAuditSchema,
} from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { accountContextOf } from "../../testing/accounts/account-context.ts";
import { giveRole, signUpAs } from "../../testing/accounts/roles.ts";
import { newPerson, signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { insertUser } from "../accounts/account-store.ts";
import { setRights } from "../accounts/administration/account-rights.ts";
import { commandLine } from "../accounts/administration/administrator.ts";
import { toPendingAccount } from "../accounts/registration/register.ts";
import { recordAudit } from "../audit/record-audit.ts";

let app: TestApp;
let owner: TestAccount;
let administrator: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
  owner = await signUpAs(app, "owner");
  administrator = await signUpAs(app, "administrator");
});
afterAll(() => app[Symbol.asyncDispose]());

async function list(query: Record<string, string> = {}) {
  const response = await app.call("GET", `${administrationPaths.audit}?${new URLSearchParams(query)}`, {
    token: administrator.token,
  });
  return auditListSchema.parse(await response.json());
}
const entriesFor = async (query: Record<string, string>) => (await list(query)).entries;
const seqsOf = (entries: readonly { seq: number }[]) => entries.map(({ seq }) => seq);

async function own({ token }: TestAccount, query = ""): Promise<OwnAudit["entries"]> {
  const response = await app.call("GET", administrationPaths.ownAudit + query, { token });
  return ownAuditSchema.parse(await response.json()).entries;
}

/** Changes an account's quota as an administrator of the browser. */
async function setQuota(by: TestAccount, { user }: TestAccount, quotaMb: number | null): Promise<void> {
  const response = await app.call("PATCH", administrationPaths.account(user.id), {
    token: by.token,
    body: { quotaMb },
  });
  expect(response.status).toBe(200);
}

async function recordMany(subject: string, count: number): Promise<void> {
  await app.context.database.transaction().execute(async (db) => {
    for (let at = 0; at < count; at++) {
      await recordAudit(db, { kind: "sessions-ended", at, actor: owner.user.id, subject });
    }
  });
}

describe("records of all accounts", () => {
  it("records show actor and subject with their present usernames, and the values before and after", async () => {
    const ada = await signUp(app);
    await setQuota(administrator, ada, 7);
    const [entry] = await entriesFor({ account: ada.user.id });
    expect(entry).toMatchObject({
      kind: "quota-changed",
      actor: { id: administrator.user.id, username: administrator.user.username },
      subject: { id: ada.user.id, username: ada.user.username },
      before: { quotaMb: null },
      after: { quotaMb: 7 },
    });
    await app.context.database.deleteFrom("users").where("id", "=", ada.user.id).execute();
    const [later] = await entriesFor({ account: ada.user.id });
    expect(later?.subject).toEqual({ id: ada.user.id });
  });

  it("records of invitations name the address, and the number of people, until the invitation is removed", async () => {
    const invite = async (body: object) => {
      const answer = await app.call("POST", administrationPaths.invitations, { token: administrator.token, body });
      return ((await answer.json()) as { invitation: { id: string } }).invitation.id;
    };
    const one = await invite({ address: "eve@example.org" });
    const ten = await invite({ uses: 10 });
    await app.call("DELETE", administrationPaths.invitation(ten), { token: administrator.token });
    const { entries, invitations } = await list();
    expect(entries.slice(0, 3).map(({ subject }) => subject?.id)).toEqual([ten, ten, one]);
    expect(invitations).toEqual(
      expect.arrayContaining([
        { id: one, address: "eve@example.org", usesMax: 1 },
        { id: ten, usesMax: 10 },
      ]),
    );
    await app.context.database.deleteFrom("invitations").where("id", "=", one).execute();
    expect((await list()).invitations).toEqual([{ id: ten, usesMax: 10 }]);
  });

  it("records show a command on the server without an actor", async () => {
    const { user } = await signUp(app);
    await setRights(accountContextOf(app), user.id, { role: "manager", by: commandLine });
    expect((await entriesFor({ account: user.id }))[0]?.actor).toBeNull();
  });

  it("records are listed newest first, 50 a page, each once", async () => {
    const { user } = await signUp(app);
    await recordMany(user.id, 2 * AUDIT_PAGE + 1);
    for (const query of [{}, { account: user.id }, { q: user.username }] as Record<string, string>[]) {
      const entries: AuditEntry[] = [];
      for (let count = 0; count < 3; count++) {
        const before = entries.at(-1)?.seq;
        const page = await entriesFor({ ...query, ...(before !== undefined && { before: String(before) }) });
        if (count < 2) expect(page).toHaveLength(AUDIT_PAGE);
        entries.push(...page);
      }
      const seqs = seqsOf(entries);
      expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => b - a));
      if ("account" in query || "q" in query) expect(seqs).toHaveLength(2 * AUDIT_PAGE + 1);
    }
  });

  it("records are found by kind, by account as actor or subject, and by a name or address", async () => {
    const [ada, eve] = [await signUp(app), await signUpAs(app, "administrator")];
    await setQuota(eve, ada, 3);
    await setQuota(owner, ada, 4);
    await app.call("PATCH", administrationPaths.account(eve.user.id), { token: owner.token, body: { role: "person" } });
    const [roleChange] = await entriesFor({ kind: "role-changed" });
    expect(roleChange?.subject?.id).toBe(eve.user.id);
    const ofEve = await entriesFor({ account: eve.user.id });
    expect(ofEve.map(({ kind }) => kind)).toEqual(["role-changed", "quota-changed"]);
    expect(seqsOf(await entriesFor({ q: eve.user.email }))).toEqual(seqsOf(ofEve));
    expect(seqsOf(await entriesFor({ q: eve.user.username.toUpperCase() }))).toEqual(seqsOf(ofEve));
    const both = await entriesFor({ account: eve.user.id, q: ada.user.username });
    expect(both.map(({ kind, actor }) => [kind, actor?.id])).toEqual([["quota-changed", eve.user.id]]);
    expect(await entriesFor({ account: eve.user.id, kind: "account-created" })).toEqual([]);
    expect(await entriesFor({ q: "nobody-at-all" })).toEqual([]);
    expect((await app.call("GET", `${administrationPaths.audit}?kind=x`, { token: owner.token })).status).toBe(400);
  });

  it("the list of records reports if a name finds more accounts than are searched", async () => {
    const users = Array.from({ length: AUDIT_ACCOUNTS_MAX + 1 }, (_, at) => newPerson({ username: `many${at}` }));
    for (const user of users.slice(1)) await insertUser(app.context.database, toPendingAccount(user, "", 0));
    expect((await list({ q: "many" })).isPartial).toBeUndefined();
    await insertUser(app.context.database, toPendingAccount(users[0] ?? newPerson(), "", 0));
    expect((await list({ q: "many" })).isPartial).toBe(true);
  });

  it("records are exported as CSV with the same filter, more than are read at a time", async () => {
    const ada = await signUp(app);
    await recordMany(ada.user.id, 501);
    await setQuota(owner, ada, 5);
    const response = await app.call("GET", `${administrationPaths.auditCsv}?account=${ada.user.id}`, {
      token: owner.token,
    });
    const lines = (await response.text()).split("\r\n");
    expect(lines[0]).toBe('"number","time","kind","actor id","actor","subject id","subject","before","after"');
    expect(lines).toHaveLength(504);
    const parties = `"${owner.user.id}","${owner.user.username}","${ada.user.id}","${ada.user.username}"`;
    expect(lines[1]).toContain(`"quota-changed",${parties},"{""quotaMb"":null}","{""quotaMb"":5}"`);
  });
});

describe("records about the calling account", () => {
  it("records about the calling account show what was done and by which role, without names of others", async () => {
    const [ada, eve] = [await signUp(app), await signUpAs(app, "administrator")];
    await setQuota(eve, ada, 3);
    await setRights(accountContextOf(app), ada.user.id, { role: "manager", by: commandLine });
    const entries = await own(ada);
    expect(entries.map(({ kind, actor, after }) => [kind, actor, after])).toEqual([
      ["role-changed", null, { role: "manager" }],
      ["quota-changed", { isOwn: false, role: "administrator" }, { quotaMb: 3 }],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${eve.user.id}|${eve.user.username}`));
    expect(await own(ada, `?before=${entries[0]?.seq}`)).toEqual(entries.slice(1));
    // What an administrator did to others is not about the administrator.
    expect(await own(eve)).toEqual([]);
    await app.context.database.deleteFrom("users").where("id", "=", eve.user.id).execute();
    expect((await own(ada))[1]?.actor).toEqual({ isOwn: false });
  });

  it("records mark what the calling account did, and are listed 50 a page", async () => {
    const ada = await signUpAs(app, "owner");
    await recordMany(ada.user.id, AUDIT_PAGE + 2);
    await setQuota(ada, ada, 9);
    await giveRole(app, ada, "person");
    const first = await own(ada);
    expect([first.length, first[0]?.actor]).toEqual([AUDIT_PAGE, { isOwn: true, role: "person" }]);
    expect(await own(ada, `?before=${first.at(-1)?.seq}`)).toHaveLength(3);
  });
});
