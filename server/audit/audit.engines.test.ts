import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { filePaths } from "#contract/files/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { admin } from "../../testing/cli/run-admin.ts";
import type { AuditEventRow } from "../database/tables/audit-tables.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let opened: AsyncDisposableStack;
let harness: TestHarness;
let app: TestApp;
beforeAll(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness());
  app = opened.use(await startTestApp({ harness }));
});
afterAll(() => opened.disposeAsync());

const run = (...words: string[]) => admin(harness, [...words, "--json"]);
const verdict = async () => {
  const { code, json } = await run("audit", "verify");
  return { code, rows: json.rows, brokenAt: json.brokenAt };
};
const events = () => app.context.database.selectFrom("audit_events").selectAll().orderBy("seq").execute();
const eventsAbout = async (subject: string) => (await events()).filter((event) => event.subject === subject);
const change = (seq: number, values: Partial<AuditEventRow>) =>
  app.context.database.updateTable("audit_events").set(values).where("seq", "=", seq).execute();

it("P6 every action of administration leaves one audit row, and one without an effect leaves none", async () => {
  const { user } = await signUp(app);
  const actions = [
    ["quota", "--mb", "7"],
    ["sessions", "--end-all"],
    ["disable"],
    ["enable"],
    ["reset-password", "--yes"],
  ];
  for (const [name = "", ...options] of actions) {
    await run("users", name, user.username, ...options);
    await run("users", name, user.username, ...options);
  }
  const kinds = (await eventsAbout(user.id)).map(({ kind }) => kind);
  const once = ["quota-changed", "sessions-ended", "account-disabled", "account-enabled"];
  expect(kinds).toEqual([...once, "password-set", "password-set"]);
  const [quota] = await eventsAbout(user.id);
  expect(quota).toMatchObject({ actor: null, before: '{"quotaMb":null}', after: '{"quotaMb":7}' });
});

it("P6 audit rows contain no names or addresses, and remain when the account is deleted", async () => {
  const { user } = await signUp(app);
  await run("users", "disable", user.username);
  await run("users", "delete", user.username, "--yes");
  const rows = await eventsAbout(user.id);
  expect(rows.map(({ kind }) => kind)).toEqual(["account-disabled", "account-deletion-asked"]);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${user.username}|${user.email}|127\\.0\\.0\\.1`, "i"));
  expect(await verdict()).toMatchObject({ code: 0, brokenAt: undefined });
});

it("P6 concurrent actions extend one audit chain without gaps", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => signUp(app)));
  const before = (await events()).length;
  await Promise.all(people.map(({ user }) => run("users", "disable", user.username)));
  const after = await events();
  expect(after.map(({ seq }) => seq)).toEqual(after.map((_, index) => index + 1));
  expect(after.length).toBe(before + people.length);
  expect(await verdict()).toEqual({ code: 0, rows: after.length, brokenAt: undefined });
});

it("P6 the verification finds a changed, removed or recomputed audit row", async () => {
  const { user } = await signUp(app);
  await run("users", "disable", user.username);
  await run("users", "enable", user.username);
  const rows = await events();
  const [event, last] = rows.slice(-2) as [AuditEventRow, AuditEventRow];
  await change(event.seq, { actor: user.id });
  expect(await verdict()).toMatchObject({ code: 4, brokenAt: event.seq });
  await change(event.seq, { actor: event.actor });
  await change(last.seq, { hash: event.hash });
  expect(await verdict()).toMatchObject({ code: 4, brokenAt: last.seq });
  await change(last.seq, { hash: last.hash });
  await app.context.database.deleteFrom("audit_events").where("seq", "=", last.seq).execute();
  expect(await verdict()).toMatchObject({ code: 4, rows: event.seq, brokenAt: last.seq });
  await app.context.database.insertInto("audit_events").values(last).execute();
  expect(await verdict()).toMatchObject({ code: 0, rows: last.seq });
});

it("P6 a backup and its restore preserve the audit chain", async () => {
  const { token, user } = await signUp(app);
  await run("users", "quota", user.username, "--mb", "9");
  expect((await app.call("GET", filePaths.storage, { token })).status).toBe(200);
  const rows = await events();
  await using other = await createTestHarness();
  const file = `${harness.dataDir}/audit.backup`;
  expect((await run("backup", file)).code).toBe(0);
  expect((await admin(other, ["restore", file, "--yes", "--json"])).code).toBe(0);
  const { code, json } = await admin(other, ["audit", "verify", "--json"]);
  expect([code, json.rows, json.hash]).toEqual([0, rows.length, rows.at(-1)?.hash]);
});
