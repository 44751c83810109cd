import type { Queryable, UserRow } from "../../database/schema.ts";
import { groupNameKeyOf } from "../account-keys.ts";
import type { AccountContext } from "../accounts.ts";
import { assignGroup } from "../membership/assign-group.ts";
import { findGroup, findGroupByName } from "../membership/group-store.ts";
import { giveRole } from "../roles/give-role.ts";
import type { GroupRule, IdentityProvider } from "./confirmed-identity.ts";

/**
 * Gives a locked account the group and the role of the first rules that match its groups at the provider. Without a match
 * it keeps what it has, and an owner the role. Groups that the provider does not state change nothing.
 * @param groups at the provider; undefined: not stated
 * @returns the current account
 */
export async function applyRules(
  { clock, log }: Pick<AccountContext, "clock" | "log">,
  db: Queryable,
  user: UserRow,
  { provider, groups }: { provider: IdentityProvider; groups: readonly string[] | undefined },
): Promise<UserRow> {
  const { groupRules, roleRules, slug } = provider;
  if (groups === undefined) {
    if (groupRules.length + roleRules.length > 0) {
      log.warn({ provider: slug, account: user.id }, "the identity provider does not state the groups of a person");
    }
    return user;
  }
  const matches = ({ value }: { value: string }) =>
    value === "*" || groups.some((group) => isSame(group, value, provider));
  const by = { at: clock.now(), actor: null };
  const groupRule = groupRules.find(matches);
  const group = groupRule && (await findGroupOf(db, groupRule));
  if (groupRule && !group) log.warn({ provider: slug, rule: groupRule }, "a rule names a group that does not exist");
  if (group) await assignGroup(db, user, { groupId: group.id, ...by });
  const grouped = group ? { ...user, group_id: group.id } : user;
  const role = roleRules.find(matches)?.role;
  if (role === undefined || user.role === role || user.role === "owner") return grouped;
  return giveRole(db, grouped, { role, ...by });
}

/** Names in a directory are not case-sensitive (RFC 4517). */
function isSame(group: string, value: string, { kind }: IdentityProvider): boolean {
  return kind === "ldap" ? group.toLowerCase() === value.toLowerCase() : group === value;
}

function findGroupOf(db: Queryable, { group }: GroupRule) {
  return "id" in group ? findGroup(db, group.id) : findGroupByName(db, groupNameKeyOf(group.name));
}
