import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type SignedIn, signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { storageSchema } from "#contract/files/storage.ts";
import { MEGABYTE } from "#contract/limits.ts";
import { filedMailsTo } from "../../../testing/accounts/filed-mails.ts";
import { followAccount } from "../../../testing/accounts/follow-account.ts";
import { newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { seedAccount } from "../../../testing/accounts/seeded-account.ts";
import { newPerson, signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  type TestHarness,
} from "../../../testing/app/start-test-app.ts";
import { type AdminResult, admin } from "../../../testing/cli/run-admin.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { takeDataFolder } from "../../config/data-folder.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let opened: AsyncDisposableStack;
let harness: TestHarness;
let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness());
  // The process of a server locks the data folder, too.
  opened.use(await takeDataFolder(harness.dataDir));
  app = opened.use(await startTestApp({ harness, demoPause: async () => undefined }));
});
afterAll(() => opened.disposeAsync());
beforeEach(async () => {
  ada = await signUp(app);
});

const users = (...words: string[]) => admin(harness, ["users", ...words, "--json"]);
const refusal = ({ code, json }: AdminResult) => [code, json.ok, json.code];
const signIn = (username: string, password: string) =>
  app.call("POST", accountPaths.login, { body: { username, password } });
const answerOf = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code];
const isIn = async (token: string) => (await app.call("GET", accountPaths.me, { token })).status === 200;

type Listed = { id: string; username: string; verifiedAt: string | null; disabledAt: string | null };
const listed = async (name: string) =>
  ((await users("list")).json.users as Listed[]).find(({ username }) => username === name);

describe("creation of accounts", () => {
  it("users create makes an account that can sign in, while a server is running", async () => {
    const { username, email, firstname, lastname } = newPerson();
    const words = ["--username", username, "--email", email, "--firstname", firstname, "--lastname", lastname];
    const made = await users("create", ...words);
    expect(made).toMatchObject({ code: 0, json: { ok: true, user: { username, email } } });
    expect((await signIn(username, String(made.json.password))).status).toBe(200);
    expect(refusal(await users("create", ...words))).toEqual([3, false, "refused"]);
    const other = ["--username", newPerson().username, ...words.slice(2)];
    expect((await users("create", ...other)).json.error).toMatch(/uses this address/);
  });

  it("users create reads a password from stdin, and validates everything like a registration", async () => {
    const { username, email } = newPerson();
    const words = ["users", "create", "--username", username, "--email", email, "--password-stdin", "--json"];
    const names = ["--firstname", "Ada", "--lastname", "Lovelace"];
    expect((await admin(harness, [...words, ...names], { input: "short\n" })).json.error).toMatch(/at least 8 char/);
    const wrong = await admin(harness, [...words, "--firstname", "A1"], { input: "long enough" });
    expect(wrong.code).toBe(2);
    expect(wrong.json.error).toMatch(/Firstname must contain only letters[\s\S]*Lastname is required/);
    const made = await admin(harness, [...words, ...names], { input: "long enough\n" });
    expect(made.json).not.toHaveProperty("password");
    expect((await signIn(username, "long enough")).status).toBe(200);
  });

  it("users create makes an installation before its first start, but only with --init", async () => {
    await using fresh = await createTestHarness();
    const words = ["--username", "first", "--email", "first@example.org", "--firstname", "Ada", "--lastname", "Byron"];
    const forgotten = await admin(fresh, ["users", "create", ...words, "--json"]);
    expect(refusal(forgotten)).toEqual([3, false, "refused"]);
    expect(forgotten.json.error).toMatch(/DATA_DIR or DATABASE_URL.*--init/);
    expect(forgotten.json).not.toHaveProperty("password");
    expect(await readdir(fresh.dataDir)).toEqual([]);
    const made = await admin(fresh, ["users", "create", ...words, "--init", "--json"]);
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining("Creates the account first") });
    await using later = await startTestApp({ harness: fresh });
    const body = { username: "first", password: String(made.json.password) };
    expect((await later.call("POST", accountPaths.login, { body })).status).toBe(200);
  });
});

it("users verify verifies a pending account without its mail", async () => {
  const person = newPerson();
  await app.call("POST", accountPaths.register, { body: person });
  expect((await listed(person.username))?.verifiedAt).toBeNull();
  expect((await users("verify", person.email)).json).toMatchObject({ ok: true, changed: true });
  expect((await users("verify", person.username)).json).toMatchObject({ ok: true, changed: false });
  expect((await signIn(person.username, person.password)).status).toBe(200);
});

describe("disabled accounts", () => {
  it("C1 users disable blocks every way to sign in, reveals it only to the owner, and deletes nothing", async () => {
    const { username } = ada.user;
    const key = await resetKey();
    await using events = await followAccount(app, ada.token);
    expect((await users("disable", username)).json).toMatchObject({ ok: true, changed: true });
    expect(await isIn(ada.token)).toBe(false);
    // An open event stream ends, too.
    while (await events.next());
    expect(await answerOf(await signIn(username, ada.password))).toEqual([403, "account-disabled"]);
    const [wrong, unknown] = [await signIn(username, "not the password"), await signIn("nobody0", "not the password")];
    expect([wrong.status, await wrong.text()]).toEqual([unknown.status, await unknown.text()]);
    const body = { key, password: "another horse battery" };
    expect((await app.call("POST", accountPaths.resetPassword, { body })).status).toBe(200);
    expect(await answerOf(await signIn(username, body.password))).toEqual([403, "account-disabled"]);
    expect((await listed(username))?.disabledAt).not.toBeNull();

    expect((await users("enable", username)).json).toMatchObject({ ok: true, changed: true });
    const { access_token: token } = signedIn(await (await signIn(username, body.password)).json());
    const log = (await (await app.call("GET", accountPaths.securityLog, { token })).json()) as { kind: string }[];
    expect(log.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["disabled", "enabled"]));
  });

  it("users disable blocks a sign-in by a mailed key, which remains valid", async () => {
    const person = newPerson();
    await app.call("POST", accountPaths.register, { body: person });
    const [mail] = await filedMailsTo(app, person.email);
    const body = { key: /key=([\w-]+)/.exec(mail?.text ?? "")?.[1] };
    await users("disable", person.username);
    expect(await answerOf(await app.call("POST", accountPaths.verify, { body }))).toEqual([403, "account-disabled"]);
    await users("enable", person.username);
    expect((await app.call("POST", accountPaths.verify, { body })).status).toBe(200);
  });
});

const signedIn = (answer: unknown): SignedIn => signedInSchema.parse(answer);

async function resetKey(): Promise<string> {
  const { email } = ada.user;
  await app.call("POST", accountPaths.forgotPassword, { body: { email } });
  return await newestKeyFor(app, "reset-password", email);
}

it("users reset-password requires confirmation, ends all sessions, and informs the owner by mail", async () => {
  const { username, email } = ada.user;
  expect(refusal(await users("reset-password", username))).toEqual([3, false, "refused"]);
  expect(await isIn(ada.token)).toBe(true);
  const { code, json } = await users("reset-password", username, "--yes");
  expect(code).toBe(0);
  expect(await isIn(ada.token)).toBe(false);
  expect((await signIn(username, ada.password)).status).toBe(401);
  expect((await signIn(username, String(json.password))).status).toBe(200);
  const told = (await filedMailsTo(app, email)).map(({ text }) => text).join();
  expect(told).toContain("The administrator set a new password");
});

it("users sessions lists sessions, and ends one or all", async () => {
  const { username } = ada.user;
  const second = signedIn(await (await signIn(username, ada.password)).json()).access_token;
  const { json } = await users("sessions", username);
  const [newest] = json.sessions as { id: string; method: string }[];
  expect(json.sessions).toHaveLength(2);
  expect(newest?.method).toBe("password");
  expect((await users("sessions", username, "--end", newest?.id ?? "")).json).toMatchObject({ changed: true });
  expect([await isIn(ada.token), await isIn(second)]).toEqual([true, false]);
  expect(refusal(await users("sessions", username, "--end", newest?.id ?? ""))).toEqual([3, false, "refused"]);
  expect((await users("sessions", username, "--end-all")).json).toMatchObject({ changed: true });
  expect(await isIn(ada.token)).toBe(false);
});

it("users delete requires confirmation, and leaves only the receipt", async () => {
  const { user, chatId } = await seedAccount(app);
  expect(refusal(await users("delete", user.username))).toEqual([3, false, "refused"]);
  expect((await users("delete", user.username, "--yes")).json).toMatchObject({ ok: true, deleted: true });
  expect(await listed(user.username)).toBeUndefined();
  const left = app.context.database.selectFrom("messages").select("id").where("chat_id", "=", chatId);
  expect(await left.execute()).toEqual([]);
  await app.context.outbox.deliverDue();
  expect((await filedMailsTo(app, user.email)).map(({ subject }) => subject).join()).toMatch(/delet|gone/i);
});

it("commands print tables for people, without control characters from untrusted text", async () => {
  const body = { username: ada.user.username, password: ada.password };
  await app.call("POST", accountPaths.login, { body, headers: { "user-agent": "evil\u009b31m program" } });
  const { out } = await admin(harness, ["users", "sessions", ada.user.username]);
  expect(out).toMatch(/^SESSION +SIGNED IN BY/);
  expect(out).toContain("evil");
  expect(out).not.toContain("\u009b");
});

it("commands print JSON that retains every character, but escapes control characters", async () => {
  const agent = "family \u{1F468}\u200D\u{1F467} \u0645\u06CC\u200C\u062E \u{E0041}\u009B31m";
  await app.context.database
    .updateTable("sessions")
    .set({ user_agent: agent })
    .where("user_id", "=", ada.user.id)
    .execute();
  const { out, json } = await users("sessions", ada.user.username);
  expect((json.sessions as { userAgent: string }[])[0]?.userAgent).toBe(agent);
  expect(out.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const missing = "nobody\u200D\u009B";
  const refused = await users("disable", missing);
  expect(refused.json.error).toContain(missing);
  expect(refused.out.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

it("commands first print which installation they use, without a password", async () => {
  const { DATABASE_URL } = harness.env;
  const url = DATABASE_URL === undefined ? undefined : new URL(DATABASE_URL);
  const database = url ? `${url.host}${url.pathname}` : join(harness.dataDir, "parley.db");
  const installation = { dataDir: harness.dataDir, database, isPostgres: url !== undefined };
  const done = await users("list");
  const refused = await users("disable", "nobody0");
  for (const { json, err } of [done, refused]) {
    expect(json).toMatchObject({ installation });
    expect(err.split("\n")[0]).toMatch(/^Installation: /);
    expect(err.split("\n")[0]).toContain(database);
  }
  const elsewhere = {
    DATABASE_URL: "postgres://me:hidden-password@127.0.0.1:1/parley",
    SECRET_KEY: randomBytes(32).toString("hex"),
  };
  const { out, err } = await admin(harness, ["users", "list", "--json"], { env: elsewhere });
  expect(out + err).not.toContain("hidden-password");
  expect(err).toContain("127.0.0.1:1/parley");
});

it.skipIf(isOnPostgres)("users delete waits for a server only if one has locked the data folder", async () => {
  await using fresh = await createTestHarness();
  const account = await (async () => {
    await using first = await startTestApp({ harness: fresh });
    return await signUp(first);
  })();
  await rm(join(fresh.dataDir, "lock"), { force: true });
  await mkdir(join(fresh.dataDir, "lock"));
  const { code, json } = await admin(fresh, ["users", "delete", account.user.username, "--yes", "--json"]);
  expect([code, json.code]).toEqual([1, "failed"]);
  expect(json.error).toContain("nothing was deleted");
  const { json: left } = await admin(fresh, ["users", "list", "--json"]);
  expect(left.users).toMatchObject([{ username: account.user.username, deleteAt: null }]);
});

it("commands explain each refusal, with an exit code for its kind", async () => {
  expect(refusal(await users("disable", "nobody0"))).toEqual([3, false, "refused"]);
  expect(refusal(await users("disable"))).toEqual([2, false, "usage"]);
  expect(refusal(await users("list", "--loud"))).toEqual([2, false, "usage"]);
  // With input, commands run in a child process, which also tests the command line.
  const unknown = await admin(harness, ["users", "frobnicate"], { input: "" });
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("There is no command “users frobnicate”")]);
  const help = await admin(harness, ["users", "disable", "--help"], { input: "" });
  expect([help.code, help.out]).toEqual([0, expect.stringMatching(/^users disable USER\n/)]);
  expect((await admin(harness, [])).out).toContain("config check");
});

describe("groups of accounts", () => {
  const groups = (...words: string[]) => admin(harness, ["groups", ...words, "--json"]);

  it("groups are created, listed, changed and deleted, and an account is moved, by commands", async () => {
    const { username, id } = ada.user;
    const made = await groups(
      "create",
      "Choir",
      "--models",
      "GPT:gpt-5-mini, GPT:gpt-5",
      "--mb",
      "5",
      "--budget",
      "7.5",
    );
    expect([made.code, made.json]).toMatchObject([0, { name: "Choir" }]);
    expect(refusal(await groups("create", "choir"))).toEqual([3, false, "refused"]);
    expect((await users("group", username, "choir")).json).toMatchObject({ group: { name: "Choir" }, changed: true });
    expect((await users("quota", username)).json).toMatchObject({ quotaMb: 5, isDefault: true });
    const amounts = ["--default", "GPT:gpt-5", "--mb", "none", "--time-zone", "Asia/Tokyo"];
    const switches = ["--second-factor", "on", "--share-links", "off"];
    expect((await groups("set", "CHOIR", ...amounts, ...switches, "--name", "Opera")).json).toMatchObject({
      ok: true,
      name: "Opera",
    });
    const [group] = (await groups("list")).json.groups as object[];
    expect(group).toMatchObject({
      ...{ name: "Opera", members: 1, models: ["GPT:gpt-5-mini", "GPT:gpt-5"], defaultModel: "GPT:gpt-5" },
      ...{ quotaMb: null, budget: 7.5, memberBudget: null, timeZone: "Asia/Tokyo" },
      ...{ needsSecondFactor: true, mayShare: false },
    });
    expect((await admin(harness, ["users", "group", id])).out).toContain(`${username}: Opera.`);
    expect(refusal(await groups("delete", "Opera"))).toEqual([3, false, "refused"]);
    expect((await groups("delete", "Opera", "--yes")).json).toMatchObject({ members: 1, invitations: 0 });
    expect((await users("group", username)).json).toMatchObject({ group: null, changed: false });
  });

  it("groups commands refuse invalid values and unknown groups", async () => {
    for (const wrong of [
      ["--mb", "0"],
      ["--budget", "x"],
      ["--time-zone", "Mars"],
      ["--second-factor", "maybe"],
      ["--share-links", "anyone"],
      ["--models", ""],
    ]) {
      expect([wrong, refusal(await groups("create", "Wrong", ...wrong))]).toEqual([wrong, [2, false, "usage"]]);
    }
    expect(refusal(await groups("set", "Nobody", "--mb", "5"))).toEqual([3, false, "refused"]);
    expect(refusal(await users("group", ada.user.username, "Nobody"))).toEqual([3, false, "refused"]);
    expect(refusal(await users("group", ada.user.username, "Nobody", "--none"))).toEqual([2, false, "usage"]);
  });
});

it("K3 users quota shows the stored bytes of an account, and sets or resets its quota", async () => {
  const { username } = ada.user;
  expect((await users("quota", username)).json).toMatchObject({ storedBytes: 0, quotaMb: 1024, isDefault: true });
  expect((await users("quota", username, "--mb", "7")).json).toMatchObject({ quotaMb: 7, changed: true });
  const { maxBytes } = storageSchema.parse(await (await app.call("GET", filePaths.storage, ada)).json());
  expect(maxBytes).toBe(7 * MEGABYTE);
  expect((await admin(harness, ["users", "quota", username])).out).toContain("stores 0.0 MB of 7 MB (its own)");
  expect((await users("quota", username, "--default")).json).toMatchObject({ quotaMb: 1024, isDefault: true });
  for (const wrong of [
    ["--mb", "0"],
    ["--mb", "x"],
    ["--mb", "1", "--default"],
  ]) {
    expect(refusal(await users("quota", username, ...wrong))).toEqual([2, false, "usage"]);
  }
});

it("users budget shows the own budget of an account, sets it, and removes it", async () => {
  const { username } = ada.user;
  expect((await users("budget", username)).json).toMatchObject({ budgetUsd: null, changed: false });
  expect((await users("budget", username, "--usd", "2.5")).json).toMatchObject({ budgetUsd: 2.5, changed: true });
  expect((await admin(harness, ["users", "budget", username])).out).toContain("has a budget of $2.5 a month");
  expect((await users("budget", username, "--default")).json).toMatchObject({ budgetUsd: null, changed: true });
  for (const wrong of [
    ["--usd", "0"],
    ["--usd", "x"],
    ["--usd", "1", "--default"],
  ]) {
    expect(refusal(await users("budget", username, ...wrong))).toEqual([2, false, "usage"]);
  }
});
