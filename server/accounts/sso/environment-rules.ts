import * as z from "zod/mini";
import { accountRoles } from "#contract/accounts/roles.ts";
import type { MappingRule } from "../../config/accounts/mapping-rules.ts";
import type { IdentityProvider, RoleRule } from "./confirmed-identity.ts";

/** A role that a rule may give. */
export const ruledRole = z.enum(accountRoles.filter((role): role is RoleRule["role"] => role !== "owner"));

type EnvironmentRules = { groupRules: readonly MappingRule[]; roleRules: readonly MappingRule[] };

/** Returns the rules of the environment in the form of a provider. */
export function rulesOf({
  groupRules,
  roleRules,
}: EnvironmentRules): Pick<IdentityProvider, "groupRules" | "roleRules"> {
  return {
    groupRules: groupRules.map(({ value, target }) => ({ value, group: { name: target } })),
    roleRules: roleRules.map(({ value, target }) => ({ value, role: ruledRole.parse(target) })),
  };
}
