import { hasRole } from "#contract/accounts/roles.ts";
import type { ReceivedInvitation } from "#contract/administration/invitations.ts";
import { holdAdministration, recordAudit } from "../../audit/record-audit.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import type { InvitationRow } from "../../database/tables/invitation-tables.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { emailKeyOf } from "../account-keys.ts";
import { findUser, isActive } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { countWrongKeys } from "../mailed-keys/count-wrong-keys.ts";
import { hashMailedKey } from "../mailed-keys/mailed-keys.ts";
import { assignGroup } from "../membership/assign-group.ts";
import { giveRole } from "../roles/give-role.ts";
import { mayInvite, roleHolderOf } from "../roles/may-administer.ts";
import { displayNameOf } from "../to-user.ts";
import {
  findInvitationByKey,
  findInvitationOfUser,
  insertInvitationUse,
  stateOf,
  takeInvitation,
} from "./invitation-store.ts";

/**
 * Returns what the person who opens an invitation's link sees. Does not use the invitation.
 * @throws Failure `bad-invitation`, the same for an unknown, used, expired or revoked one; `too-many-requests`
 */
export async function readInvitation(
  accounts: AccountContext,
  key: string,
  client: Client,
): Promise<ReceivedInvitation> {
  const invitation = await countWrongKeys(accounts, client, () => findActive(accounts, key, client));
  return receiveInvitation(accounts, invitation);
}

/** Returns what a person with the key of an invitation sees of it. */
export async function receiveInvitation(
  { database, installation }: AccountContext,
  { address, created_by }: InvitationRow,
): Promise<ReceivedInvitation> {
  const inviter = await findUser(database, created_by);
  return {
    ...(inviter && { inviter: displayNameOf(inviter) }),
    ...(address !== null && { address }),
    productName: installation.current.productName,
  };
}

/**
 * Checks whether an address can register with an invitation, before more work is done for it.
 * @returns the invitation, which may have ended at the registration
 * @throws Failure `bad-invitation`, `invitation-address`, `too-many-requests`
 */
export async function checkInvitation(
  accounts: AccountContext,
  key: string,
  { email, client }: { email: string; client: Client },
): Promise<InvitationRow> {
  return countWrongKeys(accounts, client, async () => {
    const invitation = await findActive(accounts, key, client);
    refuseOtherAddress(invitation, email);
    return invitation;
  });
}

/**
 * Uses an invitation for a new account, in the transaction that creates it. Must be its last lock before that of
 * administration, because other requests with the same invitation wait for it.
 * @throws Failure `bad-invitation`, `invitation-address`
 */
export async function spendInvitation(
  db: Queryable,
  key: string,
  { user, client }: { user: UserRow; client: Client },
): Promise<void> {
  const at = user.created_at;
  const taken = await takeInvitation(db, hashMailedKey(key), at);
  if (!taken || !mayUse(client, taken)) throw new Failure("bad-invitation");
  refuseOtherAddress(taken, user.email);
  await insertInvitationUse(db, { user_id: user.id, invitation_id: taken.id, at });
}

/**
 * Gives an invited account the group of its invitation if that still exists and the account is in none, and the role if
 * the inviter may still give it and nobody has revoked the invitation. The group limits the account, so that it does not
 * depend on the inviter. Must be called in the transaction that verifies the account, whose row is locked.
 * @returns the current account
 */
export async function completeInvitation(db: Queryable, user: UserRow, now: number): Promise<UserRow> {
  if (!(await findInvitationOfUser(db, user.id))) return user;
  // From here on nobody can demote the inviter or revoke the invitation before the end of this transaction.
  await holdAdministration(db);
  const invitation = await findInvitationOfUser(db, user.id);
  if (!invitation) return user;
  const { id, role, group_id: groupId, created_by: actor } = invitation;
  await recordAudit(db, { kind: "invitation-used", at: now, actor: null, subject: user.id, after: { invitation: id } });
  // An administrator may have moved the account to another group before its verification.
  const joins = user.group_id === null && groupId !== null;
  if (joins) await assignGroup(db, user, { groupId, at: now, actor });
  const grouped = joins ? { ...user, group_id: groupId } : user;
  const inviter = await findUser(db, actor);
  if (
    hasRole(user.role, role) ||
    invitation.revoked_at !== null ||
    !inviter ||
    !isActive(inviter) ||
    !mayInvite(roleHolderOf(inviter), { role, groupId })
  ) {
    return grouped;
  }
  return giveRole(db, grouped, { role, at: now, actor });
}

/** Returns whether a client may use an invitation: one for trusted networks is unknown elsewhere. */
export const mayUse = ({ isTrusted }: Client, { trusted_only }: InvitationRow): boolean =>
  isTrusted || trusted_only === 0;

async function findActive({ clock, database }: AccountContext, key: string, client: Client): Promise<InvitationRow> {
  const found = await findInvitationByKey(database, hashMailedKey(key));
  if (!found || stateOf(found, clock.now()) !== "active" || !mayUse(client, found)) throw new Failure("bad-invitation");
  return found;
}

function refuseOtherAddress({ address_key }: InvitationRow, email: string): void {
  if (address_key !== null && address_key !== emailKeyOf(email)) throw new Failure("invitation-address");
}
