import {
  AUDIT_ACCOUNTS_MAX,
  AUDIT_PAGE,
  type AuditCsvQuery,
  type AuditEntry,
  type AuditList,
  type AuditQuery,
  type NamedInvitation,
  type OwnAudit,
} from "#contract/administration/administration.ts";
import { CSV_START, csvLine } from "#contract/text/csv.ts";
import { listGroupNames } from "../accounts/membership/group-store.ts";
import type { Queryable } from "../database/schema.ts";
import type { AuditEventRow } from "../database/tables/audit-tables.ts";
import { listMatchingIds } from "./account-search-store.ts";
import {
  type AuditFilter,
  listEvents,
  listEventsAbout,
  listNamedInvitations,
  listParties,
  type NamedInvitationRow,
} from "./audit-log-store.ts";

/** Rows of a CSV that are read at a time. */
const BATCH = 500;

/** Returns a page of the records of administration, newest first. */
export async function listAudit(db: Queryable, { before, ...query }: AuditQuery): Promise<AuditList> {
  const { isPartial, ...filter } = await resolve(db, query);
  const rows = await listEvents(db, filter, { before, limit: AUDIT_PAGE });
  const groups = await listGroupNames(db, groupIdsIn(rows));
  const invitations = await listNamedInvitations(db, invitationIdsIn(rows));
  const entries = await toEntries(db, rows);
  return {
    entries,
    ...(groups.length > 0 && { groups }),
    ...(invitations.length > 0 && { invitations: invitations.map(toNamedInvitation) }),
    ...(isPartial && { isPartial }),
  };
}

function invitationIdsIn(rows: readonly AuditEventRow[]): string[] {
  const about = rows.filter(({ kind }) => kind === "invitation-created" || kind === "invitation-revoked");
  return [...new Set(about.flatMap(({ subject }) => subject ?? []))];
}

function toNamedInvitation({ id, address, uses_max }: NamedInvitationRow): NamedInvitation {
  return { id, ...(address !== null && { address }), usesMax: uses_max };
}

/** Returns the ids of groups that rows name: as the group that was changed, or as that of an account. */
function groupIdsIn(rows: readonly AuditEventRow[]): string[] {
  const ids = rows.flatMap((row) => {
    if (!row.kind.startsWith("group-") && row.kind !== "invitation-created") return [];
    const { before, after } = factsOf(row);
    const named = [before?.group, after?.group].filter((id): id is string => typeof id === "string");
    return row.subject !== null && row.kind !== "group-assigned" ? [row.subject, ...named] : named;
  });
  return [...new Set(ids)];
}

type AuditFacts = Omit<AuditEntry, "actor" | "subject">;

/** Resolves the accounts that a query names. */
async function resolve(db: Queryable, { kind, account, q = "" }: AuditCsvQuery) {
  const found = q.trim() === "" ? undefined : await listMatchingIds(db, q, AUDIT_ACCOUNTS_MAX + 1);
  const parties = [
    ...(account === undefined ? [] : [[account]]),
    ...(found ? [found.slice(0, AUDIT_ACCOUNTS_MAX)] : []),
  ];
  const filter: AuditFilter = { kind, parties };
  return { ...filter, ...(found && found.length > AUDIT_ACCOUNTS_MAX && { isPartial: true as const }) };
}

/** Resolves ids to usernames: records outlive accounts and hold none. */
async function toEntries(db: Queryable, rows: readonly AuditEventRow[]): Promise<AuditEntry[]> {
  const ids = new Set(rows.flatMap(({ actor, subject }) => [actor, subject].filter((id) => id !== null)));
  const usernames = new Map((await listParties(db, [...ids])).map(({ id, username }) => [id, username]));
  const partyOf = (id: string | null) => {
    if (id === null) return null;
    const username = usernames.get(id);
    return { id, ...(username !== undefined && { username }) };
  };
  return rows.map((row) => ({ ...factsOf(row), actor: partyOf(row.actor), subject: partyOf(row.subject) }));
}

function factsOf({ seq, at, kind, before, after }: AuditEventRow): AuditFacts {
  return {
    ...{ seq, at, kind },
    ...(before !== null && { before: JSON.parse(before) }),
    ...(after !== null && { after: JSON.parse(after) }),
  };
}

/** Returns a page of the records about an account for its owner, newest first. Names of others are left out. */
export async function listOwnAudit(db: Queryable, userId: string, before: number | undefined): Promise<OwnAudit> {
  const rows = await listEventsAbout(db, userId, { before, limit: AUDIT_PAGE });
  const actors = await listParties(db, [...new Set(rows.flatMap(({ actor }) => actor ?? []))]);
  const roles = new Map(actors.map(({ id, role }) => [id, role]));
  const actorOf = (id: string | null) => {
    if (id === null) return null;
    const role = roles.get(id);
    return { isOwn: id === userId, ...(role !== undefined && { role }) };
  };
  return { entries: rows.map((row) => ({ ...factsOf(row), actor: actorOf(row.actor) })) };
}

const columns = [...["number", "time", "kind", "actor id", "actor"], ...["subject id", "subject", "before", "after"]];

/** Writes all records that match as CSV, newest first. Times are in ISO 8601, values are JSON. */
export async function* writeAudit(db: Queryable, query: AuditCsvQuery): AsyncGenerator<string> {
  const filter = await resolve(db, query);
  yield CSV_START + csvLine(columns);
  let before: number | undefined;
  for (;;) {
    const rows = await listEvents(db, filter, { before, limit: BATCH });
    const entries = await toEntries(db, rows);
    yield entries.map((entry) => csvLine(cellsOf(entry))).join("");
    before = rows.at(-1)?.seq;
    if (rows.length < BATCH) return;
  }
}

function cellsOf({ seq, at, kind, actor, subject, before, after }: AuditEntry): (string | number | undefined)[] {
  const values = [before, after].map((value) => value && JSON.stringify(value));
  const parties = [actor, subject].flatMap((party) => [party?.id, party?.username]);
  return [seq, new Date(at).toISOString(), kind, ...parties, ...values];
}
