import { describe, expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { AccountRole } from "#contract/accounts/roles.ts";
import {
  INVITATION_USES_MAX,
  type Invitation,
  invitationListSchema,
  type NewInvitation,
  receivedInvitationSchema,
} from "#contract/administration/invitations.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { DAY, HOUR } from "#contract/limits.ts";
import { filedMailsTo, mailedKey } from "../../../testing/accounts/filed-mails.ts";
import { insertTestGroup } from "../../../testing/accounts/groups.ts";
import { invitationKeyIn, invite } from "../../../testing/accounts/invitations.ts";
import { giveRole, signUpAs as signUpIn } from "../../../testing/accounts/roles.ts";
import { newPerson, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { removeLapsedFromAccounts } from "../accounts.ts";

const clock = new TestClock();
const env = { REGISTRATION: "closed", PUBLIC_URL: "https://chat.example.org", RATE_LIMITS: "off" };
const app = disposeAfterAll(await startTestApp({ clock, env }));

const post = (path: string, body: unknown, token?: string) =>
  app.call("POST", path, { body, ...(token !== undefined && { token }) });
const open = (key: string) => post(accountPaths.invitation, { key });
const codeOf = async (response: Response) => (response.ok ? response.status : (await problemOf(response)).code);

const signUpAs = (role: AccountRole) => signUpIn(app, role);

async function list({ token }: TestAccount, query = ""): Promise<Invitation[]> {
  const response = await app.call("GET", administrationPaths.invitations + query, { token });
  return invitationListSchema.parse(await response.json()).invitations;
}
const find = async (by: TestAccount, id: string) => (await list(by)).find((one) => one.id === id);

const register = (invitation: string | undefined, given: { email?: string } = {}) => {
  const person = newPerson(given);
  return {
    person,
    answer: post(accountPaths.register, { ...person, ...(invitation !== undefined && { invitation }) }),
  };
};

/** Registers with an invitation and verifies. @returns the account as its browser receives it */
async function join(invitation: string, given: { email?: string } = {}) {
  const { person, answer } = register(invitation, given);
  expect((await answer).status).toBe(201);
  const response = await post(accountPaths.verify, { key: await mailedKey(app, person.email) });
  return signedInSchema.parse(await response.json()).user;
}

async function auditOf(subject: string) {
  const rows = app.context.database.selectFrom("audit_events").select(["kind", "actor", "before", "after"]);
  return rows.where("subject", "=", subject).orderBy("seq").execute();
}

describe("creation of an invitation", () => {
  it("creating an invitation returns its link once, and stores only the hash of its 128 bits", async () => {
    const ada = await signUpAs("administrator");
    const { invitation, link, key } = await invite(app, ada, { uses: 3, role: "manager", note: "The choir\n of May" });
    expect(link).toBe(`https://chat.example.org/register#invitation=${key}`);
    expect(Buffer.from(key, "base64url")).toHaveLength(16);
    const createdBy = { id: ada.user.id, username: ada.user.username };
    const expected = {
      ...{ id: invitation.id, state: "active", createdAt: clock.now(), createdBy, expiresAt: clock.now() + 7 * DAY },
      ...{ uses: 0, usesMax: 3, role: "manager", note: "The choir  of May", users: [] },
    };
    expect(invitation).toEqual(expected);
    expect(await find(ada, invitation.id)).toEqual(expected);
    const rows = await app.context.database.selectFrom("invitations").selectAll().execute();
    expect(JSON.stringify([rows, await list(ada)])).not.toContain(key);
    expect(await auditOf(invitation.id)).toMatchObject([{ kind: "invitation-created", actor: ada.user.id }]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["uses", { uses: 0 }],
    ["uses", { uses: INVITATION_USES_MAX + 1 }],
    ["uses", { uses: 2, address: "ada@example.org" }],
    ["lifeMs", { lifeMs: HOUR - 1 }],
    ["lifeMs", { lifeMs: 90 * DAY + 1 }],
    ["note", { note: "x".repeat(101) }],
    ["address", { address: "nobody" }],
    ["address", { mail: true }],
    ["role", { role: "king" }],
  ])("refuses an invitation with an invalid %s: %j", async (field, body) => {
    const { token } = await signUpAs("owner");
    expect((await problemOf(await post(administrationPaths.invitations, body, token))).issues).toMatchObject([
      { field },
    ]);
  });

  it.each<[AccountRole, AccountRole, number]>([
    ["administrator", "manager", 201],
    ["administrator", "administrator", 403],
    ["administrator", "owner", 403],
    ["owner", "administrator", 201],
    ["owner", "owner", 403],
    ["manager", "person", 403],
    ["person", "person", 403],
  ])("P4 creating an invitation as a %s with the role %s answers %i", async (by, role, status) => {
    const { token } = await signUpAs(by);
    const response = await post(administrationPaths.invitations, { role }, token);
    expect(response.status).toBe(status);
    if (status === 403) expect(await problemOf(response)).toMatchObject({ code: "not-permitted" });
  });
});

describe("list of invitations", () => {
  it("the list of invitations shows state and registered accounts, newest first and by page", async () => {
    const ada = await signUpAs("administrator");
    const used = await invite(app, ada);
    const { id, username } = await join(used.key);
    const revoked = await invite(app, ada, { uses: 2 });
    const pending = register(revoked.key);
    await pending.answer;
    const url = administrationPaths.invitation(revoked.invitation.id);
    for (const _again of [0, 1]) expect((await app.call("DELETE", url, { token: ada.token })).status).toBe(204);
    const expired = await invite(app, ada, { lifeMs: HOUR });
    const active = await invite(app, ada, { lifeMs: HOUR + 1, address: "Ada.King@Example.org" });
    clock.advance(HOUR);
    const at = clock.now() - HOUR;
    const newest = await list(ada);
    expect(newest.slice(0, 4)).toMatchObject([
      { id: active.invitation.id, state: "active", address: "Ada.King@example.org", usesMax: 1 },
      { id: expired.invitation.id, state: "expired" },
      { state: "revoked", uses: 1, users: [{ username: pending.person.username, at, isVerified: false }] },
      { state: "used", uses: 1, users: [{ id, username, at, isVerified: true }] },
    ]);
    expect(await list(ada, `?before=${expired.invitation.id}`)).toEqual(newest.slice(2));
    expect((await auditOf(revoked.invitation.id)).map(({ kind }) => kind)).toEqual([
      "invitation-created",
      "invitation-revoked",
    ]);
  });

  it("the list of invitations has pages of 50", async () => {
    const ada = await signUpAs("administrator");
    for (let count = 0; count < 51; count++) await invite(app, ada);
    const page = await list(ada);
    expect(page).toHaveLength(50);
    expect((await list(ada, `?before=${page.at(-1)?.id}`)).length).toBeGreaterThan(0);
  });

  it("an invitation of a deleted account shows its creator's id and gives no role", async () => {
    const [ada, eve] = [await signUpAs("owner"), await signUpAs("owner")];
    const { invitation, key } = await invite(app, eve, { role: "administrator" });
    await app.context.database.deleteFrom("users").where("id", "=", eve.user.id).execute();
    expect((await find(ada, invitation.id))?.createdBy).toEqual({ id: eve.user.id });
    expect(await (await open(key)).json()).toEqual({ productName: "Parley" });
    expect((await join(key)).role).toBeUndefined();
  });

  it("P1 an account revokes no invitation that it could not create", async () => {
    const [owner, ada] = [await signUpAs("owner"), await signUpAs("administrator")];
    const { invitation } = await invite(app, owner, { role: "administrator" });
    const revoke = ({ token }: TestAccount) =>
      app.call("DELETE", administrationPaths.invitation(invitation.id), { token }).then(codeOf);
    expect([await revoke(ada), (await find(owner, invitation.id))?.state]).toEqual(["not-permitted", "active"]);
    expect(await revoke(owner)).toBe(204);
  });

  it("invitations are removed 90 days after their end", async () => {
    const ada = await signUpAs("administrator");
    const { invitation } = await invite(app, ada, { lifeMs: HOUR });
    const sweep = () => removeLapsedFromAccounts(app.context, clock.now());
    const isStored = async () => {
      const row = app.context.database.selectFrom("invitations").select("id").where("id", "=", invitation.id);
      return (await row.executeTakeFirst()) !== undefined;
    };
    clock.advance(HOUR + 90 * DAY - 1);
    await sweep();
    expect(await isStored()).toBe(true);
    clock.advance(1);
    await sweep();
    expect(await isStored()).toBe(false);
  });
});

describe("mail of an invitation", () => {
  const invited = async (by: TestAccount, body: NewInvitation) => {
    const created = await invite(app, by, body);
    return { ...created, mails: await filedMailsTo(app, body.address ?? "") };
  };

  it("the mail of an invitation has the inviter, the product, the expiry and the link, but not the note", async () => {
    const ada = await signUpAs("administrator");
    const address = newPerson().email;
    const { key, invitation, mails } = await invited(ada, { address, mail: true, note: "buy now" });
    expect(mails).toHaveLength(1);
    const [{ text = "", html = "", subject } = {}] = mails;
    expect(subject).toBe("Ada Lovelace invites you to Parley");
    const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(invitation.expiresAt);
    expect(text).toContain(date);
    const links = text.split("\n").filter((line) => line.includes("#invitation="));
    expect(links.map(invitationKeyIn)).toEqual([key]);
    expect(text + html).not.toContain("buy now");
    const rows = await app.context.database.selectFrom("mails").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key);
    expect((await join(key, { email: address })).emailVerified).toBe(true);
  });

  it("no invitation is mailed without `mail`, nor after a revocation", async () => {
    const ada = await signUpAs("administrator");
    expect((await invited(ada, { address: newPerson().email })).mails).toEqual([]);
    const address = newPerson().email;
    const { database, outbox } = app.context;
    const { invitation } = await invite(app, ada, { address });
    await app.call("DELETE", administrationPaths.invitation(invitation.id), { token: ada.token });
    const params = { invitationId: invitation.id };
    await outbox.enqueue(database, { template: "invitation", userId: ada.user.id, params });
    expect(await filedMailsTo(app, address)).toEqual([]);
  });

  it("mails of invitations are limited to 20 an hour for an account, and to 5 for a mailbox", async () => {
    await using limited = await startTestApp({ env: { RATE_LIMITS: "on" } });
    const [ada, eve] = [await signUpIn(limited, "administrator"), await signUpIn(limited, "administrator")];
    const statuses = async ({ token }: TestAccount, times: number, address: (at: number) => string) => {
      const answers = [];
      for (let at = 0; at < times; at++) {
        const body = { address: address(at), mail: true };
        answers.push((await limited.call("POST", administrationPaths.invitations, { token, body })).status);
      }
      return answers;
    };
    expect(await statuses(ada, 21, (at) => `person${at}@example.org`)).toEqual([...Array(20).fill(201), 429]);
    expect(await statuses(eve, 6, (at) => `victim+${at}@example.org`)).toEqual([...Array(5).fill(201), 429]);
    const body = { address: "person@example.org" };
    expect((await limited.call("POST", administrationPaths.invitations, { token: ada.token, body })).status).toBe(201);
  });
});

describe("registration with an invitation", () => {
  it("an invitation admits registrations while registration is closed, and of other domains", async () => {
    const ada = await signUpAs("administrator");
    const { key, invitation } = await invite(app, ada, { uses: 2 });
    expect(receivedInvitationSchema.parse(await (await open(key)).json())).toEqual({
      inviter: "Ada Lovelace",
      productName: "Parley",
    });
    const { id, role } = await join(key);
    expect(role).toBeUndefined();
    const used = { kind: "invitation-used", actor: null, after: JSON.stringify({ invitation: invitation.id }) };
    expect(await auditOf(id)).toMatchObject([used]);
    await using limited = await startTestApp({ env: { REGISTRATION_DOMAINS: "example.com" } });
    const other = await invite(limited, await signUpIn(limited, "administrator"));
    const ask = (body: object) => limited.call("POST", accountPaths.register, { body });
    expect(await codeOf(await ask(newPerson()))).toBe("registration-domain");
    expect(await codeOf(await ask({ ...newPerson(), invitation: other.key }))).toBe(201);
  });

  it("P4 a closed registration refuses an absent and a wrong invitation key", async () => {
    expect(await codeOf(await register(undefined).answer)).toBe("registration-closed");
    for (const key of ["", "x", "x".repeat(22), "\ud800"]) {
      expect(await codeOf(await register(key).answer)).toBe("bad-invitation");
    }
  });

  it("an invitation gives its role at the verification, and the record names the inviter", async () => {
    const eve = await signUpAs("owner");
    const { key } = await invite(app, eve, { role: "administrator" });
    const { id, role } = await join(key);
    expect(role).toBe("administrator");
    expect(await auditOf(id)).toMatchObject([
      { kind: "invitation-used", actor: null },
      { kind: "role-changed", actor: eve.user.id, after: '{"role":"administrator"}' },
    ]);
  });

  it("P3 P4 no invitation gives ownership, not even one of an earlier version", async () => {
    const eve = await signUpAs("owner");
    const { key, invitation } = await invite(app, eve, { role: "administrator" });
    const rows = app.context.database.updateTable("invitations").set({ role: "owner" });
    await rows.where("id", "=", invitation.id).execute();
    expect((await join(key)).role).toBeUndefined();
  });

  it("P4 an invitation gives no role if it was revoked, or its inviter demoted or disabled, before the verification", async () => {
    const loseRight: ((by: TestAccount, id: string) => Promise<unknown>)[] = [
      (by) => giveRole(app, by, "person"),
      (by) => giveRole(app, by, "administrator"),
      ({ user }) =>
        app.context.database.updateTable("users").set({ disabled_at: 1 }).where("id", "=", user.id).execute(),
      ({ token }, id) => app.call("DELETE", administrationPaths.invitation(id), { token }),
    ];
    for (const lose of loseRight) {
      const eve = await signUpAs("owner");
      const { key, invitation } = await invite(app, eve, { role: "administrator" });
      const { person, answer } = register(key);
      expect((await answer).status).toBe(201);
      await lose(eve, invitation.id);
      const response = await post(accountPaths.verify, { key: await mailedKey(app, person.email) });
      const { user } = signedInSchema.parse(await response.json());
      expect(user).not.toHaveProperty("role");
      expect((await auditOf(user.id)).map(({ kind }) => kind)).toEqual(["invitation-used"]);
    }
  });

  it("an account that expires unverified frees its use of an invitation; one that is deleted later does not", async () => {
    const ada = await signUpAs("administrator");
    const { key, invitation } = await invite(app, ada, { lifeMs: 30 * DAY });
    await register(key).answer;
    expect(await codeOf(await register(key).answer)).toBe("bad-invitation");
    clock.advance(7 * DAY);
    await removeLapsedFromAccounts(app.context, clock.now());
    const { id } = await join(key);
    await app.context.database.deleteFrom("users").where("id", "=", id).execute();
    expect(await codeOf(await register(key).answer)).toBe("bad-invitation");
    const rows = app.context.database.selectFrom("invitations").select("uses").where("id", "=", invitation.id);
    expect(await rows.executeTakeFirst()).toEqual({ uses: 1 });
  });

  it("P3 an expired account frees no use of an invitation into a deleted group", async () => {
    const ada = await signUpAs("administrator");
    const groupId = await insertTestGroup(app);
    const { key } = await invite(app, ada, { groupId, lifeMs: 30 * DAY });
    await register(key).answer;
    const deletion = await app.call("DELETE", administrationPaths.group(groupId), { token: ada.token });
    expect(await deletion.json()).toEqual({ members: 0, invitations: 1 });
    clock.advance(7 * DAY);
    await removeLapsedFromAccounts(app.context, clock.now());
    expect(await codeOf(await register(key).answer)).toBe("bad-invitation");
  });

  it("a refused registration uses no invitation", async () => {
    const ada = await signUpAs("administrator");
    const { key } = await invite(app, ada);
    const taken = { ...newPerson(), username: ada.user.username, invitation: key };
    expect(await codeOf(await post(accountPaths.register, taken))).toBe("username-taken");
    expect((await register(key).answer).status).toBe(201);
  });
});
