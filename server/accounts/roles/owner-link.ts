import { timingSafeEqual } from "node:crypto";
import { holdAdministration, recordAudit } from "../../audit/record-audit.ts";
import type { UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { networkOf } from "../../limits/networks.ts";
import { changeAccount } from "../account-changes-store.ts";
import type { Accounts } from "../accounts.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { hasOtherOwner } from "./role-store.ts";

/**
 * Makes an account the first owner, by the key of the console's link, which its use ends.
 * @throws Failure `bad-link`, the same for a wrong key and for a server that has an owner; `proof-needed`;
 *   `too-many-requests`
 */
export async function becomeOwner(accounts: Accounts, key: string, changer: Changer): Promise<UserRow> {
  const { clock, limits, ownerKey } = accounts;
  await limits.take("key-try", networkOf(changer.client.ip));
  const [given, wanted] = [Buffer.from(key), Buffer.from(ownerKey)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new Failure("bad-link");
  return changeAs(accounts, changer.identity, "proof", async ({ db, user }) => {
    await holdAdministration(db);
    if (user.role === "owner" || (await hasOtherOwner(db, user.id))) throw new Failure("bad-link");
    const owner = await changeAccount(db, user.id, { role: "owner" });
    const values = { before: { role: user.role }, after: { role: "owner" } };
    await recordAudit(db, { kind: "role-changed", at: clock.now(), actor: user.id, subject: user.id, ...values });
    return owner ?? user;
  });
}
