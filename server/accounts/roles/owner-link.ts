import { holdAdministration } from "../../audit/record-audit.ts";
import { isSameSecret } from "../../config/is-same-secret.ts";
import type { UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { networkOf } from "../../limits/networks.ts";
import type { Accounts } from "../accounts.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { giveRole } from "./give-role.ts";
import { hasOwner } from "./role-store.ts";

/**
 * Makes an account the first owner, by the key of the console's link, which its use ends.
 * @throws Failure `bad-link`, the same for a wrong key and for a server that has an owner; `proof-needed`;
 *   `too-many-requests`
 */
export async function becomeOwner(accounts: Accounts, key: string, changer: Changer): Promise<UserRow> {
  const { clock, limits, ownerKey } = accounts;
  await limits.take("key-try", networkOf(changer.client.ip));
  if (!isSameSecret(key, ownerKey)) throw new Failure("bad-link");
  return changeAs(accounts, changer.identity, "proof", async ({ db, user }) => {
    await holdAdministration(db);
    if (user.role === "owner" || (await hasOwner(db, user.id))) throw new Failure("bad-link");
    return giveRole(db, user, { role: "owner", at: clock.now(), actor: user.id });
  });
}
