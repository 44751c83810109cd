import { CLASS_CODE_TRIES_MAX, formatClassCode } from "#contract/administration/class-codes.ts";
import {
  CLASS_CODE_LIFE_DEFAULT_MS,
  CLASS_CODE_USES_DEFAULT,
  type CreatedInvitation,
  INVITATION_LIFE_DEFAULT_MS,
  INVITATION_USERS_MAX,
  INVITATIONS_PAGE,
  type Invitation,
  type InvitationList,
  mayRevoke,
  type NewInvitation,
} from "#contract/administration/invitations.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { newId } from "../../database/new-id.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import type { AccountGroupRow } from "../../database/tables/administration-tables.ts";
import type { InvitationRow } from "../../database/tables/invitation-tables.ts";
import { Failure } from "../../failure.ts";
import type { Outbox } from "../../mail/outbox.ts";
import { canonicalEmail, emailKeyOf, mailboxOfOthers } from "../account-keys.ts";
import { templates } from "../account-letters.ts";
import type { AccountContext } from "../accounts.ts";
import { hashMailedKey } from "../mailed-keys/mailed-keys.ts";
import { holdGroup } from "../membership/assign-group.ts";
import { mayInvite, maySee, type Reach, roleHolderOf } from "../roles/may-administer.ts";
import { type Changer, changeAs, changeAsRole } from "../trust/change-as.ts";
import { admitToGroup } from "./admit-to-group.ts";
import { insertClassCode } from "./class-code-store.ts";
import { hashClassCode, invitationKeyOf, invitationLink, newClassCode } from "./invitation-keys.ts";
import {
  findInvitation,
  type InvitedUser,
  insertInvitation,
  type ListedInvitation,
  listInvitationRows,
  listInvitedUsers,
  revokeInvitationRow,
  stateOf,
} from "./invitation-store.ts";

/**
 * Creates an invitation, and mails it if asked. The answer contains the link and the class code; later answers do not.
 * @throws Failure `not-permitted` if the account may not give that role or group, or let others into it; `invalid-input` if the group does not
 * exist; `too-many-requests`, and those of {@link changeAs}
 */
export async function createInvitation(
  accounts: AccountContext,
  request: NewInvitation,
  { identity }: Changer,
): Promise<CreatedInvitation> {
  const { limits, outbox } = accounts;
  if (request.mail && request.address !== undefined) {
    await limits.take("invitation-mail", identity.userId);
    await limits.take("mail-to-address-hour", mailboxOfOthers(request.address));
  }
  const created = newInvitationRow(accounts, request, identity.userId);
  const code = request.classCode ? newClassCode() : undefined;
  const invitation = await changeAs(accounts, identity, "proof", async ({ db, user }) => {
    const group = await holdInvitedGroup(db, user, { ...request, at: created.created_at });
    const row = { ...created, group_id: group?.id ?? null };
    await insertInvitation(db, row);
    if (code !== undefined) await insertClassCode(db, row.id, hashClassCode(accounts.classCodeSecret, code));
    await recordInvitation(db, row);
    if (request.mail) await enqueueInvitation(outbox, db, row);
    const tries = code === undefined ? null : 0;
    const listed = { ...row, creator: user.username, group_name: group?.name ?? null, code_tries: tries };
    return toInvitation(listed, [], row.created_at);
  });
  const link = linkOfInvitation(accounts, created.id);
  return { invitation, link, ...(code !== undefined && { code: formatClassCode(code) }) };
}

/**
 * Checks that an account may create an invitation in its transaction. `at`: Unix time in ms.
 * @returns its group, which exists until the end of the transaction
 * @throws Failure `not-permitted` if the account may not give that role or group, or let others into it; `invalid-input`
 *   if the group does not exist
 */
export async function holdInvitedGroup(
  db: Queryable,
  user: UserRow,
  { at, ...request }: Pick<NewInvitation, "role" | "groupId"> & { at: number },
): Promise<AccountGroupRow | undefined> {
  const groupId = groupFor(user, request);
  if (!mayInvite(roleHolderOf(user), { role: request.role ?? "person", groupId })) throw new Failure("not-permitted");
  if (groupId === null) return undefined;
  const group = await holdGroup(db, groupId);
  await admitToGroup(db, { actor: user.id, now: at }, group);
  return group;
}

/** Records a new invitation in the transaction that creates it. */
export async function recordInvitation(db: Queryable, row: InvitationRow): Promise<void> {
  const after = { role: row.role, uses: row.uses_max, expiresAt: row.expires_at, group: row.group_id };
  const { id: subject, created_by: actor, created_at: at } = row;
  await recordAudit(db, { kind: "invitation-created", at, actor, subject, after });
}

/** Enqueues the mail of a new invitation in the transaction that creates it. */
export async function enqueueInvitation(outbox: Outbox, db: Queryable, row: InvitationRow): Promise<void> {
  const params = { invitationId: row.id };
  await outbox.enqueue(db, { template: templates.invitation, userId: row.created_by, params });
}

/** Returns the group of a new invitation: a manager's is their own by default. */
function groupFor({ role, group_id }: UserRow, { groupId }: Pick<NewInvitation, "groupId">): string | null {
  if (groupId === undefined) return role === "manager" ? group_id : null;
  return groupId;
}

/** Returns the link of an invitation. */
export const linkOfInvitation = (accounts: AccountContext, id: string): string =>
  invitationLink(accounts.config.publicUrl, invitationKeyOf(accounts.invitationSecret, id));

/** Returns the row of a new invitation, without its group. */
export function newInvitationRow(accounts: AccountContext, request: NewInvitation, createdBy: string): InvitationRow {
  const { address, role = "person", note = "", classCode, trustedOnly } = request;
  const { uses = classCode ? CLASS_CODE_USES_DEFAULT : 1 } = request;
  const { lifeMs = classCode ? CLASS_CODE_LIFE_DEFAULT_MS : INVITATION_LIFE_DEFAULT_MS } = request;
  const id = newId();
  const now = accounts.clock.now();
  return {
    id,
    key_hash: hashMailedKey(invitationKeyOf(accounts.invitationSecret, id)),
    created_by: createdBy,
    created_at: now,
    expires_at: now + lifeMs,
    revoked_at: null,
    address: address === undefined ? null : canonicalEmail(address),
    address_key: address === undefined ? null : emailKeyOf(address),
    uses_max: uses,
    uses: 0,
    role,
    note,
    group_id: null,
    trusted_only: trustedOnly ? 1 : 0,
  };
}

/**
 * Revokes an invitation. Idempotent. Accounts that registered with it and are verified later get no role from it.
 * @throws Failure `not-found`, `not-permitted` if it gives a role that the account may not give, and those of
 *   {@link changeAsRole}
 */
export async function revokeInvitation(accounts: AccountContext, id: string, { identity }: Changer): Promise<void> {
  await changeAsRole(accounts, identity, "manager", async ({ db, user }, by) => {
    const invitation = await findInvitation(db, id);
    const given = invitation && { role: invitation.role, groupId: invitation.group_id };
    if (!given || !maySee(roleHolderOf(user), given)) throw new Failure("not-found");
    if (!mayRevoke(user.role, given.role)) throw new Failure("not-permitted");
    const isRevoked = await revokeInvitationRow(db, id, by.at);
    if (isRevoked === undefined) throw new Failure("not-found");
    if (isRevoked) await recordAudit(db, { kind: "invitation-revoked", ...by, subject: id });
  });
}

/** `reach` of the reader: managers see the invitations into their group. `before`: id of the last one of the page before. */
type PageChoice = { reach: Reach; before?: string | undefined };

/** Lists a page of invitations, newest first. */
export async function listInvitations(
  { clock, database, installation }: AccountContext,
  { reach, before }: PageChoice,
): Promise<InvitationList> {
  const rows = await listInvitationRows(database, { reach, before, limit: INVITATIONS_PAGE });
  const invitationIds = rows.map(({ id }) => id);
  const choice = { invitationIds, reach, limit: INVITATION_USERS_MAX };
  const users = invitationIds.length === 0 ? [] : await listInvitedUsers(database, choice);
  const usersOf = Map.groupBy(users, (user) => user.invitation_id);
  const now = clock.now();
  return {
    invitations: rows.map((row) => toInvitation(row, usersOf.get(row.id) ?? [], now)),
    hasTrustedNetworks: installation.current.trustedNetworks.length > 0,
  };
}

function toInvitation(row: ListedInvitation, users: readonly InvitedUser[], now: number): Invitation {
  const { id, created_at: createdAt, expires_at: expiresAt, uses, uses_max: usesMax, role, note } = row;
  const { group_id: groupId, group_name: groupName, code_tries: tries } = row;
  return {
    id,
    state: stateOf(row, now),
    createdAt,
    createdBy: { id: row.created_by, ...(row.creator !== null && { username: row.creator }) },
    expiresAt,
    ...(row.address !== null && { address: row.address }),
    ...{ uses, usesMax, role, note },
    ...(groupId !== null && groupName !== null && { group: { id: groupId, name: groupName } }),
    ...(tries !== null && {
      classCode: { isDead: tries >= CLASS_CODE_TRIES_MAX, trustedOnly: row.trusted_only === 1 },
    }),
    users: users.map(({ user_id, username, at, verified_at }) => ({
      id: user_id,
      username,
      at,
      isVerified: verified_at !== null,
    })),
  };
}
