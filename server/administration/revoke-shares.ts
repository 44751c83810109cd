import { findUser } from "../accounts/account-store.ts";
import type { AccountContext } from "../accounts/accounts.ts";
import type { Administrator } from "../accounts/administration/administrator.ts";
import { admitAdministrator } from "../accounts/roles/admit-administrator.ts";
import { topics } from "../bus/bus.ts";
import { Failure } from "../failure.ts";
import { revokeSharesOf } from "../shares/shares.ts";

/**
 * Revokes the links of an account to its chats, without reading them.
 * @returns whether there were any
 * @throws Failure `not-found`; `not-permitted` if the administrator may not act on it
 */
export async function revokeShares(
  { database, clock, bus }: AccountContext,
  userId: string,
  { actor }: Administrator,
): Promise<boolean> {
  const now = clock.now();
  const revoked = await database.transaction().execute(async (db) => {
    const user = await findUser(db, userId);
    if (!user) throw new Failure("not-found");
    // First: it locks files, the account and the records of administration in the order of all transactions.
    const count = await revokeSharesOf(db, userId, { actor, at: now });
    await admitAdministrator(db, { actor, now }, user, "other");
    return count;
  });
  if (revoked > 0) bus.publish(topics.account(userId));
  return revoked > 0;
}
