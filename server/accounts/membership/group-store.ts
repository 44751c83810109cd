import type { AccountRole } from "#contract/accounts/roles.ts";
import { isOnSqlite } from "../../database/is-on-sqlite.ts";
import type { Queryable } from "../../database/schema.ts";
import type { AccountGroupRow } from "../../database/tables/administration-tables.ts";

export async function insertGroup(db: Queryable, group: AccountGroupRow): Promise<void> {
  await db.insertInto("account_groups").values(group).execute();
}

export async function findGroup(db: Queryable, id: string): Promise<AccountGroupRow | undefined> {
  return db.selectFrom("account_groups").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Returns the id of an account's group; null if it is in none. */
export async function findGroupIdOf(db: Queryable, userId: string): Promise<string | null> {
  const user = await db.selectFrom("users").select("group_id").where("id", "=", userId).executeTakeFirst();
  return user?.group_id ?? null;
}

export async function findGroupByName(db: Queryable, nameKey: string): Promise<AccountGroupRow | undefined> {
  return db.selectFrom("account_groups").selectAll().where("name_key", "=", nameKey).executeTakeFirst();
}

export async function countGroups(db: Queryable): Promise<number> {
  const { count } = await db
    .selectFrom("account_groups")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export type CountedGroup = AccountGroupRow & { members: number };

/** Lists groups by name with the number of their members. `only`: id of one group. */
export async function listGroups(db: Queryable, only?: string): Promise<CountedGroup[]> {
  const rows = await db
    .selectFrom("account_groups")
    .selectAll("account_groups")
    .select(({ selectFrom }) => [
      selectFrom("users")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("users.group_id", "=", "account_groups.id")
        .$asScalar()
        .$notNull()
        .as("members"),
    ])
    .$if(only !== undefined, (query) => query.where("account_groups.id", "=", only ?? ""))
    .orderBy("name_key")
    .execute();
  return rows.map((row) => ({ ...row, members: Number(row.members) }));
}

/** Lists the names of these groups. Those that do not exist are left out. */
export async function listGroupNames(db: Queryable, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("account_groups").select(["id", "name"]).where("id", "in", ids).execute();
}

export type GroupRowChange = Partial<Omit<AccountGroupRow, "id" | "created_at">>;

export async function updateGroup(db: Queryable, id: string, change: GroupRowChange): Promise<void> {
  await db.updateTable("account_groups").set(change).where("id", "=", id).execute();
}

export async function deleteGroupRow(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom("account_groups").where("id", "=", id).execute();
}

/** Takes the members out of a group, except for rows that other transactions have locked. @returns their roles, one for each */
export async function removeMembers(db: Queryable, groupId: string): Promise<AccountRole[]> {
  const members = await db
    .updateTable("users")
    .set({ group_id: null })
    .where("id", "in", (query) => {
      const found = query.selectFrom("users").select("id").where("group_id", "=", groupId);
      // Those who join after `holdMembers` could be locked in another order only: to wait for them could deadlock.
      return isOnSqlite(db) ? found : found.forNoKeyUpdate().skipLocked();
    })
    .returning("role")
    .execute();
  return members.map(({ role }) => role);
}

export async function hasMembers(db: Queryable, groupId: string): Promise<boolean> {
  const member = db.selectFrom("users").select("id").where("group_id", "=", groupId).limit(1);
  return (await member.executeTakeFirst()) !== undefined;
}
