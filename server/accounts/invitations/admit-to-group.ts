import type { Queryable } from "../../database/schema.ts";
import type { AccountGroupRow } from "../../database/tables/administration-tables.ts";
import { Failure } from "../../failure.ts";
import { findUser } from "../account-store.ts";
import { mayAdmitTo } from "../roles/may-administer.ts";
import { readGroupRoles } from "./group-roles-store.ts";

/**
 * Checks that an account may move others into a group, or invite into it, in a transaction that holds administration. A
 * command on the server itself (`actor` is null) may do everything.
 * @throws Failure `not-permitted`
 */
export async function admitToGroup(
  db: Queryable,
  { actor, now }: { actor: string | null; now: number },
  { id, budget }: Pick<AccountGroupRow, "id" | "budget">,
): Promise<void> {
  if (actor === null) return;
  const role = (await findUser(db, actor))?.role ?? "person";
  const reached = (await readGroupRoles(db, now, id)).get(id) ?? new Set();
  if (!mayAdmitTo(role, { reached, hasSharedBudget: budget !== null })) throw new Failure("not-permitted");
}
