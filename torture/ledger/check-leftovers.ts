import { isDeepStrictEqual } from "node:util";
import { openDatabase } from "../../server/database/open.ts";
import type { Database } from "../../server/database/schema.ts";
import { readCounters } from "../../testing/chats/read-counters.ts";
import type { Arrangement } from "../arrangements/arrangement.ts";
import { persist } from "../bounded.ts";
import type { Report } from "../report.ts";

/** Checks in the database of running servers that nothing is left of replies with tools that have ended. */
export async function checkLeftovers({ servers, env }: Arrangement, report: Report): Promise<void> {
  const { DATABASE_URL: postgresUrl } = env;
  const database = await openDatabase({ dataDir: servers[0].dataDir, ...(postgresUrl && { postgresUrl }) });
  try {
    // A process that was killed has settled its replies when it has started again, and another one after its lease.
    await persist("money stays reserved for replies that have ended", async () => (await reserved(database)) === 0);
    report.check("no money stays reserved for a reply that has ended", true, "");
    const turns = await database.selectFrom("provider_turns").select("message_id").execute();
    const ids = JSON.stringify(turns.map(({ message_id }) => message_id));
    report.check("nothing to return to a provider is left of a reply that has ended", turns.length === 0, ids);
    const { stored, counted } = await readCounters(database);
    report.check(
      "the counters of stored bytes are exact after kills of calls",
      isDeepStrictEqual(stored, counted),
      `${JSON.stringify(stored)}, counted were ${JSON.stringify(counted)}`,
    );
  } finally {
    await database.destroy();
  }
}

/** Counts the reservations of replies that no process writes. */
async function reserved(database: Database): Promise<number> {
  const rows = await database
    .selectFrom("budget_reservations")
    .innerJoin("messages", "messages.id", "budget_reservations.message_id")
    .select("budget_reservations.id")
    .where("messages.state", "!=", "writing")
    .execute();
  return rows.length;
}
