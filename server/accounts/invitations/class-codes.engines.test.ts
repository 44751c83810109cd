import { describe, expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { CLASS_CODE_TRIES_MAX, exchangedClassCodeSchema } from "#contract/administration/class-codes.ts";
import {
  CLASS_CODE_LIFE_MAX_MS,
  invitationListSchema,
  type NewInvitation,
} from "#contract/administration/invitations.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { HOUR, MINUTE } from "#contract/limits.ts";
import { mailedKey } from "../../../testing/accounts/filed-mails.ts";
import { insertTestGroup, moveToGroup } from "../../../testing/accounts/groups.ts";
import { invite } from "../../../testing/accounts/invitations.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { newPerson, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { whileBusy } from "../../../testing/chats/while-busy.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";

const clock = new TestClock();
// Tries of class codes are limited all the same.
const env = {
  ...{ REGISTRATION: "closed", PUBLIC_URL: "https://chat.example.org", RATE_LIMITS: "off" },
  ...{ TRUST_PROXY: "true", TRUSTED_NETWORKS: "192.0.2.0/24" },
};
const app = disposeAfterAll(await startTestApp({ clock, env }));
const { database } = app.context;
const INSIDE = "192.0.2.7";

let networks = 0;
/** Returns the address of another network. */
const newNetwork = () => `2001:db8:${(++networks).toString(16)}::1`;
const deviceOf = (number: number) => `${number}`.padStart(22, "d");

type Sender = { ip?: string; device?: string };
const headersOf = ({ ip = newNetwork(), device }: Sender) => ({
  "x-forwarded-for": ip,
  ...(device !== undefined && { cookie: `__Host-parley-device=${device}` }),
});
const enter = (code: string, sender: Sender = {}) =>
  app.call("POST", accountPaths.classCode, { body: { code }, headers: headersOf(sender) });
const register = (invitation: string, sender: Sender = {}) => {
  const person = newPerson();
  const answer = app.call("POST", accountPaths.register, {
    body: { ...person, invitation },
    headers: headersOf(sender),
  });
  return { person, answer };
};
const codeOf = async (response: Response) => (response.ok ? response.status : (await problemOf(response)).code);
const countsOf = async (answers: readonly Promise<Response>[]) => {
  const codes = await Promise.all(answers.map(async (answer) => codeOf(await answer)));
  return Object.fromEntries(Object.entries(Object.groupBy(codes, String)).map(([code, all]) => [code, all?.length]));
};
const times = <T>(count: number, call: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => call(at));
const WRONG = "0000-0000";

async function newCode(body: NewInvitation = {}, by?: TestAccount) {
  const owner = by ?? (await signUpAs(app, "owner"));
  const { code = "", ...created } = await invite(app, owner, { classCode: true, ...body });
  const tries = async () => {
    const row = database.selectFrom("class_codes").select("tries").where("invitation_id", "=", created.invitation.id);
    return (await row.executeTakeFirst())?.tries;
  };
  const revoke = () =>
    app.call("DELETE", administrationPaths.invitation(created.invitation.id), { token: owner.token });
  const listed = async () => {
    const response = await app.call("GET", administrationPaths.invitations, { token: owner.token });
    const { invitations } = invitationListSchema.parse(await response.json());
    return invitations.find(({ id }) => id === created.invitation.id);
  };
  return { ...created, code, owner, tries, revoke, listed };
}

describe("creation of a class code", () => {
  it("creating a class code returns it once, for 40 persons and one hour unless stated otherwise", async () => {
    const { code, invitation, listed } = await newCode();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const expected = { usesMax: 40, role: "person", expiresAt: clock.now() + HOUR };
    expect(invitation).toMatchObject({ ...expected, classCode: { isDead: false, trustedOnly: false } });
    expect(await listed()).toEqual(invitation);
    const lessons = await newCode({ uses: 1000, lifeMs: CLASS_CODE_LIFE_MAX_MS, trustedOnly: true });
    expect(lessons.invitation).toMatchObject({ usesMax: 1000, classCode: { trustedOnly: true } });
  });

  it.each<[string, Record<string, unknown>]>([
    ["lifeMs", { classCode: true, lifeMs: CLASS_CODE_LIFE_MAX_MS + 1 }],
    ["role", { classCode: true, role: "manager" }],
    ["role", { classCode: true, role: "administrator" }],
    ["address", { classCode: true, address: "ada@example.org", uses: 1 }],
    ["uses", { classCode: true, uses: 1001 }],
    ["trustedOnly", { trustedOnly: true }],
  ])("P4 refuses a class code with an invalid %s: %j", async (field, body) => {
    const { token } = await signUpAs(app, "owner");
    const refused = await app.call("POST", administrationPaths.invitations, { token, body });
    expect(refused.status).toBe(400);
    expect((await problemOf(refused)).issues).toMatchObject([{ field }]);
  });

  it("P4 the database has no class code, only an HMAC that other servers could not compute", async () => {
    const { code, invitation, listed } = await newCode();
    const row = database.selectFrom("class_codes").selectAll().where("invitation_id", "=", invitation.id);
    const stored = await row.executeTakeFirstOrThrow();
    expect(stored.code_hash).toMatch(/^[0-9a-f]{64}$/);
    const dump = JSON.stringify([
      stored,
      await database.selectFrom("invitations").selectAll().execute(),
      await listed(),
    ]);
    expect(dump).not.toContain(code);
    expect(dump).not.toContain(code.replace("-", ""));
    await using other = await startTestApp({ env });
    const unknown = await other.call("POST", accountPaths.classCode, { body: { code } });
    expect(unknown.status).toBe(400);
    expect(app.logLines.join("")).not.toContain(code);
  });

  it("P4 a manager makes class codes for their own group only", async () => {
    const groupId = await insertTestGroup(app);
    const manager = await signUpAs(app, "manager");
    await moveToGroup(app, groupId, manager);
    const { invitation } = await newCode({}, manager);
    expect(invitation.group?.id).toBe(groupId);
    const body = { classCode: true, groupId: await insertTestGroup(app) };
    const refused = await app.call("POST", administrationPaths.invitations, { token: manager.token, body });
    expect(await codeOf(refused)).toBe("not-permitted");
  });
});

describe("exchange of a class code", () => {
  it("a class code is exchanged for the key of its link, and registers persons into its group", async () => {
    const groupId = await insertTestGroup(app);
    const { code, key, listed, tries } = await newCode({ groupId, uses: 2 });
    const answer = exchangedClassCodeSchema.parse(await (await enter(code)).json());
    expect(answer).toEqual({ key, inviter: "Ada Lovelace", productName: "Parley" });
    expect([await tries(), (await listed())?.uses]).toEqual([0, 0]);
    const { person, answer: registered } = register(answer.key);
    expect((await registered).status).toBe(201);
    const verified = await app.call("POST", accountPaths.verify, { body: { key: await mailedKey(app, person.email) } });
    const { user } = signedInSchema.parse(await verified.json());
    expect(user).not.toHaveProperty("role");
    const row = database.selectFrom("users").select("group_id").where("id", "=", user.id);
    expect(await row.executeTakeFirst()).toEqual({ group_id: groupId });
  });

  it("a class code is read in any case, with spaces or look-alikes", async () => {
    const { code, tries } = await newCode();
    const lookAlike = code.replaceAll("0", "o").replaceAll("1", "l").replaceAll("V", "u");
    for (const typed of [code.toLowerCase(), code.replace("-", " "), ` ${code.replace("-", "")} `, lookAlike]) {
      expect([typed, (await enter(typed)).status]).toEqual([typed, 200]);
    }
    expect(await tries()).toBe(0);
  });

  it("the exchange of a class code gives a browser its device cookie, which gives no new tries", async () => {
    await using site = await startTestApp();
    const [browser, ...fresh] = times(6, () => new TestBrowser(site));
    const wrong = (by = browser) => by?.call("POST", accountPaths.classCode, { code: WRONG });
    expect((await wrong())?.status).toBe(400);
    expect([...(browser?.cookies.keys() ?? [])]).toContain("parley-device");
    // Five browsers without a cookie count as one device.
    const answers = [];
    for (const each of fresh) answers.push((await wrong(each))?.status);
    expect(answers).toEqual([400, 400, 400, 400, 429]);
    expect((await wrong())?.status).toBe(400);
  });

  /** Class codes that cannot be used, by the reason. */
  const unusable: Record<string, () => Promise<string>> = {
    malformed: async () => "ABCD",
    expired: async () => {
      const { code } = await newCode({ lifeMs: CLASS_CODE_LIFE_MAX_MS });
      clock.advance(CLASS_CODE_LIFE_MAX_MS - 1);
      expect((await enter(code)).status).toBe(200);
      clock.advance(1);
      return code;
    },
    used: async () => {
      const { code, key } = await newCode({ uses: 1 });
      expect((await register(key).answer).status).toBe(201);
      return code;
    },
    revoked: async () => {
      const { code, revoke } = await newCode();
      expect((await revoke()).status).toBe(204);
      return code;
    },
    dead: async () => {
      const { code, invitation } = await newCode();
      const row = database.updateTable("class_codes").set({ tries: CLASS_CODE_TRIES_MAX });
      await row.where("invitation_id", "=", invitation.id).execute();
      return code;
    },
    "for trusted networks": async () => (await newCode({ trustedOnly: true })).code,
  };

  it.each(Object.keys(unusable))(
    "P4 a class code that is %s is answered and counted like an unknown one",
    async (reason) => {
      const code = (await unusable[reason]?.()) ?? "";
      const other = await newCode();
      const seen = async (answer: Response) => {
        const headers = [...answer.headers].filter(([name]) => name !== "date" && name !== "x-request-id");
        return [answer.status, await answer.text(), headers];
      };
      const refused = await seen(await enter(code));
      expect(refused).toEqual(await seen(await enter(WRONG)));
      expect(refused[0]).toBe(400);
      expect(await other.tries()).toBe(2);
      const ip = newNetwork();
      expect(await countsOf(times(7, () => enter(code, { ip })))).toEqual({
        "bad-class-code": 5,
        "too-many-requests": 2,
      });
    },
  );
});

describe("limits of class codes", () => {
  it("P4 exactly 10 of 200 wrong codes at once from one network are compared, and count against every code", async () => {
    const { code, tries } = await newCode();
    const ip = newNetwork();
    const wrong = times(200, (at) => enter(WRONG, { ip, device: deviceOf(at % 40) }));
    expect(await countsOf(wrong)).toEqual({ "bad-class-code": 10, "too-many-requests": 190 });
    expect(await tries()).toBe(10);
    const refused = await enter(code, { ip, device: deviceOf(50) });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    clock.advance(MINUTE);
    expect((await enter(code, { ip })).status).toBe(200);
  });

  it("P4 wrong codes are limited inside trusted networks too", async () => {
    const wrong = times(20, (at) => enter(WRONG, { ip: INSIDE, device: deviceOf(at) }));
    expect(await countsOf(wrong)).toEqual({ "bad-class-code": 10, "too-many-requests": 10 });
    clock.advance(MINUTE);
  });

  it("P4 one device has five wrong codes a minute, and leaves the others of its network theirs", async () => {
    const { code } = await newCode();
    const ip = newNetwork();
    const wrong = times(30, () => enter(WRONG, { ip, device: deviceOf(1) }));
    expect(await countsOf(wrong)).toEqual({ "bad-class-code": 5, "too-many-requests": 25 });
    expect(await codeOf(await enter(code, { ip, device: deviceOf(1) }))).toBe("too-many-requests");
    expect((await enter(code, { ip, device: deviceOf(2) })).status).toBe(200);
    expect(await countsOf(times(9, () => enter(WRONG, { ip })))).toEqual({
      "bad-class-code": 5,
      "too-many-requests": 4,
    });
  });

  it("a class of 60 that enters the right code at once is not refused", async () => {
    const { code, tries } = await newCode({ uses: 60 });
    const ip = newNetwork();
    expect(await countsOf(times(60, () => whileBusy(app, () => enter(code, { ip }))))).toEqual({ 200: 60 });
    expect(await tries()).toBe(0);
  });

  it("P4 a class code is dead after 1,000 wrong codes of all networks, and its link still works", async () => {
    const { code, key, invitation, tries, listed } = await newCode();
    const row = database.updateTable("class_codes").set({ tries: CLASS_CODE_TRIES_MAX - 5 });
    await row.where("invitation_id", "=", invitation.id).execute();
    const younger = await newCode();
    expect((await enter(code)).status).toBe(200);
    expect(await countsOf(times(20, () => enter(WRONG)))).toEqual({ "bad-class-code": 20 });
    expect(await tries()).toBe(CLASS_CODE_TRIES_MAX);
    expect(await codeOf(await enter(code))).toBe("bad-class-code");
    expect(await listed()).toMatchObject({ state: "active", classCode: { isDead: true } });
    expect((await enter(younger.code)).status).toBe(200);
    expect(await codeOf(await register(key).answer)).toBe(201);
  });
});

describe("class codes for trusted networks", () => {
  it("P4 a class code for trusted networks is exchanged and used inside them only", async () => {
    const { code, key } = await newCode({ trustedOnly: true });
    expect(await codeOf(await enter(code))).toBe("bad-class-code");
    expect(await (await enter(code, { ip: INSIDE })).json()).toMatchObject({ key });
    const open = (ip: string) =>
      app.call("POST", accountPaths.invitation, { body: { key }, headers: headersOf({ ip }) });
    expect([(await open(INSIDE)).status, await codeOf(await open(newNetwork()))]).toEqual([200, "bad-invitation"]);
    expect(await codeOf(await register(key).answer)).toBe("bad-invitation");
    expect(await codeOf(await register(key, { ip: INSIDE }).answer)).toBe(201);
  });
});
