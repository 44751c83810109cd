import { describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { AccountRole } from "#contract/accounts/roles.ts";
import { bulkResultsSchema, INVITATIONS_AT_ONCE } from "#contract/administration/bulk-invitations.ts";
import { DAY, HOUR } from "#contract/limits.ts";
import { callBulk, inviteAll } from "../../../testing/accounts/bulk-invitations.ts";
import { insertTestGroup, moveToGroup } from "../../../testing/accounts/groups.ts";
import { invitationKeyIn, invite } from "../../../testing/accounts/invitations.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { newPerson, signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { loopIterations } from "../../../testing/app/loop-iterations.ts";
import { startTestApp, type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { startMailServer } from "../../../testing/servers/mail-server.ts";

const clock = new TestClock();
const mailServer = disposeAfterAll(await startMailServer());
const env = { REGISTRATION: "closed", PUBLIC_URL: "https://chat.example.org" };
const app = disposeAfterAll(await startTestApp({ clock, env: { ...env, RATE_LIMITS: "off" } }));
const limited = disposeAfterAll(
  await startTestApp({ clock, env: { ...env, RATE_LIMITS: "on", SMTP_URL: mailServer.url } }),
);

let lists = 0;
/** Returns addresses that no other test uses. */
const addresses = (count: number) => {
  const list = ++lists;
  return Array.from({ length: count }, (_, index) => `pupil${index}@list${list}.example.org`);
};
const outcomes = (results: readonly { outcome: string }[]) => results.map(({ outcome }) => outcome);
const countOf = (results: readonly { outcome: string }[], wanted: string) =>
  results.filter(({ outcome }) => outcome === wanted).length;
const rowOf = (id: string | undefined, by: TestApp = app) =>
  by.context.database
    .selectFrom("invitations")
    .selectAll()
    .where("id", "=", id ?? "")
    .executeTakeFirst();
const recordsOf = async (id: string | undefined) => {
  const rows = app.context.database
    .selectFrom("audit_events")
    .select("kind")
    .where("subject", "=", id ?? "");
  return (await rows.orderBy("seq").execute()).map(({ kind }) => kind);
};
/** Advances the clock; the session of an account has a fresh proof afterwards. */
const passTime = async (ms: number, { user }: TestAccount) => {
  clock.advance(ms);
  const sessions = limited.context.database.updateTable("sessions").where("user_id", "=", user.id);
  await sessions.set({ proved_at: clock.now() }).execute();
};
const mailsTo = (domain: string) => mailServer.mails.filter(({ recipients }) => recipients[0]?.endsWith(domain));

describe("a list of addresses", () => {
  it("each line of a list gets its own result, and a bad line does not stop the others", async () => {
    const owner = await signUpAs(app, "owner");
    const group = await insertTestGroup(app);
    const [ada = "", eve = "", mia = "", tom = ""] = addresses(4);
    const { invitation } = await invite(app, owner, { address: eve.toUpperCase(), groupId: group });
    const lines = [
      { address: ada, note: "Ada\n Lovelace" },
      { address: "nobody" },
      { address: ada.toUpperCase(), note: "Ada again" },
      { address: eve },
      { address: "" },
      { address: tom, note: "x".repeat(101) },
      { address: ada.replace("@", "+tag@") },
      { address: mia },
    ];
    const response = await callBulk(app, owner, { lines, groupId: group, lifeMs: 3 * DAY });
    const { results } = bulkResultsSchema.parse(await response.json());
    expect(outcomes(results)).toEqual([
      ...["invited", "invalid-address", "duplicate", "already-invited", "invalid-address", "invalid-note"],
      ...["invited", "invited"],
    ]);
    expect(results.map(({ address }) => address)).toEqual(lines.map(({ address }) => address));
    expect(results[3]).toEqual({ address: eve, outcome: "already-invited", id: invitation.id });
    const [first] = results;
    expect(await rowOf(first?.id)).toMatchObject({
      ...{ address: ada, note: "Ada  Lovelace", uses_max: 1, role: "person", group_id: group },
      ...{ created_by: owner.user.id, expires_at: clock.now() + 3 * DAY },
    });
    expect(await recordsOf(first?.id)).toEqual(["invitation-created"]);
    expect(new Set(results.map(({ link }) => link)).size).toBe(4);
  });

  it("P4 the link of each line registers its own address, once", async () => {
    const owner = await signUpAs(app, "owner");
    const [ada, eve] = [newPerson(), newPerson()];
    const [first] = await inviteAll(app, owner, [ada.email, eve.email]);
    const invitation = invitationKeyIn(first?.link ?? "");
    const register = (person: object) => app.call("POST", accountPaths.register, { body: { ...person, invitation } });
    expect((await problemOf(await register(eve))).code).toBe("invitation-address");
    expect((await register(ada)).status).toBe(201);
    expect((await problemOf(await register(ada))).code).toBe("bad-invitation");
  });

  it("a repeated list creates nothing twice, and continues where the first one ended", async () => {
    const owner = await signUpAs(app, "owner");
    const all = addresses(4);
    const first = await inviteAll(app, owner, all.slice(0, 2));
    const second = await inviteAll(app, owner, all);
    expect(outcomes(second)).toEqual(["already-invited", "already-invited", "invited", "invited"]);
    expect(second.slice(0, 2).map(({ id, link }) => [id, link])).toEqual(first.map(({ id }) => [id, undefined]));
  });

  it("an address is invited again into another group, and after its invitation has ended", async () => {
    const owner = await signUpAs(app, "owner");
    const [address = ""] = addresses(1);
    const into = async (groupId: string | null) => outcomes(await inviteAll(app, owner, [address], { groupId }));
    const group = await insertTestGroup(app);
    expect([await into(null), await into(group), await into(null)]).toEqual([
      ["invited"],
      ["invited"],
      ["already-invited"],
    ]);
    clock.advance(8 * DAY);
    const later = await signUpAs(app, "owner");
    expect(outcomes(await inviteAll(app, later, [address], { groupId: group }))).toEqual(["invited"]);
  });

  it("a list that replaces revokes the open invitations of its addresses, and makes new ones", async () => {
    const owner = await signUpAs(app, "owner");
    const all = addresses(2);
    const [old] = await inviteAll(app, owner, all.slice(0, 1));
    const replaced = await inviteAll(app, owner, all, { replace: true });
    expect(outcomes(replaced)).toEqual(["invited", "invited"]);
    expect(replaced[0]?.link).not.toBe(old?.link);
    expect((await rowOf(old?.id))?.revoked_at).toBe(clock.now());
    expect(await recordsOf(old?.id)).toEqual(["invitation-created", "invitation-revoked"]);
    const key = invitationKeyIn(old?.link ?? "");
    expect((await app.call("POST", accountPaths.invitation, { body: { key } })).status).toBe(400);
  });

  it("P7 a list replaces no invitation whose role the account may not give", async () => {
    const [owner, administrator] = [await signUpAs(app, "owner"), await signUpAs(app, "administrator")];
    const [address = ""] = addresses(1);
    const { invitation } = await invite(app, owner, { address, role: "administrator" });
    const results = await inviteAll(app, administrator, [address], { replace: true });
    expect(results).toEqual([{ address, outcome: "already-invited", id: invitation.id }]);
    expect((await rowOf(invitation.id))?.revoked_at).toBeNull();
  });

  it("concurrent requests with the same list create each invitation once", async () => {
    const owners = await Promise.all([1, 2, 3, 4].map(() => signUpAs(app, "owner")));
    const all = addresses(20);
    const lists = [all, all.toReversed(), all, all.toReversed()];
    const results = await Promise.all(owners.map((owner, at) => inviteAll(app, owner, lists[at] ?? [])));
    expect(countOf(results.flat(), "invited")).toBe(20);
    expect(countOf(results.flat(), "already-invited")).toBe(60);
  });

  it("K9 a request with the maximum of lines releases the event loop after each ten of them", async () => {
    const owner = await signUpAs(app, "owner");
    const all = addresses(INVITATIONS_AT_ONCE);
    const { result, iterations } = await loopIterations(() => inviteAll(app, owner, all, { mail: true }));
    expect(countOf(result, "invited")).toBe(INVITATIONS_AT_ONCE);
    // Once more for the records and mails of the lines.
    expect(iterations).toBeGreaterThan((2 * INVITATIONS_AT_ONCE) / 10 - 2);
  });

  it("K9 500 lines are invited by requests of the maximum, and one line more is refused", async () => {
    const owner = await signUpAs(app, "owner");
    const all = addresses(500);
    const results = [];
    for (let at = 0; at < all.length; at += INVITATIONS_AT_ONCE) {
      results.push(...(await inviteAll(app, owner, all.slice(at, at + INVITATIONS_AT_ONCE), { mail: true })));
    }
    expect(countOf(results, "invited")).toBe(500);
    const lines = addresses(INVITATIONS_AT_ONCE + 1).map((address) => ({ address }));
    expect((await callBulk(app, owner, { lines })).status).toBe(400);
    expect((await callBulk(app, owner, { lines: [] })).status).toBe(400);
  });
});

describe("the permissions of a list", () => {
  it.each<[AccountRole, AccountRole, number]>([
    ["administrator", "manager", 200],
    ["administrator", "administrator", 403],
    ["owner", "administrator", 200],
    ["owner", "owner", 403],
    ["manager", "person", 403],
    ["person", "person", 403],
  ])("P4 a list by a %s that gives the role %s answers %i", async (by, role, status) => {
    const account = await signUpAs(app, by);
    const lines = addresses(1).map((address) => ({ address }));
    const response = await callBulk(app, account, { lines, role });
    expect(response.status).toBe(status);
    if (status === 403) expect((await problemOf(response)).code).toBe("not-permitted");
  });

  it("P7 a manager invites a list of persons into the own group only", async () => {
    const [own, other] = [await insertTestGroup(app), await insertTestGroup(app)];
    const manager = await signUpAs(app, "manager");
    await moveToGroup(app, own, manager);
    const [address = ""] = addresses(1);
    const lines = [{ address }];
    for (const body of [{ groupId: other }, { groupId: null }, { role: "manager" as const }]) {
      expect((await problemOf(await callBulk(app, manager, { lines, ...body }))).code).toBe("not-permitted");
    }
    const [result] = await inviteAll(app, manager, [address]);
    expect((await rowOf(result?.id))?.group_id).toBe(own);
  });

  it("P7 a list does not show a manager invitations into other groups", async () => {
    const [own, other] = [await insertTestGroup(app), await insertTestGroup(app)];
    const [owner, manager] = [await signUpAs(app, "owner"), await signUpAs(app, "manager")];
    await moveToGroup(app, own, manager);
    const all = addresses(2);
    await inviteAll(app, owner, all.slice(0, 1), { groupId: other });
    await inviteAll(app, owner, all.slice(1));
    expect(outcomes(await inviteAll(app, manager, all, { replace: true }))).toEqual(["invited", "invited"]);
    expect(outcomes(await inviteAll(app, owner, all.slice(0, 1), { groupId: other }))).toEqual(["already-invited"]);
  });

  it("P7 a line whose address has an account is answered like any other", async () => {
    const { user } = await signUp(app);
    const [free = ""] = addresses(1);
    const [taken, other] = await inviteAll(app, await signUpAs(app, "administrator"), [user.email, free]);
    expect(Object.keys(taken ?? {})).toEqual(Object.keys(other ?? {}));
    expect([taken?.outcome, other?.outcome]).toEqual(["invited", "invited"]);
  });

  it("a list into an unknown group is refused as a whole", async () => {
    const lines = addresses(1).map((address) => ({ address }));
    const response = await callBulk(app, await signUpAs(app, "owner"), { lines, groupId: "none" });
    expect((await problemOf(response)).issues).toMatchObject([{ field: "groupId", rule: "invalid" }]);
  });
});

describe("the mails of a list", () => {
  it("a class of 34 is mailed at once, each address one mail with its own link", async () => {
    const owner = await signUpAs(limited, "owner");
    const all = addresses(34);
    const results = await inviteAll(limited, owner, all, { mail: true });
    expect(countOf(results, "invited")).toBe(34);
    const mails = await Promise.all(all.map((address) => mailServer.waitForMail(address)));
    for (const [at, { text }] of mails.entries()) expect(text).toContain(results[at]?.link);
    expect(outcomes(await inviteAll(limited, owner, all, { mail: true }))).toEqual(Array(34).fill("already-invited"));
    await limited.context.outbox.deliverDue();
    expect(mailsTo(all[0]?.split("@")[1] ?? "")).toHaveLength(34);
  });

  it("a list that is not mailed sends nothing and counts no mail", async () => {
    const owner = await signUpAs(limited, "owner");
    const all = addresses(3);
    for (let times = 0; times < 7; times++) {
      expect(countOf(await inviteAll(limited, owner, all, { replace: true }), "invited")).toBe(3);
    }
    await limited.context.outbox.deliverDue();
    expect(mailsTo(all[0]?.split("@")[1] ?? "")).toEqual([]);
  });

  it.each<[AccountRole, number]>([
    ["owner", 500],
    ["administrator", 500],
    ["manager", 100],
  ])("a list of a %s reports the lines beyond %i mails a day, and creates them the next day", async (role, most) => {
    const account = await signUpAs(limited, role);
    if (role === "manager") await moveToGroup(limited, await insertTestGroup(limited), account);
    const all = addresses(most + 5);
    const inviteEach = async () => {
      const results = [];
      for (let at = 0; at < all.length; at += INVITATIONS_AT_ONCE) {
        results.push(...(await inviteAll(limited, account, all.slice(at, at + INVITATIONS_AT_ONCE), { mail: true })));
      }
      return results;
    };
    const first = await inviteEach();
    expect(outcomes(first.slice(most))).toEqual(Array(5).fill("too-many-mails"));
    expect(countOf(first, "invited")).toBe(most);
    expect(first.at(-1)).toEqual({ address: all.at(-1), outcome: "too-many-mails" });
    await passTime(DAY, account);
    const second = await inviteEach();
    expect([countOf(second, "already-invited"), countOf(second, "invited")]).toEqual([most, 5]);
  });

  it("a mailbox gets five invitations an hour, and a line that it refuses is not counted for the account", async () => {
    const owner = await signUpAs(limited, "owner");
    const [address = "", other = ""] = addresses(2);
    const tagged = Array.from({ length: 7 }, (_, at) => address.replace("@", `+${at}@`));
    const first = await inviteAll(limited, owner, [...tagged, other], { mail: true });
    const refused = Array(2).fill("too-many-mails-to-address");
    expect(outcomes(first)).toEqual([...Array(5).fill("invited"), ...refused, "invited"]);
    await passTime(HOUR, owner);
    const second = await inviteAll(limited, owner, tagged, { mail: true });
    expect(outcomes(second)).toEqual([...Array(5).fill("already-invited"), "invited", "invited"]);
  });
});
