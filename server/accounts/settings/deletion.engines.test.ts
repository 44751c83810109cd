import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { DAY, SECOND } from "#contract/limits.ts";
import { filedMails, filedMailsTo } from "../../../testing/accounts/filed-mails.ts";
import { followAccount } from "../../../testing/accounts/follow-account.ts";
import { mailedKeysFor, newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { newPerson, signUpByMail, signUpProved, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  TestClock,
  type TestHarness,
} from "../../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { holdBody } from "../../../testing/http/held-body.ts";
import { readEvents } from "../../../testing/http/read-events.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { removeAccountRows } from "./deletion-store.ts";

let opened: AsyncDisposableStack;
let provider: ScriptedProvider;
let clock: TestClock;
let harness: TestHarness;
let app: TestApp;
const secret = { SECRET_KEY: "kDq0mB1xE7pQ4vY9sT2wR6uZ3nL8aC5f" };
const serverEnv = () => ({ ...secret, OPENAI_API_KEY: "scripted-key", OPENAI_BASE_URL: provider.baseUrl });

beforeEach(async () => {
  opened = new AsyncDisposableStack();
  provider = opened.use(await startScriptedProvider());
  clock = new TestClock();
  harness = opened.use(await createTestHarness());
  app = opened.use(await startTestApp({ clock, harness, env: serverEnv() }));
});
afterEach(() => opened.disposeAsync());

const post = (path: string, body: unknown, token?: string, headers: Record<string, string> = {}) =>
  app.call("POST", path, { body, headers, ...(token !== undefined && { token }) });
const deletion = (token: string, isImmediate: boolean) => post(accountPaths.accountDeletion, { isImmediate }, token);
const login = (username: string, password: string) => post(accountPaths.login, { username, password });
const model = "GPT:gpt-5-mini";

/** Unique words of the account, to search for after its removal. */
const canaries = {
  username: "Canarybird",
  firstname: "Serinusina",
  lastname: "Canariensis",
  email: "canary.address@example.org",
  userAgent: "CanaryAgent/1.0",
  // Words with equal roots in the search index, but different beginnings.
  question: "xcanary41e7",
  reply: "ycanary77d0",
  deleted: "zcanary9b1c",
  newEmail: "canary.next@example.org",
  folder: "canary-folder-2f8d",
  deletedFolder: "canary-folder-5c1e",
};

/** Creates an account with data in every place where accounts have any. */
async function someoneWithTraces(): Promise<TestAccount> {
  const { username, firstname, lastname, email } = canaries;
  const { user, password } = await signUpByMail(app, { username, firstname, lastname, email });
  await login(username, "a wrong password");
  const browser = new TestBrowser(app, { "user-agent": canaries.userAgent });
  const signedIn = signedInSchema.parse(await (await browser.signIn(username, password)).json());
  const token = signedIn.access_token;
  for (const text of [canaries.question, canaries.deleted]) {
    const { id } = (await (await post("/chat", undefined, token)).json()) as { id: string };
    provider.reply = () => canaries.reply;
    const headers = { "idempotency-key": text };
    expect((await post(`/chat/${id}/send`, { message: text, model }, token, headers)).status).toBe(200);
    if (text === canaries.deleted) await app.call("DELETE", `/chat/${id}`, { token });
  }
  for (const name of [canaries.folder, canaries.deletedFolder]) {
    const { id } = (await (await post(conversationPaths.folders, { name }, token)).json()) as { id: string };
    if (name === canaries.deletedFolder) await app.call("DELETE", conversationPaths.folder(id), { token });
  }
  await post(accountPaths.email, { email: canaries.newEmail }, token);
  await post(accountPaths.forgotPassword, { email });
  await filedMails(app);
  await post(accountPaths.forgotPassword, { email });
  return { user, password, token };
}

/** Returns every row of every table. */
async function dump(): Promise<Record<string, string>> {
  const { database } = app.context;
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows: found } = await sql`select * from ${sql.table(name)}`.execute(database);
      return [name, JSON.stringify(found)] as const;
    }),
  );
  return Object.fromEntries(rows);
}

/** Returns the bytes of every file of the data folder, except the mailed receipt. */
async function bytesOfFolder(): Promise<Record<string, string>> {
  const receipts = (await filedMails(app)).filter(({ subject }) => subject.includes("was deleted"));
  const own = new Set(receipts.map(({ id }) => `${id}.eml`));
  const entries = await readdir(app.dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !own.has(entry.name));
  const read = files.map(
    async ({ parentPath, name }) => [name, await readFile(join(parentPath, name), "latin1")] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}

function tracesIn(texts: Record<string, string>, traces: readonly string[]): string[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    const lower = text.toLowerCase();
    return traces.filter((trace) => lower.includes(trace.toLowerCase())).map((trace) => `${trace} in ${name}`);
  });
}

it("H5 an immediate deletion removes everything of the account from every table and the bytes of the data folder", async () => {
  const other = await signUpByMail(app);
  const { token, user } = await someoneWithTraces();
  const { question, reply, deleted } = canaries;
  const inIndex = [question.slice(1), reply.slice(1), deleted.slice(1), user.id.slice(-12)];
  const traces = [...Object.values(canaries), user.id, ...inIndex];
  const found = await app.call("GET", `${conversationPaths.search}?q=${question}`, { token });
  expect(await found.json()).toMatchObject({ hits: [{ snippet: question }] });
  const before = tracesIn(await dump(), traces);
  for (const table of ["users", "sessions", "chats", "messages", "mails", "email_keys", "security_events", "devices"]) {
    expect(before.join()).toContain(`in ${table}`);
  }
  expect(Object.keys(await dump())).toContain("sign_in_throttles");
  if (!isOnPostgres) expect(tracesIn(await bytesOfFolder(), traces).join()).toContain(canaries.reply);

  const answer = await deletion(token, true);
  expect(await answer.json()).toEqual({ deleteAt: null });
  expect((await app.call("GET", accountPaths.me, { token })).status).toBe(401);
  const [receipt, ...more] = await filedMailsTo(app, canaries.email);
  expect(more).toEqual([]);
  expect(receipt?.subject).toBe("Your account at Parley was deleted");
  expect(receipt?.text).toMatch(
    /Removed: 1 chat, 2 messages, 2 sign-ins, 2 known browsers, \d+ entries of the security log, \d+ mails\./,
  );
  await app.context.sweep.run();
  expect(tracesIn(await dump(), traces)).toEqual([]);
  expect(tracesIn(await bytesOfFolder(), traces)).toEqual([]);
  expect((await app.call("GET", accountPaths.me, { token: other.token })).status).toBe(200);
  expect((await filedMailsTo(app, other.user.email)).length).toBe(1);
});

it("H5 the receipt of a deletion, the last copy of the address, is stored for 30 days if mailing fails", async () => {
  const { token } = await someoneWithTraces();
  await deletion(token, true);
  const isThere = async () => {
    await app.context.sweep.run();
    return (await filedMailsTo(app, canaries.email)).length > 0;
  };
  expect(await isThere()).toBe(true);
  clock.advance(30 * DAY);
  expect(await isThere()).toBe(true);
  clock.advance(1);
  expect(await isThere()).toBe(false);
});

it("a deletion frees username and address, and later requests are answered as for an unknown account", async () => {
  const { token, user, password } = await signUpProved(app);
  await deletion(token, true);
  const nobody = newPerson();
  expect(await (await login(user.username, password)).text()).toBe(await (await login(nobody.username, "x")).text());
  const again = await signUpByMail(app, newPerson({ username: user.username, email: user.email }));
  expect(again.user.id).not.toBe(user.id);
});

it("H5 a deletion removes the account immediately if another browser requests 14 days concurrently", async () => {
  for (let round = 0; round < 4; round++) {
    const { token, user, password } = await signUpProved(app);
    const body = { username: user.username, password };
    const other = signedInSchema.parse(await (await post(accountPaths.login, body)).json()).access_token;
    await post("/chat", undefined, token);
    const later = await holdBody(app, {
      method: "POST",
      path: accountPaths.accountDeletion,
      token: other,
      body: { isImmediate: false },
    });
    const [now, late] = await Promise.all([deletion(token, true), later()]);
    const subjects = (await filedMailsTo(app, user.email)).map(({ subject }) => subject);
    if (now.status === 200) {
      expect([await now.json(), late.status]).toEqual([{ deleteAt: null }, 401]);
      expect(tracesIn(await dump(), [user.id])).toEqual([]);
      expect(subjects).toEqual(["Your account at Parley was deleted"]);
    } else {
      expect([now.status, late.status]).toEqual([401, 200]);
      expect(tracesIn(await dump(), [user.id]).join()).toContain("in chats");
      expect(subjects).not.toContain("Your account at Parley was deleted");
    }
  }
});

it("a cancelled immediate deletion removes nothing of the account", async () => {
  const { token, user } = await signUpProved(app);
  await post("/chat", undefined, token);
  await post(accountPaths.forgotPassword, { email: user.email });
  const { database } = app.context;
  const mail = await database.selectFrom("mails").select("id").where("user_id", "=", user.id).executeTakeFirst();
  expect(await removeAccountRows(database, user.id, { mailId: mail?.id ?? "", now: clock.now() })).toBe(false);
  expect(await (await app.call("GET", "/chat-history", { token })).json()).toHaveLength(1);
});

it("a deletion stops a running reply and aborts the provider's request", async () => {
  const { token, user } = await signUpProved(app);
  const { id } = (await (await post("/chat", undefined, token)).json()) as { id: string };
  const reading = readEvents(await post(`/chat/${id}/send?stream=1`, { message: "[scenario:held]", model }, token));
  provider.release("First words");
  for (let event = await reading.next(); !event.done; event = await reading.next()) {
    if (event.value !== "[DONE]" && event.value.token) break;
  }
  await deletion(token, true);
  await provider.requests.at(-1)?.closed;
  expect(tracesIn(await dump(), [user.id])).toEqual([]);
  expect(app.logLines.join("")).not.toContain("checkpoint failed");
});

it("a deletion in 14 days ends all sessions; a sign-in meanwhile cancels it", async () => {
  const { token, user, password } = await signUpProved(app);
  await using stream = await followAccount(app, token);
  const answer = await deletion(token, false);
  const deleteAt = clock.now() + 14 * DAY;
  expect(await answer.json()).toEqual({ deleteAt });
  expect((await app.call("GET", accountPaths.me, { token })).status).toBe(401);
  expect(await stream.next()).toBeUndefined();
  const notice = (await filedMailsTo(app, user.email)).at(-1);
  expect(notice?.subject).toBe("Your account at Parley will be deleted");
  expect(notice?.text).toContain("15 January 2026");

  clock.advance(14 * DAY - SECOND);
  await app.context.sweep.run();
  const signedIn = signedInSchema.parse(await (await login(user.username, password)).json());
  expect(signedIn.isKept).toBe(true);
  expect(signedInSchema.parse(await (await login(user.username, password)).json()).isKept).toBeUndefined();
  clock.advance(DAY);
  await app.context.sweep.run();
  expect((await login(user.username, password)).status).toBe(200);
  expect((await filedMailsTo(app, user.email)).map(({ subject }) => subject)).toContain(
    "Your account at Parley will not be deleted",
  );
});

it("a mailed link that sets a new password cancels the deletion of the account", async () => {
  const { token, user } = await signUpProved(app);
  await deletion(token, false);
  await post(accountPaths.forgotPassword, { email: user.email });
  const key = await newestKeyFor(app, "reset-password", user.email);
  await post(accountPaths.resetPassword, { key, password: "another horse battery" });
  expect(signedInSchema.parse(await (await login(user.username, "another horse battery")).json()).isKept).toBe(true);
});

it("a deletion removes the account when its time is over, and sign-ins are refused then", async () => {
  const { token, user, password } = await signUpProved(app);
  await deletion(token, false);
  clock.advance(14 * DAY);
  const nobody = newPerson();
  expect(await (await login(user.username, password)).text()).toBe(await (await login(nobody.username, "x")).text());
  const links = (await mailedKeysFor(app, "reset-password", user.email)).length;
  await post(accountPaths.forgotPassword, { email: user.email });
  expect((await mailedKeysFor(app, "reset-password", user.email)).length).toBe(links);
  await app.context.sweep.run();
  const subjects = (await filedMailsTo(app, user.email)).map(({ subject }) => subject);
  expect(subjects).toEqual(["Your account at Parley was deleted"]);
  await app.context.sweep.run();
  expect(tracesIn(await dump(), [user.id, user.email])).toEqual([]);
});

it("the next sweep completes an interrupted deletion, and reports complete counts", async () => {
  const { token, user, password } = await someoneWithTraces();
  const { database, sweep } = app.context;
  await sql`create table bystanders (user_id text references users (id))`.execute(database);
  await sql`insert into bystanders (user_id) values (${user.id})`.execute(database);
  expect(await (await deletion(token, true)).json()).toEqual({ deleteAt: null });
  expect((await login(user.username, password)).status).toBe(401);
  expect(app.logLines.join("")).toContain("account not removed");
  await sweep.run();
  expect(await filedMailsTo(app, canaries.email)).toEqual([]);

  await sql`drop table bystanders`.execute(database);
  await using following = await startTestApp({ clock, harness: await beside(), env: serverEnv() });
  if (isOnPostgres) await Promise.all([sweep.run(), following.context.sweep.run()]);
  else await sweep.run();
  const receipts = [app, ...(isOnPostgres ? [following] : [])].map((server) => filedMailsTo(server, canaries.email));
  const all = (await Promise.all(receipts)).flat();
  expect(all.map(({ subject }) => subject)).toEqual(["Your account at Parley was deleted"]);
  expect(all[0]?.text).toContain("1 chat, 2 messages");
  await sweep.run();
  // The first account became the owner. Records of administration hold ids, which lead to nothing from now on.
  const { audit_events: records = "", ...others } = await dump();
  expect(tracesIn({ records }, Object.values(canaries))).toEqual([]);
  expect(tracesIn(others, [...Object.values(canaries), user.id])).toEqual([]);
});

/** Opens a second server on the same database if it can be shared; otherwise one with its own. */
async function beside(): Promise<TestHarness> {
  return opened.use(await createTestHarness(isOnPostgres ? harness : undefined));
}

it.runIf(isOnPostgres)("a deletion removes data that another server has written for the account", async () => {
  const { token, user } = await signUpProved(app);
  await using other = await startTestApp({ clock, harness: await beside(), env: serverEnv() });
  await other.call("POST", accountPaths.forgotPassword, { body: { email: user.email } });
  await other.context.outbox.deliverDue();
  const { id } = (await (await other.call("POST", "/chat", { token })).json()) as { id: string };
  const body = { message: "[scenario:held]", model };
  const reading = readEvents(await other.call("POST", `/chat/${id}/send?stream=1`, { token, body }));
  provider.release("First words");
  for (let event = await reading.next(); !event.done; event = await reading.next()) {
    if (event.value !== "[DONE]" && event.value.token) break;
  }
  await deletion(token, true);
  await provider.requests.at(-1)?.closed;
  await other.context.sweep.run();
  const files = await readdir(join(other.dataDir, "mails")).catch(() => []);
  expect(files.filter((file) => file.includes(user.id))).toEqual([]);
  expect(tracesIn(await dump(), [user.id])).toEqual([]);
});
