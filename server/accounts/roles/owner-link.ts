import { holdAdministration } from "../../audit/record-audit.ts";
import { isSameSecret } from "../../config/secret-key.ts";
import type { UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { AccountContext } from "../accounts.ts";
import { countWrongKeys } from "../mailed-keys/count-wrong-keys.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { giveRole } from "./give-role.ts";
import { acceptOwnership } from "./ownership-offers.ts";
import { hasOwner } from "./role-store.ts";

/**
 * Makes an account an owner: the first one, by the key of the console's link, which its use ends, or a further one, by
 * the key of an offer to it.
 * @throws Failure `bad-link`, the same for a wrong key, for the console's key if the server has an owner, and for those
 *   of {@link acceptOwnership}; `proof-needed`; `too-many-requests`
 */
export async function becomeOwner(accounts: AccountContext, key: string, changer: Changer): Promise<UserRow> {
  return countWrongKeys(accounts, changer.client, () => useKey(accounts, key, changer));
}

async function useKey(accounts: AccountContext, key: string, changer: Changer): Promise<UserRow> {
  const { clock, ownerKey } = accounts;
  if (!isSameSecret(key, ownerKey)) return acceptOwnership(accounts, key, changer);
  return changeAs(accounts, changer.identity, "proof", async ({ db, user }) => {
    await holdAdministration(db);
    if (user.role === "owner" || (await hasOwner(db, user.id))) throw new Failure("bad-link");
    return giveRole(db, user, { role: "owner", at: clock.now(), actor: user.id });
  });
}
