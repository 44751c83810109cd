import { type AccountRole, hasRole, mayGiveRole } from "#contract/roles.ts";

/** An account, as far as the rules of administration read it. */
export type RoleHolder = { id: string; role: AccountRole };

/**
 * `leave`: disabling, deletion. `offer-ownership`: also its withdrawal. `role`: the new one. `other`: everything else,
 * such as ending sessions.
 */
export type AdministrativeAct = "leave" | "offer-ownership" | "other" | { role: AccountRole };

/**
 * Returns whether one account may act on another one. Administrators act on persons and managers, and give no higher
 * roles; owners act on everybody. Nobody disables, deletes or demotes themselves here: the settings do that. Nobody names
 * an owner: an owner offers ownership.
 */
export function mayAdminister(actor: RoleHolder, subject: RoleHolder, act: AdministrativeAct): boolean {
  if (!hasRole(actor.role, "administrator")) return false;
  const isOwner = actor.role === "owner";
  const isHigh = (role: AccountRole) => hasRole(role, "administrator");
  if (!isOwner && isHigh(subject.role)) return false;
  const isSelf = actor.id === subject.id;
  if (act === "leave") return !isSelf;
  if (act === "offer-ownership") return isOwner && !isSelf;
  if (act === "other") return true;
  return mayGiveRole(actor.role, act.role) && (!isSelf || hasRole(act.role, actor.role));
}
