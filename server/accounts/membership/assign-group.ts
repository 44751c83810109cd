import { holdAdministration, recordAudit } from "../../audit/record-audit.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import type { AccountGroupRow } from "../../database/tables/administration-tables.ts";
import { Failure } from "../../failure.ts";
import { changeAccount } from "../account-changes-store.ts";
import { findGroup } from "./group-store.ts";

/** `groupId`: null for none. `actor`: id of the acting account; null for a command on the server. */
type Assigned = { groupId: string | null; at: number; actor: string | null };

/**
 * Moves a locked account to a group, and records it.
 * @returns whether it was in another group, or in none
 * @throws Failure `invalid-input` if the group does not exist
 */
export async function assignGroup(db: Queryable, user: UserRow, { groupId, at, actor }: Assigned): Promise<boolean> {
  if (user.group_id === groupId) return false;
  if (groupId !== null) await holdGroup(db, groupId);
  await changeAccount(db, user.id, { group_id: groupId });
  const values = { before: { group: user.group_id }, after: { group: groupId } };
  await recordAudit(db, { kind: "group-assigned", at, actor, subject: user.id, ...values });
  return true;
}

/**
 * Returns the group that a request names, which exists until the end of the transaction: its deletion waits for the lock
 * of administration, and then sees the new member or invitation.
 * @throws Failure `invalid-input` if it does not exist
 */
export async function holdGroup(db: Queryable, groupId: string): Promise<AccountGroupRow> {
  await holdAdministration(db);
  return requireGroup(db, groupId);
}

/** Returns the group that a request names. @throws Failure `invalid-input` if it does not exist */
export async function requireGroup(db: Queryable, groupId: string): Promise<AccountGroupRow> {
  const group = await findGroup(db, groupId);
  if (!group) throw new Failure("invalid-input", { issues: [{ field: "groupId", rule: "invalid" }] });
  return group;
}
