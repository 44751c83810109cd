import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import { openAsItIs } from "../../server/database/open.ts";
import type { Database } from "../../server/database/schema.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  type TestAppOptions,
  type TestHarness,
} from "../app/start-test-app.ts";
import { createPostgresDatabase, isOnPostgres } from "../database/test-database.ts";
import { type AdminResult, admin } from "./run-admin.ts";

/** The installation of the running test. Everything that these functions open is disposed after the test. */
export type BackupSetUp = {
  readonly harness: TestHarness;
  /** Path for a backup, which does not exist yet. */
  readonly file: string;
  readonly opened: AsyncDisposableStack;
  /** Starts a server, by default of the installation, whose demo assistant answers at once. The test disposes it. */
  start(on?: TestHarness, options?: Pick<TestAppOptions, "clock">): Promise<TestApp>;
  /** Runs a command of administration with `--json`, by default on the installation. */
  run(words: readonly string[], on?: TestHarness): Promise<AdminResult>;
  /** Creates an empty installation on the engine of the run. */
  createTarget(): Promise<TestHarness>;
  /** Creates an empty installation on the other engine. */
  createOtherTarget(): Promise<TestHarness>;
  /** Creates a PostgreSQL database. @returns its URL */
  createPostgres(): Promise<string>;
  /** Opens the database without migrations while `work` runs. */
  withDatabase<Result>(on: TestHarness, work: (database: Database) => Promise<Result>): Promise<Result>;
};

/** Gives each test of a file a new installation to back up, restore or move. */
export function setUpBackups(): BackupSetUp {
  // Detects hanging only: the spawned processes share two cores with all other tests.
  vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
  let opened = new AsyncDisposableStack();
  let harness: TestHarness;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    harness = opened.use(await createTestHarness());
  });
  afterEach(() => opened.disposeAsync());

  const createTarget = async () => opened.use(await createTestHarness());
  const createPostgres = async () => opened.use(await createPostgresDatabase()).url;
  return {
    get harness() {
      return harness;
    },
    get file() {
      return join(harness.dataDir, "installation.parley");
    },
    get opened() {
      return opened;
    },
    start: (on = harness, options = {}) => startTestApp({ ...options, harness: on, demoPause: async () => undefined }),
    run: (words, on = harness) => admin(on, [...words, "--json"]),
    createTarget,
    createOtherTarget: async () => ({
      ...(await createTarget()),
      env: isOnPostgres ? {} : { DATABASE_URL: await createPostgres() },
    }),
    createPostgres,
    withDatabase: async ({ dataDir, env }, work) => {
      const database = await openAsItIs({ dataDir, ...(env.DATABASE_URL && { postgresUrl: env.DATABASE_URL }) });
      return await work(database).finally(() => database.destroy());
    },
  };
}
