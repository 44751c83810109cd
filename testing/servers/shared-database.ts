import { createTestHarness, startTestApp, type TestApp, type TestAppOptions } from "../app/start-test-app.ts";

/** A database of several servers. Disposal ends all of them, and removes it. */
export interface SharedDatabase extends AsyncDisposable {
  /** Starts a server with a data folder of its own. Each accepts the tokens of the others. */
  startServer(options?: Omit<TestAppOptions, "harness">): Promise<TestApp>;
}

/**
 * Creates a database on which a test starts its servers. Two of them need PostgreSQL: on SQLite the database is in the
 * data folder.
 */
export async function createSharedDatabase(): Promise<SharedDatabase> {
  await using opened = new AsyncDisposableStack();
  const harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
  const resources = opened.move();
  return {
    startServer: async ({ env, ...options } = {}) => {
      const own = resources.use(await createTestHarness(harness));
      const settings = { SECRET_KEY: "kDq0mB1xE7pQ4vY9sT2wR6uZ3nL8aC5f", ...env };
      return resources.use(await startTestApp({ ...options, harness: own, env: settings }));
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
