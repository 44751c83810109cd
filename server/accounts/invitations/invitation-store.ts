import type { ExpressionBuilder } from "kysely";
import type { AccountRole } from "#contract/accounts/roles.ts";
import type { InvitationState } from "#contract/administration/invitations.ts";
import type { Queryable, Schema } from "../../database/schema.ts";
import type { InvitationRow, InvitationUseRow } from "../../database/tables/invitation-tables.ts";
import type { Reach } from "../roles/may-administer.ts";

/** Returns the state of an invitation at `now` (Unix time in ms). `active` is the condition {@link isActiveAt}. */
export function stateOf(invitation: InvitationRow, now: number): InvitationState {
  if (invitation.revoked_at !== null) return "revoked";
  if (invitation.uses >= invitation.uses_max) return "used";
  return invitation.expires_at <= now ? "expired" : "active";
}

type Condition = ExpressionBuilder<Schema, "invitations">;

/** An invitation that is used up has not ended: it is active again when an account that used it expires. */
const hasNotEndedAt = (now: number) => (eb: Condition) =>
  eb.and([eb("revoked_at", "is", null), eb("expires_at", ">", now)]);

/** Condition of an invitation that can be used. */
export const isActiveAt = (now: number) => (eb: Condition) =>
  eb.and([hasNotEndedAt(now)(eb), eb("uses", "<", eb.ref("uses_max"))]);

export async function insertInvitation(db: Queryable, invitation: InvitationRow): Promise<void> {
  await db.insertInto("invitations").values(invitation).execute();
}

export async function findInvitation(db: Queryable, id: string): Promise<InvitationRow | undefined> {
  return db.selectFrom("invitations").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Returns the invitation with a key, whatever its state. */
export async function findInvitationByKey(db: Queryable, keyHash: string): Promise<InvitationRow | undefined> {
  return db.selectFrom("invitations").selectAll().where("key_hash", "=", keyHash).executeTakeFirst();
}

/** Returns the invitation with which an account registered. */
export async function findInvitationOfUser(db: Queryable, userId: string): Promise<InvitationRow | undefined> {
  return db
    .selectFrom("invitations")
    .innerJoin("invitation_uses", "invitation_uses.invitation_id", "invitations.id")
    .selectAll("invitations")
    .where("invitation_uses.user_id", "=", userId)
    .executeTakeFirst();
}

/** Counts a use of an active invitation. One statement: of concurrent requests, only as many as it allows succeed. */
export async function takeInvitation(db: Queryable, keyHash: string, now: number): Promise<InvitationRow | undefined> {
  return db
    .updateTable("invitations")
    .set((eb) => ({ uses: eb("uses", "+", 1) }))
    .where("key_hash", "=", keyHash)
    .where(isActiveAt(now))
    .returningAll()
    .executeTakeFirst();
}

export async function insertInvitationUse(db: Queryable, use: InvitationUseRow): Promise<void> {
  await db.insertInto("invitation_uses").values(use).execute();
}

/** Stores the hash of an active invitation's key again; undefined if the invitation is not active. */
export async function renewInvitationKey(
  db: Queryable,
  { id, keyHash, now }: { id: string; keyHash: string; now: number },
): Promise<InvitationRow | undefined> {
  return db
    .updateTable("invitations")
    .set({ key_hash: keyHash })
    .where("id", "=", id)
    .where(isActiveAt(now))
    .returningAll()
    .executeTakeFirst();
}

/** Revokes an invitation. @returns whether it was not revoked before; undefined if it does not exist */
export async function revokeInvitationRow(db: Queryable, id: string, now: number): Promise<boolean | undefined> {
  const { numUpdatedRows } = await db
    .updateTable("invitations")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return true;
  const found = await db.selectFrom("invitations").select("id").where("id", "=", id).executeTakeFirst();
  return found && false;
}

/** Revokes the invitations into a group that have not ended. @returns the roles that they give, one for each */
export async function revokeInvitationsInto(db: Queryable, groupId: string, now: number): Promise<AccountRole[]> {
  const revoked = await db
    .updateTable("invitations")
    .set({ revoked_at: now })
    .where("group_id", "=", groupId)
    .where(hasNotEndedAt(now))
    .returning("role")
    .execute();
  return revoked.map(({ role }) => role);
}

/** Returns whether there are invitations into a group that have not ended. */
export async function hasInvitationsInto(db: Queryable, groupId: string, now: number): Promise<boolean> {
  const invitation = db.selectFrom("invitations").select("id").where("group_id", "=", groupId);
  return (await invitation.where(hasNotEndedAt(now)).limit(1).executeTakeFirst()) !== undefined;
}

/**
 * An invitation with the username of its creator, which is null if the account is gone, the name of its group, and the
 * wrong tries of its class code, which are null if it has none.
 */
export type ListedInvitation = InvitationRow & {
  creator: string | null;
  group_name: string | null;
  code_tries: number | null;
};

/**
 * Lists a page of invitations, newest first. `reach`: into all groups and none, or into one group. `before`: id of an
 * invitation; only older ones are listed.
 */
export async function listInvitationRows(
  db: Queryable,
  { reach, before, limit }: { reach: Reach; before?: string | undefined; limit: number },
): Promise<ListedInvitation[]> {
  return (
    db
      .selectFrom("invitations")
      .leftJoin("users", "users.id", "invitations.created_by")
      .leftJoin("account_groups", "account_groups.id", "invitations.group_id")
      .leftJoin("class_codes", "class_codes.invitation_id", "invitations.id")
      .selectAll("invitations")
      .select(["users.username as creator", "account_groups.name as group_name", "class_codes.tries as code_tries"])
      // Nothing equals null: a manager without a group sees no invitation.
      .$if(reach !== "all", (query) => query.where("invitations.group_id", "=", reach === "all" ? null : reach.groupId))
      .$if(before !== undefined, (query) => query.where("invitations.id", "<", before ?? ""))
      .orderBy("invitations.id", "desc")
      .limit(limit)
      .execute()
  );
}

export type InvitedUser = InvitationUseRow & { username: string; verified_at: number | null };

/**
 * Lists the accounts in a reach that registered with these invitations, newest first: at most `limit` for each. One that
 * is not verified yet is in a group only if an administrator has moved it there.
 */
export async function listInvitedUsers(
  db: Queryable,
  { invitationIds, reach, limit }: { invitationIds: readonly string[]; reach: Reach; limit: number },
): Promise<InvitedUser[]> {
  const ranked = db
    .selectFrom("invitation_uses")
    .innerJoin("users", "users.id", "invitation_uses.user_id")
    .selectAll("invitation_uses")
    .select(["users.username", "users.verified_at"])
    .select(({ fn }) =>
      fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy("invitation_id").orderBy("at", "desc").orderBy("user_id", "desc"))
        .as("rank"),
    )
    .where("invitation_id", "in", invitationIds)
    .$if(reach !== "all", (query) => query.where("users.group_id", "=", reach === "all" ? null : reach.groupId));
  return db
    .selectFrom(ranked.as("ranked"))
    .select(["user_id", "invitation_id", "at", "username", "verified_at"])
    .where("rank", "<=", limit)
    .orderBy("rank")
    .execute();
}

/** Removes invitations that expired or were revoked before `endedBefore`. */
export async function removeEndedInvitations(db: Queryable, endedBefore: number): Promise<void> {
  await db
    .deleteFrom("invitations")
    .where(({ eb, or }) => or([eb("expires_at", "<=", endedBefore), eb("revoked_at", "<=", endedBefore)]))
    .execute();
}
