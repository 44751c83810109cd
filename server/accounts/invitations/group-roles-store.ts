import type { AccountRole } from "#contract/accounts/roles.ts";
import type { Queryable } from "../../database/schema.ts";
import { isActiveAt } from "./invitation-store.ts";

/** Roles by the ids of groups. */
export type GroupRoles = ReadonlyMap<string, ReadonlySet<AccountRole>>;

/**
 * Reads which roles the limits of groups reach: those of the members, those that active invitations into the group give,
 * and those that accounts get with their verification. `now`: Unix time in ms. `only`: id of one group.
 */
export async function readGroupRoles(db: Queryable, now: number, only?: string): Promise<GroupRoles> {
  const members = await db
    .selectFrom("users")
    .select(["group_id", "role"])
    .distinct()
    .where("group_id", "is not", null)
    .$if(only !== undefined, (query) => query.where("group_id", "=", only ?? ""))
    .execute();
  const invited = await db
    .selectFrom("invitations")
    .select(["group_id", "role"])
    .distinct()
    .where("group_id", "is not", null)
    .where("revoked_at", "is", null)
    .where((eb) => {
      const unverified = eb
        .selectFrom("invitation_uses")
        .innerJoin("users", "users.id", "invitation_uses.user_id")
        .select("users.id")
        .whereRef("invitation_uses.invitation_id", "=", "invitations.id")
        .where("users.verified_at", "is", null);
      return eb.or([isActiveAt(now)(eb), eb.exists(unverified)]);
    })
    .$if(only !== undefined, (query) => query.where("group_id", "=", only ?? ""))
    .execute();
  const roles = new Map<string, Set<AccountRole>>();
  for (const { group_id: id, role } of [...members, ...invited]) {
    if (id !== null) roles.set(id, (roles.get(id) ?? new Set()).add(role));
  }
  return roles;
}
