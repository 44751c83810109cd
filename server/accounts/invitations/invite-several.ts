import { setImmediate } from "node:timers/promises";
import { hasRole } from "#contract/accounts/roles.ts";
import type { BulkInvitations, BulkOutcome, BulkResult } from "#contract/administration/bulk-invitations.ts";
import { mayRevoke, newInvitationSchema } from "#contract/administration/invitations.ts";
import { holdAdministration, recordAudit } from "../../audit/record-audit.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import type { InvitationRow } from "../../database/tables/invitation-tables.ts";
import type { Limits } from "../../limits/limits.ts";
import { emailKeyOf, mailboxOfOthers } from "../account-keys.ts";
import type { AccountContext } from "../accounts.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import {
  enqueueInvitation,
  holdInvitedGroup,
  linkOfInvitation,
  newInvitationRow,
  recordInvitation,
} from "./administer-invitations.ts";
import { insertInvitations, listOpenInvitations, type OpenInvitation } from "./bulk-invitation-store.ts";
import { revokeInvitationRow } from "./invitation-store.ts";

const { address: addressSchema, note: noteSchema } = newInvitationSchema.shape;

/** Lines after which the event loop is released: about 5 ms of SQLite, which runs in it. */
const STEP_LINES = 10;

async function* inSteps<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const [index, item] of items.entries()) {
    // Only one transaction of SQLite runs at a time, so that of many requests only one works in each iteration.
    if (index > 0 && index % STEP_LINES === 0) await setImmediate();
    yield item;
  }
}

/**
 * A running request. `open`: active invitations into the group by the keys of their addresses. `seen`: keys of earlier
 * lines. `rows`: new invitations.
 */
type Batch = {
  accounts: AccountContext;
  db: Queryable;
  user: UserRow;
  request: BulkInvitations;
  groupId: string | null;
  open: ReadonlyMap<string | null, readonly OpenInvitation[]>;
  seen: Set<string>;
  rows: InvitationRow[];
  countMail: CountMail;
};

/**
 * Invites several addresses in one transaction; a refused line does not stop the others. Does not look up accounts of
 * the addresses: managers would learn of accounts outside their group.
 * @returns one result for each line
 * @throws Failure `not-permitted` if the account may not give that role or group, or let others into it; `invalid-input`
 *   if the group does not exist; those of {@link changeAs}
 */
export async function inviteSeveral(
  accounts: AccountContext,
  request: BulkInvitations,
  { identity }: Changer,
): Promise<BulkResult[]> {
  return changeAs(accounts, identity, "proof", async ({ db, user }) => {
    // Locked before the counters of mailboxes, as in other transactions: a second order could deadlock. A concurrent
    // request with the same list waits here, and then finds these invitations.
    await holdAdministration(db);
    const now = accounts.clock.now();
    const groupId = (await holdInvitedGroup(db, user, { ...request, at: now }))?.id ?? null;
    const addressKeys = request.lines.map(({ address }) => emailKeyOf(address));
    const open = Map.groupBy(await listOpenInvitations(db, { addressKeys, groupId, now }), (each) => each.address_key);
    const countMail = mailCounter(accounts.limits, db, user);
    const rows: InvitationRow[] = [];
    const batch: Batch = { accounts, db, user, request, groupId, open, seen: new Set(), rows, countMail };
    const results: BulkResult[] = [];
    for await (const line of inSteps(request.lines)) results.push(await inviteLine(batch, line));
    await insertInvitations(db, rows);
    for await (const row of inSteps(rows)) {
      await recordInvitation(db, row);
      if (request.mail) await enqueueInvitation(accounts.outbox, db, row);
    }
    return results;
  });
}

async function inviteLine(batch: Batch, line: BulkInvitations["lines"][number]): Promise<BulkResult> {
  const { accounts, db, user, request, groupId, seen, rows } = batch;
  const { address } = line;
  const note = noteSchema.safeParse(line.note);
  if (!addressSchema.safeParse(address).success) return { address, outcome: "invalid-address" };
  if (!note.success) return { address, outcome: "invalid-note" };
  const key = emailKeyOf(address);
  if (seen.has(key)) return { address, outcome: "duplicate" };
  seen.add(key);
  const open = batch.open.get(key) ?? [];
  const isReplaced = request.replace && open.every(({ role }) => mayRevoke(user.role, role));
  if (open[0] && !isReplaced) return { address, outcome: "already-invited", id: open[0].id };
  const refusal = request.mail ? await batch.countMail(address) : null;
  if (refusal) return { address, outcome: refusal };
  const invitation = { address, role: request.role, lifeMs: request.lifeMs, note: note.data };
  const row = { ...newInvitationRow(accounts, invitation, user.id), group_id: groupId };
  for (const { id } of open) {
    await revokeInvitationRow(db, id, row.created_at);
    await recordAudit(db, { kind: "invitation-revoked", at: row.created_at, actor: user.id, subject: id });
  }
  rows.push(row);
  return { address, outcome: "invited", id: row.id, link: linkOfInvitation(accounts, row.id) };
}

/** Counts a mail to an address. @returns the limit that is reached; null if the mail may be sent */
type CountMail = (address: string) => Promise<Extract<BulkOutcome, `too-many-mails${string}`> | null>;

/** Returns the counter of a request's mails, which counts in its transaction. */
function mailCounter(limits: Limits, db: Queryable, user: UserRow): CountMail {
  const limit = hasRole(user.role, "administrator") ? "bulk-invitation-mail" : "manager-invitation-mail";
  // A mail that was counted for the account and refused for its mailbox: the next line uses the count.
  let isCounted = false;
  // Later lines count no mailbox.
  let isUsedUp = false;
  return async (address) => {
    if (isUsedUp) return "too-many-mails";
    isCounted ||= await limits.permits(db, limit, user.id);
    isUsedUp = !isCounted;
    if (isUsedUp) return "too-many-mails";
    if (!(await limits.permits(db, "mail-to-address-hour", mailboxOfOthers(address))))
      return "too-many-mails-to-address";
    isCounted = false;
    return null;
  };
}
