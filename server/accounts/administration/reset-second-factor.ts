import { recordAudit } from "../../audit/record-audit.ts";
import type { AccountContext } from "../accounts.ts";
import { removeSecondFactor } from "../second-factor/change-second-factor.ts";
import { commitChange } from "../trust/change-as.ts";
import { type Administrator, holdAdministered } from "./administrator.ts";

/**
 * Removes the second factor of an account whose owner has lost it, and mails the owner.
 * @returns whether it had one
 * @throws Failure `not-found`, `not-permitted`
 */
export async function resetSecondFactor(
  accounts: AccountContext,
  userId: string,
  { actor, client }: Administrator,
): Promise<boolean> {
  const { clock, mails, securityLog } = accounts;
  return commitChange(accounts, async ({ db }) => {
    const user = await holdAdministered(accounts, db, userId, { by: { actor, client } });
    if (!(await removeSecondFactor(db, userId))) return false;
    await securityLog.record(db, "second-factor-reset", userId, client);
    await mails.sendNotice(db, user, "second-factor-reset", client);
    await recordAudit(db, { kind: "second-factor-reset", at: clock.now(), actor, subject: userId });
    return true;
  });
}
