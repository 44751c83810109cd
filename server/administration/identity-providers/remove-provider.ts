import { holdUsers } from "../../accounts/account-store.ts";
import type { AccountContext } from "../../accounts/accounts.ts";
import { administratorOf } from "../../accounts/administration/administrator.ts";
import { listSessionsOf } from "../../accounts/sessions/provider-session-store.ts";
import { deleteIdentityProvider, findIdentityProvider } from "../../accounts/sso/identity-provider-store.ts";
import { commitChange } from "../../accounts/trust/change-as.ts";
import { revokeTrust } from "../../accounts/trust/revoke-trust.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { Failure } from "../../failure.ts";
import { changeAsOwner, type OwnerSession, recordedOf, refuseLockOut } from "./change-providers.ts";

/**
 * Removes a provider and ends the sessions that it began, except the acting one. Identities stay, and work again if the
 * issuer is added again.
 * @throws Failure `not-found`; `last-sign-in` if the owner could not sign in any more; those of `changeAsRole`
 */
export async function removeProvider(accounts: AccountContext, slug: string, session: OwnerSession): Promise<void> {
  const issuer = await changeAsOwner(accounts, session, async ({ db, user }, { at, actor }) => {
    const before = await findIdentityProvider(db, slug);
    if (!before) throw new Failure("not-found");
    await deleteIdentityProvider(db, before.id);
    await refuseLockOut(accounts, { db, user }, before.issuer);
    await recordAudit(db, {
      kind: "identity-provider-removed",
      at,
      actor,
      subject: null,
      before: recordedOf(before),
    });
    return before.issuer;
  });
  // After the commit: their accounts are locked before anything else, and no sign-in begins a session any more.
  await endSessionsOfIssuer(accounts, issuer, session);
}

async function endSessionsOfIssuer(accounts: AccountContext, issuer: string, session: OwnerSession): Promise<void> {
  const sessions = await listSessionsOf(accounts.database, { issuer });
  const others = sessions.filter(({ id }) => id !== session.sessionId);
  if (others.length === 0) return;
  const { client } = administratorOf(session);
  const event = "signed-out-by-provider";
  await commitChange(accounts, async (change) => {
    const held = await holdUsers(
      change.db,
      others.map(({ user_id }) => user_id),
    );
    for (const { id: sessionId, user_id: userId } of others) {
      const user = held.get(userId);
      if (!user) continue;
      const { hasLostSessions } = await revokeTrust(accounts, change, event, { user, sessionId, client });
      if (hasLostSessions) await accounts.securityLog.record(change.db, event, userId, client);
    }
  });
}
