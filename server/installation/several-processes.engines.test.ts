import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { authConfigSchema } from "#contract/accounts.ts";
import { openPaths } from "#contract/open-paths.ts";
import { paths } from "#contract/paths.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { changeSettingsOf } from "../../testing/accounts/settings.ts";
import { newPerson, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestApp, type TestHarness } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { testRedisUrl } from "../../testing/servers/test-redis.ts";
import { sqliteFile } from "../database/sqlite/sqlite-file.ts";

const SECRET_KEY = "kDq0mB1xE7pQ4vY9sT2wR6uZ3nL8aC5f";

let opened: AsyncDisposableStack;
let harness: TestHarness;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness());
});
afterEach(() => opened.disposeAsync());

/** Starts another server on the same database, with a data folder of its own. */
async function startServer(env: Record<string, string> = {}): Promise<TestApp> {
  const own = opened.use(await createTestHarness(harness));
  return opened.use(await startTestApp({ harness: own, env: { SECRET_KEY, ...env } }));
}

const register = (app: TestApp) => app.call("POST", openPaths.register, { body: newPerson() });
const configOf = async (app: TestApp) => authConfigSchema.parse(await (await app.call("GET", paths.authConfig)).json());

/** Expects a change at one server to be seen at the other within `timeout` ms. */
async function expectToAgree([a, b]: [TestApp, TestApp], owner: TestAccount, timeout: number): Promise<void> {
  await changeSettingsOf(a, owner, { productName: "Salon", registration: "closed" });
  // The rules of registration are read in its transaction, so that they hold at once.
  const refused = await register(b);
  expect([refused.status, (await problemOf(refused)).code]).toEqual([403, "registration-closed"]);
  await vi.waitFor(
    async () => expect(await configOf(b)).toMatchObject({ productName: "Salon", registrationOpen: false }),
    { timeout, interval: 50 },
  );
  await changeSettingsOf(b, owner, { productName: null, registration: null });
  expect((await register(a)).status).toBe(201);
  await vi.waitFor(async () => expect((await configOf(a)).productName).toBe("Parley"), { timeout, interval: 50 });
}

describe.runIf(isOnPostgres)("two processes on one database", () => {
  it("see each other's settings within seconds without Redis", async () => {
    const servers: [TestApp, TestApp] = [await startServer(), await startServer()];
    await expectToAgree(servers, await signUpAs(servers[0], "owner"), 10_000);
  });

  it.runIf(testRedisUrl !== undefined)("see each other's settings at once with Redis", async () => {
    const env = { REDIS_URL: testRedisUrl ?? "" };
    const servers: [TestApp, TestApp] = [await startServer(env), await startServer(env)];
    await expectToAgree(servers, await signUpAs(servers[0], "owner"), 1500);
  });

  it("keep both changes of concurrent owners in the records, and the last one in effect", async () => {
    const [a, b] = [await startServer(), await startServer()];
    const owner = await signUpAs(a, "owner");
    const names = ["One", "Two", "Three", "Four", "Five", "Six"];
    await Promise.all(names.map((productName, at) => changeSettingsOf(at % 2 === 0 ? a : b, owner, { productName })));
    const rows = await a.context.database
      .selectFrom("audit_events")
      .select("after")
      .where("kind", "=", "setting-changed")
      .orderBy("seq")
      .execute();
    const recorded = rows.map(({ after }) => (JSON.parse(after ?? "{}") as { productName: string }).productName);
    expect([...recorded].sort()).toEqual([...names].sort());
    await a.context.installation.reload();
    expect(a.context.installation.current.productName).toBe(recorded.at(-1));
  });
});

it.skipIf(isOnPostgres)("a change that another program makes in the SQLite file takes effect", async () => {
  const app = opened.use(await startTestApp({ harness }));
  // The first check of the file only remembers its version.
  await app.context.otherWriters.check();
  using file = new DatabaseSync(sqliteFile(app.dataDir));
  file.exec(`insert into settings (name, value, changed_at) values ('productName', '"Salon"', 1)`);
  await vi.waitFor(() => expect(app.context.installation.current.productName).toBe("Salon"), { timeout: 10_000 });
});
