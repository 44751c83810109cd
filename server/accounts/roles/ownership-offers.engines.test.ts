import { afterAll, describe, expect, it } from "vitest";
import { signedInSchema, type User, userSchema } from "#contract/accounts/accounts.ts";
import { type CreatedOwnershipOffer, createdOwnershipOfferSchema } from "#contract/accounts/ownership.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { type AdministeredAccount, administeredAccountSchema } from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { DAY } from "#contract/limits.ts";
import { accountContextOf } from "../../../testing/accounts/account-context.ts";
import { filedMailsTo } from "../../../testing/accounts/filed-mails.ts";
import { giveRole, signUpAs } from "../../../testing/accounts/roles.ts";
import { signUp, signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, type TestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { problemOf } from "../../../testing/http/problem-of.ts";
import { newId } from "../../database/new-id.ts";
import type { MailRow, UserRow } from "../../database/schema.ts";
import { openAccountLetters, removeLapsedFromAccounts } from "../accounts.ts";
import { setRights } from "../administration/account-rights.ts";
import { commandLine } from "../administration/administrator.ts";
import { missingOwner } from "./missing-owner.ts";

const clock = new TestClock();
const env = { PUBLIC_URL: "https://chat.example.org", RATE_LIMITS: "off" };
const app = disposeAfterAll(await startTestApp({ clock, env }));
const keys: string[] = [];

afterAll(() => {
  expect(keys.length).toBeGreaterThan(5);
  for (const key of keys) expect(app.logLines.join("")).not.toContain(key);
});

const post = (by: TestAccount, { user }: Pick<TestAccount, "user">, body: unknown = { staysOwner: true }, at = app) =>
  at.call("POST", administrationPaths.ownershipOffer(user.id), { token: by.token, body });
const withdraw = (by: TestAccount, { user }: TestAccount) =>
  app.call("DELETE", administrationPaths.ownershipOffer(user.id), { token: by.token });
const codeOf = async (response: Response) => (response.ok ? response.status : (await problemOf(response)).code);

/** Offers ownership. @returns the answer, with the key of its link */
async function offer(by: TestAccount, to: TestAccount, staysOwner = true, at = app) {
  const response = await post(by, to, { staysOwner }, at);
  expect(response.status).toBe(201);
  const created: CreatedOwnershipOffer = createdOwnershipOfferSchema.parse(await response.json());
  const key = new URLSearchParams(new URL(created.link).hash.slice(1)).get("key") ?? "";
  keys.push(key);
  return { ...created, key };
}

/** Opens a link. @returns the new role, or the code of the refusal */
async function accept({ token }: TestAccount, key: string, at: TestApp = app): Promise<User["role"] | string> {
  const response = await at.call("POST", administrationPaths.ownership, { token, body: { key } });
  return response.ok ? userSchema.parse(await response.json()).role : (await problemOf(response)).code;
}

async function rowOf({ user }: TestAccount): Promise<UserRow | undefined> {
  return app.context.database.selectFrom("users").selectAll().where("id", "=", user.id).executeTakeFirst();
}
const roleOf = async (account: TestAccount) => (await rowOf(account))?.role;
const change = ({ user }: TestAccount, columns: Partial<UserRow>) =>
  app.context.database.updateTable("users").set(columns).where("id", "=", user.id).execute();

async function recordsAbout({ user }: TestAccount) {
  const rows = await app.context.database
    .selectFrom("audit_events")
    .selectAll()
    .where("subject", "=", user.id)
    .orderBy("seq")
    .execute();
  return rows.map(({ kind, actor, before, after }) => [kind, actor, before, after]);
}

async function read(by: TestAccount, { user }: TestAccount): Promise<AdministeredAccount> {
  const response = await app.call("GET", administrationPaths.account(user.id), { token: by.token });
  return administeredAccountSchema.parse(await response.json());
}

describe("an offer of ownership", () => {
  it("P3 accepting an offer makes the account an owner, and both accounts see the record", async () => {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUpProved(app)];
    const created = await offer(ada, eve);
    expect(created.link).toMatch(/^https:\/\/chat\.example\.org\/become-owner#key=[\w-]{22}$/);
    const expiresAt = clock.now() + 7 * DAY;
    const shown = { staysOwner: true, offeredBy: { id: ada.user.id, username: ada.user.username }, expiresAt };
    expect(created.offer).toEqual(shown);
    expect((await read(ada, eve)).ownershipOffer).toEqual(shown);
    expect(await roleOf(eve)).toBe("person");
    expect(await accept(eve, created.key)).toBe("owner");
    expect([await roleOf(ada), await roleOf(eve)]).toEqual(["owner", "owner"]);
    expect(await read(ada, eve)).not.toHaveProperty("ownershipOffer");
    expect(await recordsAbout(eve)).toEqual([
      ["ownership-offered", ada.user.id, null, JSON.stringify({ staysOwner: true, expiresAt })],
      ["role-changed", eve.user.id, '{"role":"person"}', '{"role":"owner"}'],
    ]);
  });

  it("P3 an offer can hand ownership over: the offering account becomes an administrator", async () => {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUpAs(app, "administrator")];
    const { key } = await offer(ada, eve, false);
    expect(await accept(eve, key)).toBe("owner");
    expect(await roleOf(ada)).toBe("administrator");
    expect(await recordsAbout(ada)).toEqual([
      ["role-changed", ada.user.id, '{"role":"owner"}', '{"role":"administrator"}'],
    ]);
    expect(await codeOf(await post(ada, await signUp(app)))).toBe("not-permitted");
  });

  it("P3 the last owner can hand ownership over, so that there is always an owner", async () => {
    await using own = await startTestApp({ clock, env });
    const [ada, eve] = [await signUpAs(own, "owner"), await signUpProved(own)];
    const { key } = await offer(ada, eve, false, own);
    expect(await accept(eve, key, own)).toBe("owner");
    const owners = own.context.database.selectFrom("users").select("id").where("role", "=", "owner");
    expect(await owners.execute()).toEqual([{ id: eve.user.id }]);
  });

  it("an offer is mailed to its account, with what happens to the offering one", async () => {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUpProved(app)];
    const { link } = await offer(ada, eve, false);
    const [mail] = await filedMailsTo(app, eve.user.email);
    expect(mail?.subject).toBe("Ada Lovelace offers you ownership of Parley");
    for (const text of [link, eve.user.username, "is an owner no longer", "8 January 2026"]) {
      expect(mail?.text).toContain(text);
    }
    expect((await filedMailsTo(app, ada.user.email)).length).toBe(0);
  });

  it("the offering account receives a mail when its offer is accepted", async () => {
    const [ada, bob, eve] = [await signUpAs(app, "owner"), await signUpProved(app), await signUpProved(app)];
    const mailsToAda = async () => (await filedMailsTo(app, ada.user.email)).map(({ text }) => text).join("\n");
    await accept(bob, (await offer(ada, bob)).key);
    // Read before the next offer, because a mail says the role at its delivery.
    expect(await mailsToAda()).toMatch(new RegExp(`“${bob.user.username}”.*an owner, too[^]*/people/${bob.user.id}`));
    await accept(eve, (await offer(ada, eve, false)).key);
    expect(await mailsToAda()).toMatch(
      new RegExp(`“${eve.user.username}”.*administrator now[^]*/people/${eve.user.id}`),
    );
  });

  it("an offer is not mailed any more once it was withdrawn or replaced", async () => {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUpProved(app)];
    await offer(ada, eve);
    const idOf = async () => {
      const rows = app.context.database.selectFrom("ownership_offers").select("id").where("user_id", "=", eve.user.id);
      return (await rows.executeTakeFirst())?.id ?? "";
    };
    const { config, database, ...settings } = app.context;
    const compose = (offerId: string) => {
      const mail = { id: "", user_id: eve.user.id, template: "ownership-offer", params: JSON.stringify({ offerId }) };
      return openAccountLetters(config, settings)(database, mail as MailRow, clock.now());
    };
    const first = await idOf();
    expect(await compose(first)).not.toBeNull();
    await offer(ada, eve);
    const second = await idOf();
    expect([await compose(first), (await compose(second))?.to]).toEqual([null, eve.user.email]);
    await withdraw(ada, eve);
    expect(await compose(second)).toBeNull();
  });

  it("an offer requires whether the offering account stays an owner", async () => {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUpProved(app)];
    for (const body of [{}, { staysOwner: "yes" }]) {
      const problem = await problemOf(await post(ada, eve, body));
      expect([problem.code, problem.issues?.map(({ field }) => field)]).toEqual(["invalid-input", ["staysOwner"]]);
    }
  });

  it("the sweep removes an offer at its end", async () => {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUpProved(app)];
    await offer(ada, eve);
    const offers = app.context.database.selectFrom("ownership_offers").select("id").where("user_id", "=", eve.user.id);
    await removeLapsedFromAccounts(app.context, clock.now() + 7 * DAY - 1);
    expect(await offers.execute()).toHaveLength(1);
    await removeLapsedFromAccounts(app.context, clock.now() + 7 * DAY);
    expect(await offers.execute()).toEqual([]);
  });
});

describe("P3 accounts that cannot be offered ownership", () => {
  const refused: Record<string, (ada: TestAccount) => Promise<TestAccount>> = {
    "an owner": () => signUpAs(app, "owner"),
    "the own account": async (ada) => ada,
    unverified: async () => changed({ verified_at: null }),
    disabled: async () => changed({ disabled_at: 1 }),
    "to be deleted": async () => changed({ delete_at: clock.now() + DAY }),
  };
  async function changed(columns: Partial<UserRow>): Promise<TestAccount> {
    const account = await signUp(app);
    await change(account, columns);
    return account;
  }

  it.each(Object.keys(refused))("refuses to offer ownership to an account that is %s", async (name) => {
    const ada = await signUpAs(app, "owner");
    const other = (await refused[name]?.(ada)) ?? ada;
    expect(await codeOf(await post(ada, other))).toBe("not-permitted");
    expect(await recordsAbout(other)).toEqual([]);
    expect(await filedMailsTo(app, other.user.email)).toEqual([]);
  });

  it("offering ownership to an unknown account, or one whose deletion is due, answers not-found", async () => {
    const ada = await signUpAs(app, "owner");
    expect(await codeOf(await post(ada, { user: { ...ada.user, id: newId() } }))).toBe("not-found");
    expect(await codeOf(await post(ada, await changed({ delete_at: 0 })))).toBe("not-found");
  });
});

describe("P3 keys of offers that are not valid any more", () => {
  /** Ways in which an offer cannot be used any more. */
  const spoilt: Record<string, (ada: TestAccount, eve: TestAccount) => Promise<unknown>> = {
    withdrawn: async (ada, eve) => expect((await withdraw(ada, eve)).status).toBe(204),
    "withdrawn by another owner": async (_, eve) => withdraw(await signUpAs(app, "owner"), eve),
    replaced: (ada, eve) => offer(ada, eve),
    "of an account that was demoted": (ada) => giveRole(app, ada, "administrator"),
    "of an account that was disabled": (ada) => change(ada, { disabled_at: 1 }),
    "of an account that is to be deleted": (ada) => change(ada, { delete_at: clock.now() + DAY }),
    "of an account that is gone": ({ user }) =>
      app.context.database.deleteFrom("users").where("id", "=", user.id).execute(),
    "to an account that became an owner": (_, eve) => giveRole(app, eve, "owner"),
  };

  it.each(Object.keys(spoilt))("refuses the key of an offer that is %s", async (name) => {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUpProved(app)];
    const { key } = await offer(ada, eve, false);
    await spoilt[name]?.(ada, eve);
    const before = [await roleOf(ada), await roleOf(eve)];
    expect(await accept(eve, key)).toBe("bad-link");
    expect([await roleOf(ada), await roleOf(eve)]).toEqual(before);
    expect((await recordsAbout(eve)).map(([kind]) => kind)).not.toContain("role-changed");
  });

  it("refuses the key of an offer whose account lost ownership meanwhile, even if it is an owner again", async () => {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUpProved(app)];
    await signUpAs(app, "owner");
    const { key } = await offer(ada, eve);
    await setRights(accountContextOf(app), ada.user.id, { role: "administrator", by: commandLine });
    await setRights(accountContextOf(app), ada.user.id, { role: "owner", by: commandLine });
    expect(await accept(eve, key)).toBe("bad-link");
  });

  it("refuses the key of an offer after its end", async () => {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUpProved(app)];
    const { key } = await offer(ada, eve);
    // A session that has been used lately.
    const signedIn = async () => {
      const body = { username: eve.user.username, password: eve.password };
      const response = await app.call("POST", accountPaths.login, { body });
      return { ...eve, token: signedInSchema.parse(await response.json()).access_token };
    };
    clock.advance(7 * DAY - 1);
    const late = await signedIn();
    expect((await read(await signUpAs(app, "owner"), eve)).ownershipOffer).toBeDefined();
    clock.advance(1);
    expect(await accept(late, key)).toBe("bad-link");
    expect((await withdraw(await signUpAs(app, "owner"), eve)).status).toBe(204);
    expect((await recordsAbout(eve)).map(([kind]) => kind)).toEqual(["ownership-offered"]);
    expect(await roleOf(eve)).toBe("person");
  });

  it("refuses the key of an offer from any other account, with the answer for an unknown key", async () => {
    const [ada, eve, mallory] = [await signUpAs(app, "owner"), await signUpProved(app), await signUpProved(app)];
    const { key } = await offer(ada, eve, false);
    const seen = async (by: TestAccount, given: string) => {
      const response = await app.call("POST", administrationPaths.ownership, { token: by.token, body: { key: given } });
      return [response.status, await response.text()];
    };
    const unknown = await seen(mallory, "x".repeat(22));
    for (const given of [key, key.slice(1), `${key}x`, key.toLowerCase(), ""]) {
      expect(await seen(mallory, given)).toEqual(unknown);
    }
    expect(await seen(ada, key)).toEqual(unknown);
    expect([await roleOf(mallory), await roleOf(ada)]).toEqual(["person", "owner"]);
    expect(await accept(eve, key)).toBe("owner");
  });

  it("refuses the key of an offer a second time", async () => {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUpProved(app)];
    const { key } = await offer(ada, eve);
    expect(await accept(eve, key)).toBe("owner");
    expect(await accept(eve, key)).toBe("bad-link");
    await giveRole(app, eve, "person");
    expect(await accept(eve, key)).toBe("bad-link");
  });

  it("refuses the key of an offer without a session, and without a recent proof", async () => {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUp(app)];
    const { key } = await offer(ada, eve);
    expect(await accept(eve, key)).toBe("proof-needed");
    expect(await codeOf(await app.call("POST", administrationPaths.ownership, { body: { key } }))).toBe(
      "not-signed-in",
    );
  });
});

it("P3 one of several concurrent uses of an offer's key succeeds", async () => {
  for (const staysOwner of [true, false]) {
    const [ada, eve] = [await signUpAs(app, "owner"), await signUpProved(app)];
    const { key } = await offer(ada, eve, staysOwner);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => accept(eve, key)));
    expect(outcomes.sort()).toEqual([...Array<string>(5).fill("bad-link"), "owner"]);
    expect((await recordsAbout(eve)).map(([kind]) => kind)).toEqual(["ownership-offered", "role-changed"]);
  }
});

it("P3 an offer that is accepted while it is withdrawn, or while its owner is demoted, has one outcome", async () => {
  for (let round = 0; round < 6; round++) {
    const [ada, eve, boss] = [await signUpAs(app, "owner"), await signUpProved(app), await signUpAs(app, "owner")];
    const { key } = await offer(ada, eve, false);
    const demote = () =>
      app.call("PATCH", administrationPaths.account(ada.user.id), { token: boss.token, body: { role: "person" } });
    const [outcome, other] = await Promise.all([accept(eve, key), round % 2 === 0 ? withdraw(boss, eve) : demote()]);
    expect(["owner", "bad-link"]).toContain(outcome);
    expect([200, 204]).toContain(other.status);
    expect(await roleOf(eve)).toBe(outcome === "owner" ? "owner" : "person");
  }
});

it("P3 two owners who hand over to each other's successors at once cause no deadlock", async () => {
  const [ada, eve] = [await signUpAs(app, "owner"), await signUpAs(app, "owner")];
  const [bob, cid] = [await signUpProved(app), await signUpProved(app)];
  const [one, two] = [await offer(ada, bob, false), await offer(eve, cid, false)];
  expect(await Promise.all([accept(bob, one.key), accept(cid, two.key)])).toEqual(["owner", "owner"]);
  expect([await roleOf(ada), await roleOf(eve)]).toEqual(["administrator", "administrator"]);
});

it("P3 only owners offer ownership and withdraw offers, and a withdrawal without an offer is no record", async () => {
  const [ada, eve] = [await signUpAs(app, "owner"), await signUpProved(app)];
  await offer(ada, eve);
  for (const role of ["person", "manager", "administrator"] as const) {
    const other = await signUpAs(app, role);
    expect([await codeOf(await post(other, eve)), await codeOf(await withdraw(other, eve))]).toEqual([
      "not-permitted",
      "not-permitted",
    ]);
  }
  for (let count = 0; count < 2; count++) expect((await withdraw(ada, eve)).status).toBe(204);
  expect((await recordsAbout(eve)).map(([kind]) => kind)).toEqual(["ownership-offered", "ownership-offer-withdrawn"]);
});

it("P3 B2 guesses of keys of offers and of the console's key are limited", async () => {
  await using limited = await startTestApp({ clock, env: { ...env, RATE_LIMITS: "on" } });
  const ada = await signUpProved(limited);
  const guess = async () =>
    (await limited.call("POST", administrationPaths.ownership, { token: ada.token, body: { key: "x" } })).status;
  const statuses = [];
  for (let count = 0; count < 31; count++) statuses.push(await guess());
  expect(statuses).toEqual([...Array(30).fill(400), 429]);
  const { config, database, secretKey } = limited.context;
  const [, key = ""] = /key=([\w-]+)/.exec((await missingOwner(config, database, secretKey)) ?? "") ?? [];
  expect(await accept(ada, key, limited)).toBe("owner");
});
