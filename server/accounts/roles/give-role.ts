import { recordAudit } from "../../audit/record-audit.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { changeAccount } from "../account-changes-store.ts";
import { removeOffersBy, removeOfferTo } from "./ownership-offer-store.ts";

/** `actor`: id of the acting account; null for a command on the server, or the server itself. */
type Given = { role: UserRow["role"]; at: number; actor: string | null };

/**
 * Changes the role of a locked account, and records it. Ends the offers of ownership that the change makes pointless.
 * @returns the current account
 */
export async function giveRole(db: Queryable, user: UserRow, { role, at, actor }: Given): Promise<UserRow> {
  const changed = await changeAccount(db, user.id, { role });
  if (role === "owner") await removeOfferTo(db, user.id);
  if (user.role === "owner") await removeOffersBy(db, user.id);
  const values = { before: { role: user.role }, after: { role } };
  await recordAudit(db, { kind: "role-changed", at, actor, subject: user.id, ...values });
  return changed ?? user;
}
