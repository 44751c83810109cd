import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import {
  ACCOUNTS_PAGE,
  type AccountList,
  type AccountsQuery,
  accountListSchema,
  type ListedAccount,
} from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { DAY, MINUTE } from "#contract/limits.ts";
import { insertTestGroup } from "../../testing/accounts/groups.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { newPerson, signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { insertTestIdentity } from "../../testing/administration/identity-providers.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { insertUser } from "../accounts/account-store.ts";
import { toPendingAccount } from "../accounts/registration/register.ts";
import { newId } from "../database/new-id.ts";
import type { UserRow } from "../database/schema.ts";
import { type CountedCall, countCalls } from "../usage/usage-store.ts";

const clock = new TestClock();
let app: TestApp;
let owner: TestAccount;
beforeAll(async () => {
  app = await startTestApp({ clock });
  owner = await signUpAs(app, "owner");
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (path: string, query: AccountsQuery = {}) =>
  app.call("GET", `${path}?${new URLSearchParams(query as Record<string, string>)}`, { token: owner.token });

async function list(query: AccountsQuery = {}): Promise<AccountList> {
  const response = await get(administrationPaths.accounts, query);
  return accountListSchema.parse(await response.json());
}

/** Inserts an account that nobody has used. */
async function insert(username: string, columns: Partial<UserRow> = {}): Promise<UserRow> {
  const now = clock.now();
  const user = { ...toPendingAccount(newPerson({ username }), "", now), verified_at: now, ...columns };
  await insertUser(app.context.database, user);
  return user;
}

const namesOf = ({ accounts }: AccountList) => accounts.map(({ username }) => username);

/** Reads all pages. */
async function listAll(query: AccountsQuery): Promise<ListedAccount[]> {
  const accounts: ListedAccount[] = [];
  for (let after: string | undefined; ; ) {
    const page = await list({ ...query, ...(after !== undefined && { after }) });
    accounts.push(...page.accounts);
    if (page.next === undefined) return accounts;
    after = page.next;
  }
}

it("the list shows an account with its role, state and storage, and no last use before the first", async () => {
  const row = await insert("shownfirst", { stored_bytes: 1234, quota_mb: 7, role: "manager" });
  const { accounts, total } = await list({ q: "shownfirst" });
  expect(total).toBe(1);
  expect(accounts).toEqual([
    {
      ...{ id: row.id, username: "shownfirst", firstname: "Ada", lastname: "Lovelace" },
      ...{ email: "shownfirst@example.org", role: "manager", state: "active", createdAt: row.created_at },
      ...{ storedBytes: 1234, quotaMb: 7, usage: { replies: 0 }, ways: ["password"] },
    },
  ]);
});

it("the last use of an account outlives its session, exact to a minute", async () => {
  const ada = await signUp(app);
  const seen = async () => (await list({ q: ada.user.id })).accounts[0]?.lastSeenAt;
  expect(await seen()).toBe(clock.now());
  clock.advance(MINUTE);
  await app.call("GET", accountPaths.me, { token: ada.token });
  const used = clock.now();
  expect(await seen()).toBe(used);
  clock.advance(MINUTE - 1);
  await app.call("POST", accountPaths.logout, { token: ada.token });
  expect(await seen()).toBe(used);
});

it("the list has the replies and the cost of each account in the current month, as do its page and the CSV", async () => {
  const { id, username } = await insert("spender");
  const now = clock.now();
  const shares = { cachedInputTokens: null, cacheWriteTokens: null, reasoningTokens: null };
  const known = { model: "GPT:test", inputTokens: 1, outputTokens: 1, ...shares, isEstimate: false, durationMs: 5 };
  const call = { ...known, costNanoUsd: 250_000_000, purpose: "reply" as const, at: now };
  const [first, second] = [newId(), newId()];
  const count = (...calls: CountedCall[]) => countCalls(app.context.database, id, calls);
  const repeated = { ...call, id: newId(), messageId: second };
  // Two calls of a reply in one statement, a further one later, and one that is stored twice.
  await count({ ...call, messageId: first }, { ...call, messageId: first, costNanoUsd: null });
  await count({ ...call, messageId: first }, repeated);
  await count(repeated, { ...call, purpose: "temporary" }, { ...call, purpose: "title", costNanoUsd: null });
  await count({ ...call, messageId: newId(), at: now - 40 * DAY });
  const usage = { replies: 3, cost: 1 };
  expect((await list({ q: username })).accounts[0]?.usage).toEqual(usage);
  const page = await (await get(administrationPaths.account(id))).json();
  expect(page).toMatchObject({ usage });
  expect((await (await get(administrationPaths.accountsCsv, { q: username })).text()).trim()).toMatch(
    /,3,1,"password"$/,
  );
});

it("the list shows and finds the ways by which an account signs in, and its page names its identities", async () => {
  const person = await signUp(app, { username: "manyways" });
  const { database } = app.context;
  const passkey = { name: "Phone", public_key: "eA", counter: 0, host: "127.0.0.1", created_at: 1 };
  for (const id of [newId(), newId()]) {
    const row = { ...passkey, id, user_id: person.user.id, last_used_at: null, restored_at: null };
    await database.insertInto("passkeys").values(row).execute();
  }
  const id = await insertTestIdentity(app, person, "https://login.example.org");
  await insert("byletter", { password_hash: null });
  await insert("bygoogle", { password_hash: null, google_subject: "subject" });
  const waysOf = async (q: string) => (await list({ q })).accounts.map(({ ways }) => ways);
  expect(await waysOf("manyways")).toEqual([["password", "passkey", "sso"]]);
  expect(await waysOf("byletter")).toEqual([[]]);
  expect(await waysOf("bygoogle")).toEqual([["google"]]);
  for (const way of ["passkey", "sso"] as const) {
    expect(await list({ way })).toMatchObject({ accounts: [{ username: "manyways" }], total: 1 });
  }
  expect(await list({ way: "google", q: "by" })).toMatchObject({ accounts: [{ username: "bygoogle" }], total: 1 });
  expect((await list({ way: "password", q: "by" })).total).toBe(0);
  const page = await (await get(administrationPaths.account(person.user.id))).json();
  expect(page).toMatchObject({ identities: [{ id, provider: "https://login.example.org", lastUsedAt: 2 }] });
});

describe("search of accounts", () => {
  it("a search finds part of a username, address or name in any case, and a whole id", async () => {
    const person = newPerson({ username: "Grasshopper", firstname: "Wilhelmina", lastname: "Orange" });
    const row = {
      ...toPendingAccount(person, "", clock.now()),
      email: "ruby@Gem.example",
      email_key: "ruby@gem.example",
    };
    await insertUser(app.context.database, row);
    for (const q of ["GRASSh", "hopper", "wilHEL", "orang", "ina oran", "RUBY@gem", "m.exam", row.id, " hopper "]) {
      expect([q, namesOf(await list({ q }))]).toEqual([q, ["Grasshopper"]]);
    }
    expect((await list({ q: row.id.slice(1) })).total).toBe(0);
  });

  it("a search treats no character as a wildcard, and an empty one finds all accounts", async () => {
    await insert("wildcards");
    for (const q of ["wild%", "wil_cards", "wild!", "\\", "'", "\u0000", "%"]) {
      expect([q, (await list({ q })).total]).toEqual([q, 0]);
    }
    expect((await list({ q: " " })).total).toBe((await list()).total);
  });

  it("the list filters by role and by state, of which the first that applies counts", async () => {
    const now = clock.now();
    await insert("stateactive", { role: "manager" });
    await insert("stateunverified", { verified_at: null });
    await insert("statedisabled", { disabled_at: now, verified_at: null });
    await insert("stateleaving", { delete_at: now + MINUTE, disabled_at: now });
    for (const state of ["active", "unverified", "disabled", "leaving"] as const) {
      const found = await list({ q: "state", state });
      expect(namesOf(found)).toEqual([`state${state}`]);
      expect(found.accounts[0]?.state).toBe(state);
    }
    expect(namesOf(await list({ q: "state", role: "manager" }))).toEqual(["stateactive"]);
    expect((await list({ q: "state", role: "manager", state: "disabled" })).total).toBe(0);
  });
});

describe("pages of the list", () => {
  const COUNT = 2 * ACCOUNTS_PAGE + 3;

  beforeAll(async () => {
    for (let at = 0; at < COUNT; at++) {
      // Equal values, so that the order depends on ids too.
      const times = { created_at: 1000 + Math.floor(at / 10), last_seen_at: at % 7, stored_bytes: at % 3 };
      const { id: user_id } = await insert(`page${at}`, times);
      const sums = { user_id, month: "2026-01", replies: at % 4, cost_nano_usd: at % 5 === 0 ? null : at % 5 };
      await app.context.database.insertInto("account_months").values(sums).execute();
    }
  });

  it.each(["created", "name", "seen", "stored", "replies", "cost"] as const)(
    "the pages of the list show every account once, sorted by %s",
    async (sort) => {
      const descending = await listAll({ q: "page", sort });
      expect(new Set(descending.map(({ id }) => id)).size).toBe(COUNT);
      const values = descending.map(({ createdAt, username, lastSeenAt = 0, storedBytes, usage }) => {
        const { replies, cost = 0 } = usage;
        return { created: createdAt, name: username, seen: lastSeenAt, stored: storedBytes, replies, cost }[sort];
      });
      expect(values).toEqual(values.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
      const ascending = await listAll({ q: "page", sort, direction: "asc" });
      expect(ascending).toEqual(descending.toReversed());
    },
  );

  it("pages have 50 accounts, count all, and do not shift when accounts are added", async () => {
    const first = await list({ q: "page", sort: "name", direction: "asc" });
    expect([first.accounts.length, first.total]).toEqual([ACCOUNTS_PAGE, COUNT]);
    await insert("aaapage");
    const next = await list({ q: "page", sort: "name", direction: "asc", after: first.next ?? "" });
    expect((next.accounts[0]?.username ?? "") > (first.accounts.at(-1)?.username ?? "")).toBe(true);
    expect(namesOf(next)).not.toContain(first.accounts.at(-1)?.username);
  });

  it("the list refuses a cursor of another sort or form", async () => {
    const { next = "" } = await list({ q: "page", sort: "name" });
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const cursors = [next, "x", "", forged(null), forged(["created", "a", "b"]), forged(["created", 1]), forged({})];
    for (const after of cursors) {
      const response = await get(administrationPaths.accounts, { sort: "created", after });
      expect([after, response.status, (await problemOf(response)).code]).toEqual([after, 400, "invalid-input"]);
    }
    expect(
      (await get(administrationPaths.accounts, { sort: "name", after: forged(["name", "a\0\ud800", "\0"]) })).ok,
    ).toBe(true);
  });
});

describe("export as CSV", () => {
  it("the CSV has all accounts that match in the order of the list, and neutralises formulas", async () => {
    const created = { created_at: Date.UTC(2026, 0, 2) };
    const choir = await insertTestGroup(app, { name: "=Choir" });
    await insert("csva", { ...created, firstname: "=HYPERLINK()", lastname: 'quote " and, comma' });
    await insert("csvb", { ...created, firstname: "-1", lastname: "line\r\nbreak", disabled_at: 1, group_id: choir });
    const response = await get(administrationPaths.accountsCsv, { q: "csv", sort: "name", direction: "asc" });
    const text = Buffer.from(await response.arrayBuffer()).toString();
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="accounts 2026-01-01\.csv"/);
    const [head, ...rows] = text.split(/(?<!line)\r\n/);
    expect(head).toBe(
      '\uFEFF"id","username","firstname","lastname","email","role","state","created","last seen","stored bytes","quota MB","group","replies this month","cost USD this month","sign-in"',
    );
    expect(rows.map((row) => row.replace(/^"[\w-]+"/, "ID"))).toEqual([
      `ID,"csva","'=HYPERLINK()","quote "" and, comma","csva@example.org","person","active","2026-01-02T00:00:00.000Z",,0,,,0,,"password"`,
      `ID,"csvb","'-1","line\r\nbreak","csvb@example.org","person","disabled","2026-01-02T00:00:00.000Z",,0,,"'=Choir",0,,"password"`,
      "",
    ]);
  });

  it("the CSV has more accounts than are read at a time", async () => {
    const users = Array.from({ length: 1003 }, (_, at) => ({
      ...toPendingAccount(newPerson({ username: `bulk${at}` }), "", clock.now()),
    }));
    for (let at = 0; at < users.length; at += 200) {
      await app.context.database
        .insertInto("users")
        .values(users.slice(at, at + 200))
        .execute();
    }
    const text = await (await get(administrationPaths.accountsCsv, { q: "bulk" })).text();
    const names = text.split("\r\n").map((line) => line.split(",")[1]);
    expect(new Set(names.filter((name) => name?.startsWith('"bulk'))).size).toBe(1003);
  });
});
