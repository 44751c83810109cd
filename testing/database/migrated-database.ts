import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import process from "node:process";
import { openDatabase } from "../../server/database/open.ts";
import { createPostgresDatabase, dropDatabasesOf } from "./test-database.ts";

/**
 * Global set-up of a run of Vitest on PostgreSQL: creates a database with the schema as the template of test databases.
 * @returns the teardown, which drops it and all databases that the tests have left
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const run = randomBytes(4).toString("hex");
  const { name, url } = await createPostgresDatabase("", run);
  await (await openDatabase({ dataDir: tmpdir(), postgresUrl: url })).destroy();
  // Worker processes inherit these variables.
  process.env.TEST_DATABASE_RUN = run;
  process.env.TEST_DATABASE_TEMPLATE = name;
  return () => dropDatabasesOf(run);
}
