import type { AccountAction, AccountActionResult, AccountActions } from "#contract/administration/administration.ts";
import { findUser } from "../accounts/account-store.ts";
import type { AccountContext } from "../accounts/accounts.ts";
import {
  deleteAccount,
  disableAccount,
  enableAccount,
  endSessionsOf,
  sendReset,
  verifyAccount,
} from "../accounts/administration/account-lifecycle.ts";
import { setRights } from "../accounts/administration/account-rights.ts";
import type { Administrator } from "../accounts/administration/administrator.ts";
import { resetSecondFactor } from "../accounts/administration/reset-second-factor.ts";
import { requireGroup } from "../accounts/membership/assign-group.ts";
import { isWithin, type Reach } from "../accounts/roles/may-administer.ts";
import type { UserRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import { revokeShares } from "./revoke-shares.ts";

type Act = (deps: AccountContext, user: UserRow, by: Administrator, groupId: string | null) => Promise<boolean>;

/** The actions; each returns whether it changed the account. */
const acts: Readonly<Record<AccountAction, Act>> = {
  verify: verifyAccount,
  disable: (deps, { id }, by) => disableAccount(deps, id, by),
  enable: (deps, { id }, by) => enableAccount(deps, id, by),
  "end-sessions": (deps, { id }, by) => endSessionsOf(deps, id, { by }),
  "send-reset": (deps, user, by) => sendReset(deps, user, by).then(() => true),
  delete: (deps, { id }, by) => deleteAccount(deps, id, by).then(() => true),
  "revoke-shares": (deps, { id }, by) => revokeShares(deps, id, by),
  "reset-second-factor": (deps, { id }, by) => resetSecondFactor(deps, id, by),
  "set-group": (deps, { id }, by, groupId) => setRights(deps, id, { groupId, by }),
};

/**
 * Acts on several accounts, each in a transaction of its own: the refusal of one does not stop the others.
 * @throws Failure `invalid-input` if the group does not exist
 */
export async function actOnAccounts(
  deps: AccountContext,
  { ids, action, groupId = null }: AccountActions,
  by: Administrator,
  reach: Reach,
): Promise<AccountActionResult[]> {
  if (action === "set-group" && groupId !== null) await requireGroup(deps.database, groupId);
  const results: AccountActionResult[] = [];
  for (const id of new Set(ids)) results.push(await actOn(deps, { id, action, groupId }, by, reach));
  return results;
}

async function actOn(
  deps: AccountContext,
  { id, action, groupId }: { id: string; action: AccountAction; groupId: string | null },
  by: Administrator,
  reach: Reach,
): Promise<AccountActionResult> {
  try {
    const user = await findUser(deps.database, id);
    // Before the action, which checks it again: until its check it could fail because of another account.
    if (!user || !isWithin(reach, user.group_id)) throw new Failure("not-found");
    return { id, ok: true, changed: await acts[action](deps, user, by, groupId) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { id, ok: false, code: error.code };
  }
}
