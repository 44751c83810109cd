/** Roles of accounts. */

/** Each role has the rights of those before it. A manager administers the members of a group. */
export const accountRoles = ["person", "manager", "administrator", "owner"] as const;
export type AccountRole = (typeof accountRoles)[number];

/** Returns whether `role` has the rights of `required`. */
export function hasRole(role: AccountRole, required: AccountRole): boolean {
  return accountRoles.indexOf(role) >= accountRoles.indexOf(required);
}

/**
 * Returns whether an account with `role` may give the role `given`, to an account or by an invitation. Nobody may give
 * the role owner: an owner offers ownership, and the other account accepts it.
 */
export function mayGiveRole(role: AccountRole, given: AccountRole): boolean {
  if (given === "owner") return false;
  return hasRole(role, given === "administrator" ? "owner" : "administrator");
}
