import {
  type AdministeredAccount,
  type AdministeredSession,
  SESSIONS_SHOWN_MAX,
} from "#contract/administration/administration.ts";
import type { AccountContext } from "../accounts/accounts.ts";
import { namesOfClient } from "../accounts/client-names.ts";
import type { Reach } from "../accounts/roles/may-administer.ts";
import { readOffer } from "../accounts/roles/ownership-offers.ts";
import { findTotpFactor } from "../accounts/second-factor/second-factor-store.ts";
import { readLastSignIns } from "../accounts/sessions/last-sign-in-store.ts";
import { shownMethod } from "../accounts/sessions/session-store.ts";
import { readIdentities } from "../accounts/sso/connect-identity.ts";
import { listPasskeys } from "../accounts/webauthn/passkey-store.ts";
import { budgetsOfAccount } from "../budgets/budget-states.ts";
import { toUsd } from "../database/nano-usd.ts";
import type { SessionRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { countShares } from "../shares/share-store.ts";
import { usageOfMonths } from "../usage/usage.ts";
import { toListedAccount } from "./account-list.ts";
import { countFiles, findAccount } from "./account-search-store.ts";

/** Returns an account for its page of administration. @throws Failure `not-found`; the same beyond the reader's reach */
export async function readAdministered(deps: AccountContext, id: string, reach: Reach): Promise<AdministeredAccount> {
  const { database, sessions } = deps;
  const usage = await usageOf(deps, id);
  const row = await findAccount(database, id, { reach, month: usage.month });
  if (!row) throw new Failure("not-found");
  const { verified_at, disabled_at, delete_at, google_subject, by_password, budget } = row;
  const [found, offer] = [await sessions.list(id), await readOffer(deps, id)];
  const factor = await findTotpFactor(database, id);
  const passkeys = await listPasskeys(database, id);
  const passkeyUses = passkeys.flatMap(({ last_used_at: usedAt }) => usedAt ?? []);
  const { shareDaysMax } = await deps.installation.readSharing(database);
  const identities = (await readIdentities(deps, id)).map(({ id, provider, lastUsedAt }) => ({
    id,
    provider,
    lastUsedAt,
  }));
  const listed = toListedAccount(row);
  return {
    ...listed,
    ...(verified_at !== null && { verifiedAt: verified_at }),
    ...(disabled_at !== null && { disabledAt: disabled_at }),
    ...(delete_at !== null && { deleteAt: delete_at }),
    hasGoogle: google_subject !== null,
    hasPassword: by_password === 1,
    hasSecondFactor: factor !== undefined,
    ...(passkeys.length > 0 && { hasPasskeys: true as const }),
    ...(identities.length > 0 && { identities }),
    ...(passkeyUses.length > 0 && { passkeyUsedAt: Math.max(...passkeyUses) }),
    lastSignIns: await readLastSignIns(database, id),
    ...(typeof factor?.last_used_at === "number" && { secondFactorUsedAt: factor.last_used_at }),
    needsSecondFactor: row.needs_second_factor === 1,
    sessions: await Promise.all(found.slice(0, SESSIONS_SHOWN_MAX).map(toSession)),
    usage: { ...usage, ...listed.usage },
    files: await countFiles(database, id),
    shares: await countShares(database, deps.clock, { userId: id, shareDaysMax }),
    ...(budget !== null && { budgetUsd: toUsd(budget) }),
    budgets: await budgetsOfAccount(deps, id),
    ...(offer && { ownershipOffer: offer }),
  };
}

/** Leaves the network address out: administrators do not learn where people are. */
async function toSession({
  id,
  method,
  user_agent,
  created_at,
  last_seen_at,
}: SessionRow): Promise<AdministeredSession> {
  return {
    id,
    method: shownMethod(method),
    ...(await namesOfClient(user_agent)),
    createdAt: created_at,
    lastSeenAt: last_seen_at,
  };
}

async function usageOf({ database, clock }: AccountContext, id: string) {
  const { months } = await usageOfMonths({ database, clock }, id, 1);
  const [current] = months;
  if (!current) throw new Error("The usage of one month has no month");
  const { month, inputTokens, outputTokens } = current;
  return { month, inputTokens, outputTokens };
}
