import { refuseOtherEncoding } from "../../database/encoding.ts";
import { FIRST_MIGRATION, findSchemaState } from "../../database/migrate.ts";
import type { Database, Queryable } from "../../database/schema.ts";
import { Refusal } from "../command.ts";
import {
  beginCopy,
  dropEverything,
  findForeignTables,
  findNamesInTheWay,
  isServed,
  lockServers,
} from "./copy-store.ts";

/**
 * Checks that a PostgreSQL database may become the target of a copy.
 * @throws Refusal if servers use it, if a newer version has changed it, if it contains objects of another program under
 *   our names, or if it is new and its encoding cannot store every text
 */
export async function refuseTarget(db: Queryable): Promise<void> {
  if (await isServed(db)) {
    throw new Refusal("Servers are running on the target. Stop them first; a killed server counts as running for 5 s.");
  }
  const { applied, unknown } = await findSchemaState(db);
  if (applied[0] === FIRST_MIGRATION && unknown.length > 0) {
    throw new Refusal(
      `A newer version of this program has changed the target (${unknown.join(", ")}), and only that version knows all ` +
        "its tables: run this command with that version, or name another database.",
    );
  }
  const elsewhere = "name another database, or another schema in the search_path of its user.";
  const foreign = await findForeignTables(db);
  if (foreign.length > 0) {
    throw new Refusal(
      `The target has tables that this version of the program did not create (${foreign.join(", ")}) and would drop: ` +
        elsewhere,
    );
  }
  const inTheWay = await findNamesInTheWay(db);
  if (inTheWay.length > 0) {
    throw new Refusal(
      `The target has views or types with names that its tables need (${inTheWay.join(", ")}): ${elsewhere}`,
    );
  }
  if (applied.length > 0) return;
  await refuseOtherEncoding(db).catch((cause: Error) => {
    throw new Refusal(cause.message, "refused", { cause });
  });
}

/**
 * Turns a PostgreSQL database into the empty target of a copy, in one transaction.
 * @throws Refusal as {@link refuseTarget}, because servers may have started since its last call
 */
export async function claimTarget(database: Database, source: string): Promise<void> {
  await database.transaction().execute(async (db) => {
    await lockServers(db);
    await refuseTarget(db);
    await dropEverything(db);
    await beginCopy(db, source);
  });
}
