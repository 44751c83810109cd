import { holdAdministration } from "../../audit/record-audit.ts";
import type { Config } from "../../config/config.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import { giveRole } from "./give-role.ts";
import { hasOwner, hasSeveralVerified, hasVerified } from "./role-store.ts";

/**
 * Must be called in the transaction that takes an account's role, or its ways to sign in, before the change. The
 * account is locked. Transactions that do so wait for each other, so that two owners cannot remove each other.
 * @throws Failure `last-owner` if no other owner could sign in
 */
export async function keepOwner(db: Queryable, user: Pick<UserRow, "id" | "role">): Promise<void> {
  if (user.role !== "owner") return;
  await holdAdministration(db);
  if (!(await hasOwner(db, user.id))) throw new Failure("last-owner");
}

/**
 * {@link keepOwner}, unless no other account is verified: the only person of a server may leave it. A verification that
 * could be the second one waits, see {@link makeFirstOwner}.
 */
export async function keepOwnerOfOthers(db: Queryable, user: Pick<UserRow, "id" | "role">): Promise<void> {
  if (user.role !== "owner") return;
  await holdAdministration(db);
  if (await hasVerified(db, user.id)) await keepOwner(db, user);
}

/**
 * Whether the next account that is verified on this machine becomes the owner: only this machine can reach the server,
 * and no account is verified.
 */
export async function admitsFirstOwner({ isReachable }: Pick<Config, "isReachable">, db: Queryable): Promise<boolean> {
  return !isReachable && !(await hasVerified(db));
}

/**
 * Makes the first verified account of an installation its owner, if only this machine can reach it and the verifying
 * request is of this machine (checklist P8). Elsewhere anybody could be first: there the console's link or the command
 * line names the owner. Must be called in the transaction that verifies the account.
 * Among the first accounts of a server, verifications wait for each other and for an owner who leaves.
 * @returns the current account
 */
export async function makeFirstOwner(
  { config, client, now }: { config: Pick<Config, "isReachable">; client: Pick<Client, "isLocal">; now: number },
  db: Queryable,
  user: UserRow,
): Promise<UserRow> {
  if (await hasSeveralVerified(db, user.id)) return user;
  await holdAdministration(db);
  // A new statement sees what the transactions that held the lock have committed.
  if (config.isReachable || !client.isLocal || (await hasVerified(db, user.id))) return user;
  return giveRole(db, user, { role: "owner", at: now, actor: null });
}
