import type { Queryable } from "../../database/schema.ts";
import type { InvitationRow } from "../../database/tables/invitation-tables.ts";
import { isActiveAt } from "./invitation-store.ts";

/** Inserts as many rows as one statement may hold: those of one request. */
export async function insertInvitations(db: Queryable, rows: readonly InvitationRow[]): Promise<void> {
  if (rows.length > 0) await db.insertInto("invitations").values(rows).execute();
}

export type OpenInvitation = Pick<InvitationRow, "id" | "role"> & { address_key: string | null };

/** Lists the active invitations of these addresses into a group, or into none, newest first. */
export async function listOpenInvitations(
  db: Queryable,
  { addressKeys, groupId, now }: { addressKeys: readonly string[]; groupId: string | null; now: number },
): Promise<OpenInvitation[]> {
  if (addressKeys.length === 0) return [];
  return db
    .selectFrom("invitations")
    .select(["id", "role", "address_key"])
    .where("address_key", "in", addressKeys)
    .where("group_id", groupId === null ? "is" : "=", groupId)
    .where(isActiveAt(now))
    .orderBy("id", "desc")
    .execute();
}
