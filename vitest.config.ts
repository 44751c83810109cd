import { defineConfig } from "vitest/config";
import { HANG_MS } from "./testing/app/wait-for.ts";

const never = ["**/node_modules/**", "build/**", "e2e/**"];

/**
 * More workers than two cores, because tests wait for databases and timers half of the time. `npm test` sets
 * TEST_WORKERS while another stage runs.
 */
const maxWorkers = Number(process.env.TEST_WORKERS ?? 3);

/** Timeouts against hanging only, not measurements: the tests share two cores with the databases. */
const timeouts = {
  testTimeout: 2 * HANG_MS,
  hookTimeout: 2 * HANG_MS,
  expect: { poll: { timeout: HANG_MS } },
  setupFiles: ["testing/app/test-timeouts.ts"],
  // `npm test` and `npm run proof` report each test that needs its second try (scripts/test/remarks-reporter.ts).
  retry: process.env.TEST_REMARKS_FILE === undefined ? 0 : 1,
};

/**
 * Tests whose outcome depends on the database engine: transactions, locks, full-text search, notifications, backups,
 * several processes. `npm test` runs them on both engines. The other server tests issue plain queries through Kysely:
 * `npm test` runs them on SQLite, `npm run test:rest` on PostgreSQL too.
 */
const engineTests = ["server/**/*.engines.test.ts"];

/** Official scenarios of MCP, which start processes and use no database. */
const withoutDatabase = ["server/mcp/client/conformance-*.test.ts", "server/mcp/oauth/auth-scenarios.test.ts"];

type Engine = { database: "sqlite" | "postgres"; include?: string[]; exclude?: string[] };

/** Returns the project of the server's tests on one database, which `TEST_DATABASE` selects in testing/. */
const serverOn = (name: string, { database, include = ["server/**/*.test.ts"], exclude = [] }: Engine) => ({
  test: {
    name,
    environment: "node",
    // node:sqlite and argon2 hold native handles that worker threads share badly.
    pool: "forks",
    // Files share a process and its modules: a process for each file took a third of the whole time.
    isolate: false,
    ...timeouts,
    include,
    exclude: [...never, ...exclude],
    env: { TEST_DATABASE: database },
    ...(database === "postgres" && { globalSetup: "testing/database/migrated-database.ts" }),
  },
});

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          isolate: false,
          ...timeouts,
          include: ["{contract,scripts,bench,torture}/**/*.test.ts"],
          exclude: never,
        },
      },
      {
        extends: "./vite.config.ts",
        root: import.meta.dirname,
        test: {
          name: "web",
          environment: "happy-dom",
          // A VM context with its own page and modules for each file, in few processes, takes a third of the processor
          // time of a process per file. Without isolation, modules would retain the state of other files' screens.
          pool: "vmForks",
          maxWorkers,
          include: ["web/**/*.test.{ts,tsx}"],
          exclude: never,
          css: false,
          // Repeated, because a project with `extends` inherits nothing from this file.
          ...timeouts,
          setupFiles: [
            ...timeouts.setupFiles,
            "testing/app/message-channel.ts",
            "web/testing/set-up/test-timeouts.ts",
            "web/testing/set-up/simulated-dom.ts",
            "web/testing/set-up/error-texts.ts",
            "web/testing/set-up/unexpected-output.ts",
          ],
        },
      },
      serverOn("server-sqlite", { database: "sqlite", include: ["{server,testing}/**/*.test.ts"] }),
      serverOn("server-postgres", { database: "postgres", include: engineTests }),
      serverOn("server-postgres-rest", { database: "postgres", exclude: [...engineTests, ...withoutDatabase] }),
    ],
  },
});
