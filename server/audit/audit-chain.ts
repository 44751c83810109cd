import { createHash } from "node:crypto";
import type { AuditEventRow } from "../database/tables/audit-tables.ts";

/** The hash before the first row. */
export const CHAIN_START = "0".repeat(64);

/** Returns the hash of a row that follows one with the hash `previous`. */
export function hashOfEvent(previous: string, event: Omit<AuditEventRow, "hash">): string {
  const { seq, at, kind, actor, subject, before, after } = event;
  const text = JSON.stringify([previous, seq, at, kind, actor, subject, before, after]);
  return createHash("sha256").update(text).digest("hex");
}
