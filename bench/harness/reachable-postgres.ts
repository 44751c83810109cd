import { createPostgresDatabase } from "../../testing/database/test-database.ts";

/** Creates a database at TEST_DATABASE_URL; prints why there is none. */
export async function reachablePostgres() {
  const database = await createPostgresDatabase().catch(() => undefined);
  if (!database) console.log("PostgreSQL is not reachable at TEST_DATABASE_URL: not measured");
  return database;
}
