import { type AccountRole, hasRole, mayGiveRole } from "#contract/accounts/roles.ts";

/** An account, as far as the rules of administration read it. */
export type RoleHolder = { id: string; role: AccountRole; groupId: string | null };

/**
 * `assist`: verifying, enabling, ending sessions, mailing a reset link. `disable`. `leave`: deletion. `offer-ownership`:
 * also its withdrawal. `role`: the new one. `other`: everything else, such as quotas and groups.
 */
export type AdministrativeAct = ("assist" | "disable" | "leave" | "offer-ownership" | "other") | { role: AccountRole };

/**
 * Returns whether one account may act on another one. Managers assist and disable the persons of their own group.
 * Administrators act on persons and managers, and give no higher roles; owners act on everybody. Nobody disables,
 * deletes or demotes themselves here: the settings do that. Nobody names an owner: an owner offers ownership.
 */
export function mayAdminister(actor: RoleHolder, subject: RoleHolder, act: AdministrativeAct): boolean {
  if (!hasRole(actor.role, "administrator")) return mayManage(actor, subject, act);
  const isOwner = actor.role === "owner";
  const isHigh = (role: AccountRole) => hasRole(role, "administrator");
  if (!isOwner && isHigh(subject.role)) return false;
  const isSelf = actor.id === subject.id;
  if (act === "leave" || act === "disable") return !isSelf;
  if (act === "offer-ownership") return isOwner && !isSelf;
  if (act === "assist" || act === "other") return true;
  return mayGiveRole(actor.role, act.role) && (!isSelf || hasRole(act.role, actor.role));
}

function mayManage(actor: RoleHolder, subject: RoleHolder, act: AdministrativeAct): boolean {
  const isManaged = actor.role === "manager" && subject.role === "person" && maySee(actor, subject);
  return isManaged && (act === "assist" || act === "disable");
}

/** Returns whether one account may see another one in the administration: managers see the members of their group. */
export function maySee(actor: RoleHolder, subject: Pick<RoleHolder, "groupId">): boolean {
  return hasRole(actor.role, "manager") && isWithin(reachOf(actor), subject.groupId);
}

/** Returns whether an account may create and revoke invitations that give a role and a group. */
export function mayInvite(actor: RoleHolder, given: Pick<RoleHolder, "role" | "groupId">): boolean {
  if (hasRole(actor.role, "administrator")) return mayGiveRole(actor.role, given.role);
  return given.role === "person" && maySee(actor, given);
}

/**
 * Returns whether an account with `role` may change or delete a group. A change reaches every member, so that an
 * administrator changes only groups of accounts on which they may act; their own group is not one of them.
 * @param reached roles of the members, and of those whom invitations let in
 */
export function mayChangeGroup(role: AccountRole, reached: ReadonlySet<AccountRole>): boolean {
  if (role === "owner") return true;
  return hasRole(role, "administrator") && ![...reached].some((each) => hasRole(each, "administrator"));
}

/**
 * Returns whether an account with `role` may let others into a group. They take from a budget that its members share,
 * which reaches the members like a lower budget; everything else in a group is each member's own.
 */
export function mayAdmitTo(
  role: AccountRole,
  { reached, hasSharedBudget }: { reached: ReadonlySet<AccountRole>; hasSharedBudget: boolean },
): boolean {
  if (role === "owner" || !hasSharedBudget) return true;
  return ![...reached].some((each) => hasRole(each, "administrator"));
}

/** Returns an account's row as the rules of administration read it. */
export function roleHolderOf(row: { id: string; role: AccountRole; group_id: string | null }): RoleHolder {
  return { id: row.id, role: row.role, groupId: row.group_id };
}

/**
 * Accounts that an account may see in the administration: `"all"`, or the members of a group; of none if it is null.
 */
export type Reach = "all" | { groupId: string | null };

/** Returns the {@link Reach} of an account that is at least a manager. */
export function reachOf({ role, groupId }: Pick<RoleHolder, "role" | "groupId">): Reach {
  return hasRole(role, "administrator") ? "all" : { groupId };
}

/** Returns whether a reach contains the accounts of a group. */
export function isWithin(reach: Reach, groupId: string | null): boolean {
  return reach === "all" || (reach.groupId !== null && reach.groupId === groupId);
}
