import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { authConfigSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { changeSettingsOf } from "../../testing/accounts/settings.ts";
import { newPerson } from "../../testing/accounts/sign-up.ts";
import type { TestApp } from "../../testing/app/start-test-app.ts";
import { isOnPostgres } from "../../testing/database/test-database.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { createSharedDatabase, type SharedDatabase } from "../../testing/servers/shared-database.ts";
import { testRedisUrl } from "../../testing/servers/test-redis.ts";
import { sqliteFile } from "../database/sqlite/sqlite-file.ts";

let database: SharedDatabase;
beforeEach(async () => {
  database = await createSharedDatabase();
  return () => database[Symbol.asyncDispose]();
});

const register = (app: TestApp) => app.call("POST", accountPaths.register, { body: newPerson() });
const configOf = async (app: TestApp) =>
  authConfigSchema.parse(await (await app.call("GET", accountPaths.authConfig)).json());

/** Expects that a change at each of them takes effect at the other. */
async function expectToAgree(a: TestApp, b: TestApp): Promise<void> {
  const owner = await signUpAs(a, "owner");
  await changeSettingsOf(a, owner, { productName: "Salon", registration: "closed" });
  // The rules of registration are read in its transaction, so that they hold at once.
  const refused = await register(b);
  expect([refused.status, (await problemOf(refused)).code]).toEqual([403, "registration-closed"]);
  await vi.waitFor(async () =>
    expect(await configOf(b)).toMatchObject({ productName: "Salon", registrationOpen: false }),
  );
  await changeSettingsOf(b, owner, { productName: null, registration: null });
  expect((await register(a)).status).toBe(201);
  await vi.waitFor(async () => expect((await configOf(a)).productName).toBe("Parley"));
}

describe.runIf(isOnPostgres)("two processes on one database", () => {
  it("processes without Redis poll each other's settings", async () => {
    await expectToAgree(await database.startServer(), await database.startServer());
  });

  it.runIf(testRedisUrl !== undefined)("processes with Redis notify each other of settings", async () => {
    const env = { REDIS_URL: testRedisUrl ?? "" };
    // Prevents polls: only notifications are left.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const [a, b] = [await database.startServer({ env }), await database.startServer({ env })];
    vi.useRealTimers();
    await expectToAgree(a, b);
  });

  it("concurrent changes at two processes are all recorded, and the last one is in effect", async () => {
    const [a, b] = [await database.startServer(), await database.startServer()];
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
  const app = await database.startServer();
  // The first check of the file only remembers its version.
  await app.context.otherWriters.check();
  using file = new DatabaseSync(sqliteFile(app.dataDir));
  file.exec(`insert into settings (name, value, changed_at) values ('productName', '"Salon"', 1)`);
  await vi.waitFor(() => expect(app.context.installation.current.productName).toBe("Salon"));
});
