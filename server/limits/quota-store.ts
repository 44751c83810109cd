import { sql } from "kysely";

/**
 * Column `quota_mb` of a statement on `users`: the account's own quota, else its group's, else null. In the statement
 * that counts what is stored, so that a group costs none of its own.
 */
export const ownOrGroupQuota = sql<number | null>`coalesce(users.quota_mb,
  (select account_groups.quota_mb from account_groups where account_groups.id = users.group_id))`.as("quota_mb");
