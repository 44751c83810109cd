import { Failure } from "../../failure.ts";
import type { AccountContext } from "../accounts.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";

/**
 * Ends one session of the account; ending another than the own one requires a recent proof.
 * @throws Failure `not-found` if the account has no such session; `proof-needed`
 */
export async function endSession(
  accounts: AccountContext,
  { identity, client }: Changer,
  sessionId = identity.sessionId,
): Promise<void> {
  const isOwn = sessionId === identity.sessionId;
  const event = isOwn ? "signed-out" : "session-ended";
  await changeAs(accounts, identity, isOwn ? "session" : "proof", async (change) => {
    const { db, user } = change;
    const { hasLostSessions } = await revokeTrust(accounts, change, event, { user, sessionId, client });
    if (!hasLostSessions) throw new Failure("not-found");
    await accounts.securityLog.record(db, event, user.id, client);
  });
}

/**
 * Ends all sessions of the account but the requesting one, and changes that may have been begun in them.
 * @throws Failure `proof-needed`
 */
export async function endOtherSessions(accounts: AccountContext, { identity, client }: Changer): Promise<void> {
  const event = "other-sessions-ended";
  await changeAs(accounts, identity, "proof", async (change) => {
    const { db, user } = change;
    const { sessionId } = identity;
    const { hasLostSessions } = await revokeTrust(accounts, change, event, { user, sessionId, client });
    if (hasLostSessions) await accounts.securityLog.record(db, event, user.id, client);
  });
}
