import { recordAudit } from "../../audit/record-audit.ts";
import type { AccountContext } from "../accounts.ts";
import { removeSecondFactor } from "../second-factor/change-second-factor.ts";
import { commitChange } from "../trust/change-as.ts";
import { deletePasskeys } from "../webauthn/passkey-store.ts";
import { type Administrator, holdAdministered } from "./administrator.ts";

/**
 * Removes the second factor and the passkeys of an account whose owner has lost them, and mails the owner.
 * @returns whether it had any
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
    const hadFactor = await removeSecondFactor(db, userId);
    const hadPasskeys = (await deletePasskeys(db, userId)) > 0;
    if (!hadFactor && !hadPasskeys) return false;
    await securityLog.record(db, "second-factor-reset", userId, client);
    await mails.sendNotice(db, user, "second-factor-reset", client);
    await recordAudit(db, { kind: "second-factor-reset", at: clock.now(), actor, subject: userId });
    return true;
  });
}
