import { holdAdministration } from "../../audit/record-audit.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { findUser, isActive, isToBeGone } from "../account-store.ts";
import { type AdministrativeAct, mayAdminister, maySee, roleHolderOf } from "./may-administer.ts";

/**
 * Checks that an administrator may act on an account, in the transaction of the act, which has locked the account. Locks
 * administration, then reads the administrator's role, so that it sees a concurrent demotion. A command on the server
 * itself (`actor` is null) may do everything.
 * @throws Failure `not-permitted`; `not-found` if the account's deletion has begun, or if a manager's group does not
 *   contain the account
 */
export async function admitAdministrator(
  db: Queryable,
  { actor: actorId, now }: { actor: string | null; now: number },
  subject: UserRow,
  act: AdministrativeAct,
): Promise<void> {
  if (actorId === null) return;
  await holdAdministration(db);
  const actor = await findUser(db, actorId);
  if (!actor || !isActive(actor)) throw new Failure("not-permitted");
  const [by, on] = [roleHolderOf(actor), roleHolderOf(subject)];
  if (by.role === "manager" && !maySee(by, on)) throw new Failure("not-found");
  if (!mayAdminister(by, on, act)) throw new Failure("not-permitted");
  if (isToBeGone(subject, now)) throw new Failure("not-found");
}
