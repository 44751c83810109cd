import { type ExpressionBuilder, type RawBuilder, sql } from "kysely";
import type { AccountRole } from "#contract/accounts/roles.ts";
import {
  type AccountSort,
  type AccountState,
  type SignInWay,
  type SortDirection,
  signInWays,
} from "#contract/administration/administration.ts";
import { NO_GROUP } from "#contract/administration/groups.ts";
import { usernameKeyOf } from "../accounts/account-keys.ts";
import type { Reach } from "../accounts/roles/may-administer.ts";
import type { Queryable, Schema, UserRow } from "../database/schema.ts";

const sortColumns = {
  created: "created_at",
  name: "username_key",
  seen: "last_seen_at",
  stored: "stored_bytes",
  replies: "month_replies",
  cost: "month_cost",
} as const satisfies Record<AccountSort, keyof FoundAccount>;

/** No column with words of the account, such as its instructions. */
const listedColumns = [
  ...(["id", "username", "username_key", "email", "firstname", "lastname", "role", "created_at"] as const),
  ...(["verified_at", "disabled_at", "delete_at", "last_seen_at", "stored_bytes", "quota_mb"] as const),
  "group_id",
] as const;

const monthReplies = sql<number>`coalesce(account_months.replies, 0)`;
/** Accounts without a call that has a price are sorted as if they cost nothing. */
const monthCost = sql<number>`coalesce(account_months.cost_nano_usd, 0)`;

/** Accounts with the columns of their groups and their sums of a month, in one statement. */
function selectAccounts(db: Queryable, month: string) {
  return db
    .selectFrom("users")
    .leftJoin("account_groups", "account_groups.id", "users.group_id")
    .leftJoin("account_months", (join) =>
      join.onRef("account_months.user_id", "=", "users.id").on("account_months.month", "=", month),
    )
    .select(listedColumns.map((column) => `users.${column}` as const))
    .select(["account_groups.name as group_name", "account_groups.quota_mb as group_quota_mb"])
    .select([monthReplies.as("month_replies"), monthCost.as("month_cost")])
    .select("account_months.cost_nano_usd as priced_cost")
    .select(signInWays.map((way) => sql<number>`case when ${hasWay[way]} then 1 else 0 end`.as(`by_${way}` as const)));
}

/** Conditions of the ways to sign in; each subquery reads one index. */
const hasWay: Readonly<Record<SignInWay, RawBuilder<boolean>>> = {
  password: sql<boolean>`users.password_hash is not null`,
  google: sql<boolean>`users.google_subject is not null`,
  passkey: sql<boolean>`exists (select 1 from passkeys where passkeys.user_id = users.id)`,
  sso: sql<boolean>`exists (select 1 from external_identities where external_identities.user_id = users.id)`,
};

/** An account without its words and credentials, with its group and its sums of a month. */
export type FoundAccount = Pick<UserRow, (typeof listedColumns)[number]> & {
  group_name: string | null;
  group_quota_mb: number | null;
  month_replies: number;
  month_cost: number;
  /** In 1e-9 US dollars; null if no call has a price. */
  priced_cost: number | null;
} & Record<`by_${SignInWay}`, number>;

/** `group`: id of a group, or `NO_GROUP`. `reach`: of the reader. */
export type AccountFilter = {
  group?: string | undefined;
  reach?: Reach;
  q?: string | undefined;
  role?: AccountRole | undefined;
  state?: AccountState | undefined;
  way?: SignInWay | undefined;
};

/** A position in a sorted list: sort value and id of an account. */
export type ListPosition = { value: string | number; id: string };

export type PageChoice = {
  /** Whose sums are selected, such as `2026-11`. */
  month: string;
  sort: AccountSort;
  direction: SortDirection;
  after?: ListPosition | undefined;
  limit: number;
};

/** Returns the value of an account by which a list is sorted. */
export const sortValueOf = (row: FoundAccount, sort: AccountSort): string | number => row[sortColumns[sort]];

/** Lists accounts that match, after a position. */
export async function listMatching(
  db: Queryable,
  filter: AccountFilter,
  { month, sort, direction, after, limit }: PageChoice,
): Promise<FoundAccount[]> {
  const column = sortColumnOf(sort);
  let query = selectAccounts(db, month).where(matches(filter));
  if (after !== undefined) {
    const isBeyond = sql.raw(direction === "asc" ? ">" : "<");
    query = query.where(sql<boolean>`(${column}, users.id) ${isBeyond} (${after.value}, ${after.id})`);
  }
  return query.orderBy(column, direction).orderBy("users.id", direction).limit(limit).execute();
}

function sortColumnOf(sort: AccountSort): RawBuilder<unknown> {
  if (sort === "replies") return monthReplies;
  return sort === "cost" ? monthCost : sql.ref(`users.${sortColumns[sort]}`);
}

export async function countMatching(db: Queryable, filter: AccountFilter): Promise<number> {
  const { count } = await db
    .selectFrom("users")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where(matches(filter))
    .executeTakeFirstOrThrow();
  return count;
}

/** Lists ids of accounts that match, by username. */
export async function listMatchingIds(db: Queryable, q: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("users")
    .select("id")
    .where(matches({ q }))
    .orderBy("username_key")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export type AccountDetailsRow = FoundAccount & Pick<UserRow, "google_subject" | "budget" | "needs_second_factor">;

/** Returns an account in the reader's reach, with its sums of a month. */
export async function findAccount(
  db: Queryable,
  id: string,
  { reach, month }: { reach: Reach; month: string },
): Promise<AccountDetailsRow | undefined> {
  return selectAccounts(db, month)
    .select(["users.google_subject", "users.budget", "users.needs_second_factor"])
    .where("users.id", "=", id)
    .where(matches({ reach }))
    .executeTakeFirst();
}

/** Counts the files of an account. */
export async function countFiles(db: Queryable, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("files")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the condition of a filter; one that always holds if it is empty. */
function matches({ q = "", role, state, way, group, reach = "all" }: AccountFilter) {
  return (eb: ExpressionBuilder<Schema, "users">) =>
    eb.and([
      ...(q.trim() === "" ? [] : [hasText(eb, q.trim())]),
      ...(role === undefined ? [] : [eb("users.role", "=", role)]),
      ...(state === undefined ? [] : [isIn(eb, state)]),
      ...(way === undefined ? [] : [hasWay[way]]),
      ...(group === undefined
        ? []
        : [group === NO_GROUP ? eb("users.group_id", "is", null) : eb("users.group_id", "=", group)]),
      // Nothing equals null: a manager without a group sees nobody.
      ...(reach === "all" ? [] : [eb("users.group_id", "=", reach.groupId)]),
    ]);
}

function hasText(eb: ExpressionBuilder<Schema, "users">, q: string) {
  const pattern = `%${usernameKeyOf(q).replaceAll(/[!%_]/g, "!$&")}%`;
  return eb.or([
    eb("users.id", "=", q),
    sql<boolean>`username_key like ${pattern} escape '!'`,
    sql<boolean>`email_key like ${pattern} escape '!'`,
    // Names have ASCII letters only, which both engines fold.
    sql<boolean>`lower(firstname || ' ' || lastname) like ${pattern} escape '!'`,
  ]);
}

/** Returns the condition of a state; the same order as in `stateOf`. */
function isIn(eb: ExpressionBuilder<Schema, "users">, state: AccountState) {
  const leaves = eb("delete_at", "is not", null);
  if (state === "leaving") return leaves;
  const isDisabled = eb.and([eb("delete_at", "is", null), eb("disabled_at", "is not", null)]);
  if (state === "disabled") return isDisabled;
  const isVerified = eb("verified_at", state === "unverified" ? "is" : "is not", null);
  return eb.and([eb("delete_at", "is", null), eb("disabled_at", "is", null), isVerified]);
}
