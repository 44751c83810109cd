import { inRuns } from "./in-runs.ts";
import type { MessageRow, Queryable } from "./schema.ts";

/**
 * Removes as many of these messages, with their dependent rows, as one statement should.
 * @returns whether there were any
 */
export async function removeMessageRun(
  db: Queryable,
  messages: readonly Pick<MessageRow, "id" | "rev">[],
): Promise<boolean> {
  const [run] = inRuns(messages, ({ rev }) => 1 + rev);
  if (!run) return false;
  const ids = run.map(({ id }) => id);
  await db.deleteFrom("messages").where("id", "in", ids).execute();
  return true;
}
