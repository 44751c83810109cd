import { defineConfig } from "vitest/config";

const never = ["**/node_modules/**", "build/**", "e2e/**"];

/** A net against hanging, not a measurement: two cores are shared with the databases. */
const patience = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  setupFiles: ["testing/patient-waits.ts"],
  retry: process.env.CI === undefined ? 0 : 1,
};

/** The server's tests run whole on each database; TEST_DATABASE tells the factories in testing/ which one it is. */
const serverOn = (database: "sqlite" | "postgres") => ({
  test: {
    name: `server-${database}`,
    environment: "node",
    // node:sqlite and argon2 hold native handles that worker threads share badly.
    pool: "forks",
    ...patience,
    include: ["server/**/*.test.ts", "testing/**/*.test.ts"],
    exclude: never,
    env: { TEST_DATABASE: database },
    ...(database === "postgres" && { globalSetup: "testing/migrated-database.ts" }),
  },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          ...patience,
          include: ["contract/**/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: never,
        },
      },
      {
        extends: "./vite.config.ts",
        root: import.meta.dirname,
        test: {
          name: "web",
          environment: "happy-dom",
          include: ["web/**/*.test.{ts,tsx}"],
          exclude: never,
          css: false,
          // What it extends keeps it from taking these over.
          ...patience,
          setupFiles: [...patience.setupFiles, "web/patient-tests.ts"],
        },
      },
      serverOn("sqlite"),
      serverOn("postgres"),
    ],
  },
});
