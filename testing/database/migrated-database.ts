import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import process from "node:process";
import { openDatabase } from "../../server/database/open.ts";
import { createPostgresDatabase, dropDatabasesOf } from "./test-database.ts";

/**
 * Once for a run of Vitest on PostgreSQL: makes a database that has the schema, which those of tests are copied from.
 * @returns what drops it, and whatever the tests have left
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const run = randomBytes(4).toString("hex");
  const { name, url } = await createPostgresDatabase("", run);
  await (await openDatabase({ dataDir: tmpdir(), postgresUrl: url })).destroy();
  // The processes of the tests get them.
  process.env.TEST_DATABASE_RUN = run;
  process.env.TEST_DATABASE_TEMPLATE = name;
  return () => dropDatabasesOf(run);
}
