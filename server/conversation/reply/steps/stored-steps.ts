import type { Queryable } from "../../../database/schema.ts";
import { listTurns, type StepTurn } from "./provider-turn-store.ts";
import { listResumptions, type StoredResumption } from "./tool-resumption-store.ts";

/**
 * What the next run of a reply needs of its earlier steps: `turns` for their providers, and the resumptions of calls, by
 * their `seq`.
 */
export type StoredSteps = { turns: readonly StepTurn[]; resumptions: ReadonlyMap<number, StoredResumption> };

export async function readSteps(db: Queryable, messageId: string): Promise<StoredSteps> {
  const turns = await listTurns(db, messageId);
  return { turns, resumptions: await listResumptions(db, messageId) };
}
