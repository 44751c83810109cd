import type { Queryable } from "../database/schema.ts";
import { CHAIN_START, hashOfEvent } from "./audit-chain.ts";
import { findHead, listEventsAfter } from "./audit-store.ts";

const BATCH = 1000;

/**
 * `rows`: number of sound rows from the first on. `hash`: that of the last of them; whoever keeps it can later prove
 * that no row up to it was replaced. `brokenAt`: number of the first row that is missing or changed.
 */
export type AuditVerdict = { rows: number; hash: string; brokenAt?: number };

/** Computes the hash chain of all records of administration again. */
export async function verifyAudit(db: Queryable): Promise<AuditVerdict> {
  const head = await findHead(db);
  let seq = 0;
  let hash = CHAIN_START;
  for (;;) {
    const batch = await listEventsAfter(db, seq, BATCH);
    for (const event of batch) {
      const isNext = event.seq === seq + 1 && event.hash === hashOfEvent(hash, event);
      // Rows that were all computed again differ from the end that was stored apart.
      const isOther = event.seq === head?.seq && event.hash !== head.hash;
      if (!isNext || isOther) return { rows: seq, hash, brokenAt: seq + 1 };
      seq = event.seq;
      hash = event.hash;
    }
    if (batch.length < BATCH) break;
  }
  const isCut = (head?.seq ?? 0) > seq;
  return { rows: seq, hash, ...(isCut && { brokenAt: seq + 1 }) };
}
