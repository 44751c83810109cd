import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OwnerOfConnections } from "../../../testing/accounts/connections.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import { createTestHarness, startTestApp, type TestHarness } from "../../../testing/app/start-test-app.ts";
import { startSearchEngine } from "../../../testing/browsing/search-engines.ts";
import { admin } from "../../../testing/cli/run-admin.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { S3Harness } from "../../../testing/files/s3-harness.ts";
import { startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { startForwardProxy } from "../../../testing/servers/forward-proxy.ts";
import { MailServer } from "../../../testing/servers/mail-server.ts";
import { testRedisUrl } from "../../../testing/servers/test-redis.ts";
import { openAsItIs } from "../../database/open.ts";
import type { Finding } from "./finding.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let opened: AsyncDisposableStack;
let harness: TestHarness;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
});
afterEach(() => opened.disposeAsync());

const SECRET_KEY = randomBytes(32).toString("base64url");

async function examine(env: Record<string, string> = {}) {
  const { code, json, out } = await admin(harness, ["doctor", "--json"], { env: { SECRET_KEY, ...env } });
  const checks = json.checks as Finding[];
  const states = Object.fromEntries(checks.map(({ check, state }) => [check, state]));
  return { code, checks, states, out, of: (name: string) => checks.find(({ check }) => check === name) };
}

/** Variables of an installation with all services, whose secrets contain the word “hidden”. */
async function startServices(): Promise<Record<string, string>> {
  const mail = opened.use(new MailServer());
  await mail.start();
  const provider = opened.use(await startScriptedProvider());
  const engine = opened.use(await startSearchEngine("searxng"));
  engine.results = [{ url: "https://example.org/", title: "Example", text: "An example" }];
  const files = opened.use(new S3Harness());
  await files.open();
  const proxy = opened.use(await startForwardProxy());
  return {
    SMTP_URL: mail.url,
    OPENAI_API_KEY: "sk-hidden-key",
    OPENAI_BASE_URL: provider.baseUrl,
    LOCAL_BASE_URL: provider.baseUrl,
    SEARCH_URL: engine.engine.address ?? "",
    ...files.server.envFor(),
    HTTPS_PROXY: proxy.url.replace("//", "//ada:hidden-word@"),
    ...(isOnPostgres && testRedisUrl && { REDIS_URL: testRedisUrl }),
  };
}

/** The disk of the machine that runs the tests may be nearly full. */
const DISK = "disk";

it("doctor finds an installation in order beside its server, and one without a server", async () => {
  const env = await startServices();
  {
    await using app = await startTestApp({ harness, env: { SECRET_KEY } });
    const owner = new OwnerOfConnections(app, await signUpAs(app, "owner"));
    const baseUrl = env.LOCAL_BASE_URL ?? "";
    await owner.create({ kind: "openai", name: "At home", baseUrl, apiKey: "sk-hidden-stored" });
    const { code, checks, states, out } = await examine({ ...env, PUBLIC_URL: app.url, PORT: new URL(app.url).port });
    expect(checks.filter(({ check, state }) => check !== DISK && state !== "ok")).toEqual([]);
    expect(Object.keys(states)).toEqual([
      ...["settings", "data folder", "disk", "clock", "database", ...(env.REDIS_URL ? ["redis"] : []), "proxy", "mail"],
      ...["connection OpenAI", "connection Local", "connection At home", "web search", "attached files"],
      "public address",
    ]);
    expect(code).toBe(0);
    expect(out).not.toContain("hidden");
  }
  const { code, states, of } = await examine({ ...env, PUBLIC_URL: "http://127.0.0.1:1", PORT: "1" });
  expect(code).toBe(0);
  const others = Object.entries(states).filter(([name, state]) => name !== DISK && state !== "ok");
  expect(others).toEqual([["public address", "warning"]]);
  expect(of("public address")?.found).toMatch(/^No server of this installation runs on this machine/);
});

/** Starts a server, which creates the database, and ends it. */
async function createInstallation(): Promise<void> {
  await using _app = await startTestApp({ harness, env: { SECRET_KEY } });
}

it("doctor prints a line for each check, with what to do", async () => {
  await createInstallation();
  const { code, out } = await admin(harness, ["doctor"], { env: { SECRET_KEY, PORT: "1" } });
  expect(code).toBe(0);
  expect(out).toMatch(/^ok {7}database: (SQLite|PostgreSQL at \S+, version) [\d.]+.*, schema \d{4}-\S+\.$/m);
  expect(out).toMatch(/^warning {2}mail: No mail server is set: .* → Set SMTP_URL/m);
  expect(
    out
      .trim()
      .split("\n")
      .every((line) => /^(ok|warning|failure) +[^:]+: /.test(line)),
  ).toBe(true);
});

it("doctor fails for a database of a newer version, and for one that is being copied into", async () => {
  await createInstallation();
  const { DATABASE_URL } = harness.env;
  const settings = { dataDir: harness.dataDir, ...(DATABASE_URL && { postgresUrl: DATABASE_URL }) };
  const database = opened.adopt(await openAsItIs(settings), (db) => db.destroy());
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(database);
  const newer = await examine({ PORT: "1" });
  expect(newer.code).toBe(1);
  expect(newer.of("database")).toMatchObject({ state: "failure", found: expect.stringContaining("9999-later") });
  await sql`create table copy_progress (id integer)`.execute(database);
  expect((await examine({ PORT: "1" })).of("database")?.found).toContain("unfinished restore or move");
});

it.runIf(isOnPostgres)("doctor names a PostgreSQL that has no such database, and one that is away", async () => {
  const other = new URL(harness.env.DATABASE_URL ?? "");
  other.pathname = "/no_such_database";
  const absent = await examine({ DATABASE_URL: other.href, PORT: "1" });
  expect(absent.of("database")).toMatchObject({
    state: "failure",
    found: expect.stringMatching(/no such database\.$/),
  });
  other.port = "1";
  const away = await examine({ DATABASE_URL: other.href, PORT: "1" });
  expect(away.of("database")).toMatchObject({ state: "failure", advice: expect.stringContaining("DATABASE_URL") });
  expect([absent.code, away.code]).toEqual([1, 1]);
});
