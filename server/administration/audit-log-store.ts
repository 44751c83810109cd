import type { AuditKind } from "#contract/administration/audit.ts";
import type { Queryable, UserRow } from "../database/schema.ts";
import type { AuditEventRow } from "../database/tables/audit-tables.ts";
import type { InvitationRow } from "../database/tables/invitation-tables.ts";

export type AuditFilter = {
  kind?: AuditKind | undefined;
  /** Ids, each of the acting or the affected account. Every one of the lists must have one of them. */
  parties: readonly (readonly string[])[];
};

export type AuditPage = { before?: number | undefined; limit: number };

type Party = "actor" | "subject";

/** Lists records, newest first. */
export async function listEvents(db: Queryable, filter: AuditFilter, page: AuditPage): Promise<AuditEventRow[]> {
  const [first, ...others] = filter.parties;
  // PostgreSQL refuses an empty list of values.
  if (filter.parties.some((ids) => ids.length === 0)) return [];
  if (first === undefined) return selectEvents(db, filter, page).execute();
  // Two queries, each of which an index serves. One with OR would read the records of all accounts.
  const of = (party: Party) => {
    const other = party === "actor" ? "subject" : "actor";
    let query = selectEvents(db, filter, page).where(party, "in", first);
    for (const ids of others) query = query.where(({ eb, or }) => or([eb(party, "in", ids), eb(other, "in", ids)]));
    return query.execute();
  };
  const rows = [...(await of("actor")), ...(await of("subject"))];
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq).slice(0, page.limit);
}

/** Lists records about an account, newest first. */
export async function listEventsAbout(db: Queryable, subject: string, page: AuditPage): Promise<AuditEventRow[]> {
  return selectEvents(db, {}, page).where("subject", "=", subject).execute();
}

function selectEvents(db: Queryable, { kind }: Pick<AuditFilter, "kind">, { before, limit }: AuditPage) {
  let query = db.selectFrom("audit_events").selectAll();
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (before !== undefined) query = query.where("seq", "<", before);
  return query.orderBy("seq", "desc").limit(limit);
}

/** Usernames and roles of these accounts; removed ones are left out. */
export async function listParties(
  db: Queryable,
  ids: readonly string[],
): Promise<Pick<UserRow, "id" | "username" | "role">[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("users").select(["id", "username", "role"]).where("id", "in", ids).execute();
}

export type NamedInvitationRow = Pick<InvitationRow, "id" | "address" | "uses_max">;

/** Addresses and numbers of uses of these invitations; removed ones are left out. */
export async function listNamedInvitations(db: Queryable, ids: readonly string[]): Promise<NamedInvitationRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("invitations").select(["id", "address", "uses_max"]).where("id", "in", ids).execute();
}
