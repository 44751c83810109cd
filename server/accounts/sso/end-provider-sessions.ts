import type { UserRow } from "../../database/schema.ts";
import type { Client } from "../../http/client.ts";
import type { AccountContext } from "../accounts.ts";
import type { Change } from "../trust/change-as.ts";
import { revokeTrust } from "../trust/revoke-trust.ts";

/** Sessions that a provider began, their locked accounts by id, and the client that ends them. */
type EndedSessions = {
  sessions: readonly { id: string; user_id: string }[];
  held: ReadonlyMap<string, UserRow>;
  client: Client;
};

/** Ends sessions that a provider began, in a transaction that has locked their accounts. */
export async function endProviderSessions(
  accounts: AccountContext,
  change: Change,
  { sessions, held, client }: EndedSessions,
): Promise<void> {
  const event = "signed-out-by-provider";
  for (const { id: sessionId, user_id: userId } of sessions) {
    const user = held.get(userId);
    if (!user) continue;
    const { hasLostSessions } = await revokeTrust(accounts, change, event, { user, sessionId, client });
    if (hasLostSessions) await accounts.securityLog.record(change.db, event, userId, client);
  }
}
