import { defineConfig } from "vitest/config";

const never = ["**/node_modules/**", "build/**", "e2e/**"];

/** More than two cores, as tests wait for databases and timers for half of their time. */
const maxWorkers = 3;

/** A net against hanging, not a measurement: two cores are shared with the databases. */
const timeouts = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  setupFiles: ["testing/app/test-timeouts.ts"],
  retry: process.env.CI === undefined ? 0 : 1,
};

/** Tests in the folders below whose outcome depends on no engine: rendering, tokens, memory of replies. */
const alike = "html|tokenise|costly-texts|ended-replies";

/**
 * Tests whose outcome depends on the database engine: transactions, locks, full-text search, notifications, streams of
 * rows, unique violations, removal. `npm test` runs them on both engines. The other server tests issue plain queries
 * through Kysely: `npm test` runs them on SQLite, `npm run test:rest` on PostgreSQL too.
 */
const engineTests = [
  `server/{database,search,bus,limits,mail,usage,conversation,chats,transfer,cli,telemetry}/**/!(${alike}).test.ts`,
  "server/accounts/{google,registration}/**/*.test.ts",
  "server/accounts/sessions/{sessions,throttles}.test.ts",
  "server/accounts/settings/{change-email,deletion,long-deletion}.test.ts",
];

type Engine = { database: "sqlite" | "postgres"; include?: string[]; exclude?: string[] };

/** The server's tests on one database; TEST_DATABASE tells the factories in testing/ which one it is. */
const serverOn = (name: string, { database, include = ["server/**/*.test.ts"], exclude = [] }: Engine) => ({
  test: {
    name,
    environment: "node",
    // node:sqlite and argon2 hold native handles that worker threads share badly.
    pool: "forks",
    // Files share a process and its modules: starting a process for each took a third of the whole time.
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
          // A context with its own page and modules for each file, in few processes: a third of the processor time that a
          // process for each file takes. Without isolation modules would keep the state of other files' screens.
          pool: "vmForks",
          maxWorkers,
          include: ["web/**/*.test.{ts,tsx}"],
          exclude: never,
          css: false,
          // What it extends keeps it from taking these over.
          ...timeouts,
          setupFiles: [...timeouts.setupFiles, "testing/app/message-channel.ts", "web/testing/test-timeouts.ts"],
        },
      },
      serverOn("server-sqlite", { database: "sqlite", include: ["{server,testing}/**/*.test.ts"] }),
      serverOn("server-postgres", { database: "postgres", include: engineTests }),
      serverOn("server-postgres-rest", { database: "postgres", exclude: engineTests }),
    ],
  },
});
