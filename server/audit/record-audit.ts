import type { AuditKind } from "#contract/administration/audit.ts";
import type { Queryable } from "../database/schema.ts";
import { hashOfEvent } from "./audit-chain.ts";
import { appendEvent, holdHead } from "./audit-store.ts";

/** Values that a change replaced. Never names, addresses or network addresses of accounts: rows outlive them. */
type Values = Record<string, string | number | boolean | null | readonly string[]>;

/** `actor` and `subject`: ids; an `actor` of null is a command on the server itself. */
export type AuditEntry = {
  kind: AuditKind;
  at: number;
  actor: string | null;
  subject: string | null;
  before?: Values;
  after?: Values;
};

/**
 * Waits until other transactions that administer have ended, and makes later ones wait for this one. Lock accounts
 * before: a second order could deadlock.
 */
export async function holdAdministration(db: Queryable): Promise<void> {
  await holdHead(db);
}

/** Records an action of administration, in its transaction: the action and its row are committed together. */
export async function recordAudit(db: Queryable, { before, after, ...entry }: AuditEntry): Promise<void> {
  const head = await holdHead(db);
  const event = {
    ...entry,
    seq: head.seq + 1,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
  };
  await appendEvent(db, { ...event, hash: hashOfEvent(head.hash, event) });
}
