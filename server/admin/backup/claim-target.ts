import type { Database, Queryable } from "../../database/schema.ts";
import { Refusal } from "../command.ts";
import { beginCopy, dropEverything, findForeignTables, isServed, lockServers } from "./copy-store.ts";

/** @throws Refusal where servers run on a PostgreSQL database, or it holds tables of another program under our names */
export async function refuseTarget(db: Queryable): Promise<void> {
  if (await isServed(db)) {
    throw new Refusal("Servers are running on the target. Stop them first; one that was killed counts for 5 s.");
  }
  const foreign = await findForeignTables(db);
  if (foreign.length === 0) return;
  throw new Refusal(
    `The target holds tables that this version of the program has not made (${foreign.join(", ")}), which would be ` +
      "dropped: name another database, or another schema in the search_path of its user.",
  );
}

/**
 * Makes a PostgreSQL database the empty target of a copy, all or nothing.
 * @throws Refusal as {@link refuseTarget}: servers may have been started since it was asked
 */
export async function claimTarget(database: Database, source: string): Promise<void> {
  await database.transaction().execute(async (db) => {
    await lockServers(db);
    await refuseTarget(db);
    await dropEverything(db);
    await beginCopy(db, source);
  });
}
