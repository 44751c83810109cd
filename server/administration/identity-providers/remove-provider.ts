import { holdUsers } from "../../accounts/account-store.ts";
import type { AccountContext } from "../../accounts/accounts.ts";
import { administratorOf } from "../../accounts/administration/administrator.ts";
import { listSessionsOf } from "../../accounts/sessions/provider-session-store.ts";
import { issuerKeyOf } from "../../accounts/sso/confirmed-identity.ts";
import { endProviderSessions } from "../../accounts/sso/end-provider-sessions.ts";
import { deleteIdentityProvider, findIdentityProvider } from "../../accounts/sso/identity-provider-store.ts";
import { commitChange } from "../../accounts/trust/change-as.ts";
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
    return issuerKeyOf(before.issuer);
  });
  // After the commit: their accounts are locked before anything else, and no sign-in begins a session any more.
  await endSessionsOfIssuer(accounts, issuer, session);
}

async function endSessionsOfIssuer(accounts: AccountContext, issuer: string, session: OwnerSession): Promise<void> {
  const sessions = await listSessionsOf(accounts.database, { issuer });
  const others = sessions.filter(({ id }) => id !== session.sessionId);
  if (others.length === 0) return;
  const { client } = administratorOf(session);
  const owners = others.map(({ user_id }) => user_id);
  await commitChange(accounts, async (change) => {
    const held = await holdUsers(change.db, owners);
    await endProviderSessions(accounts, change, { sessions: others, held, client });
  });
}
