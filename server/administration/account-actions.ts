import type { AccountAction, AccountActionResult, AccountActions } from "#contract/administration/administration.ts";
import { findUser } from "../accounts/account-store.ts";
import type { Accounts } from "../accounts/accounts.ts";
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
import { requireGroup } from "../accounts/membership/assign-group.ts";
import { isWithin, type Reach } from "../accounts/roles/may-administer.ts";
import type { UserRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";

type Act = (accounts: Accounts, user: UserRow, by: Administrator, groupId: string | null) => Promise<boolean>;

/** The actions; each returns whether it changed the account. */
const acts: Readonly<Record<AccountAction, Act>> = {
  verify: verifyAccount,
  disable: (accounts, { id }, by) => disableAccount(accounts, id, by),
  enable: (accounts, { id }, by) => enableAccount(accounts, id, by),
  "end-sessions": (accounts, { id }, by) => endSessionsOf(accounts, id, { by }),
  "send-reset": (accounts, user, by) => sendReset(accounts, user, by).then(() => true),
  delete: (accounts, { id }, by) => deleteAccount(accounts, id, by).then(() => true),
  "set-group": (accounts, { id }, by, groupId) => setRights(accounts, id, { groupId, by }),
};

/**
 * Acts on several accounts, each in a transaction of its own: the refusal of one does not stop the others.
 * @throws Failure `invalid-input` if the group does not exist
 */
export async function actOnAccounts(
  accounts: Accounts,
  { ids, action, groupId = null }: AccountActions,
  by: Administrator,
  reach: Reach,
): Promise<AccountActionResult[]> {
  if (action === "set-group" && groupId !== null) await requireGroup(accounts.database, groupId);
  const results: AccountActionResult[] = [];
  for (const id of new Set(ids)) results.push(await actOn(accounts, { id, action, groupId }, by, reach));
  return results;
}

async function actOn(
  accounts: Accounts,
  { id, action, groupId }: { id: string; action: AccountAction; groupId: string | null },
  by: Administrator,
  reach: Reach,
): Promise<AccountActionResult> {
  try {
    const user = await findUser(accounts.database, id);
    // Before the action, which checks it again: until its check it could fail because of another account.
    if (!user || !isWithin(reach, user.group_id)) throw new Failure("not-found");
    return { id, ok: true, changed: await acts[action](accounts, user, by, groupId) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { id, ok: false, code: error.code };
  }
}
