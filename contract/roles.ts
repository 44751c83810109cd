/** Roles of accounts. */

import * as z from "zod/mini";
import { looseText } from "./text/well-formed.ts";

/** Each role has the rights of those before it. A manager administers the members of a group. */
export const accountRoles = ["person", "manager", "administrator", "owner"] as const;
export type AccountRole = (typeof accountRoles)[number];

/** Returns whether `role` has the rights of `required`. */
export function hasRole(role: AccountRole, required: AccountRole): boolean {
  return accountRoles.indexOf(role) >= accountRoles.indexOf(required);
}

/** Returns whether an account with `role` may give the role `given`, to an account or by an invitation. */
export function mayGiveRole(role: AccountRole, given: AccountRole): boolean {
  return hasRole(role, hasRole(given, "administrator") ? "owner" : "administrator");
}

/** The key of the link on the server's console that makes an account the first owner. */
export const ownershipSchema = z.object({ key: looseText(64) });
