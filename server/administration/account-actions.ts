import type { AccountAction, AccountActionResult, AccountActions } from "#contract/administration.ts";
import { findUser } from "../accounts/account-store.ts";
import type { Accounts } from "../accounts/accounts.ts";
import {
  type Administrator,
  deleteAccount,
  disableAccount,
  enableAccount,
  endSessionsOf,
  sendReset,
  verifyAccount,
} from "../accounts/administration/administer.ts";
import type { UserRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";

type Act = (accounts: Accounts, user: UserRow, by: Administrator) => Promise<boolean>;

/** The actions; each returns whether it changed the account. */
const acts: Readonly<Record<AccountAction, Act>> = {
  verify: verifyAccount,
  disable: (accounts, { id }, by) => disableAccount(accounts, id, by),
  enable: (accounts, { id }, by) => enableAccount(accounts, id, by),
  "end-sessions": (accounts, { id }, by) => endSessionsOf(accounts, id, { by }),
  "send-reset": (accounts, user, by) => sendReset(accounts, user, by).then(() => true),
  delete: (accounts, { id }, by) => deleteAccount(accounts, id, by).then(() => true),
};

/** Acts on several accounts, each in a transaction of its own: the refusal of one does not stop the others. */
export async function actOnAccounts(
  accounts: Accounts,
  { ids, action }: AccountActions,
  by: Administrator,
): Promise<AccountActionResult[]> {
  const results: AccountActionResult[] = [];
  for (const id of new Set(ids)) results.push(await actOn(accounts, { id, action }, by));
  return results;
}

async function actOn(
  accounts: Accounts,
  { id, action }: { id: string; action: AccountAction },
  by: Administrator,
): Promise<AccountActionResult> {
  try {
    const user = await findUser(accounts.database, id);
    if (!user) throw new Failure("not-found");
    return { id, ok: true, changed: await acts[action](accounts, user, by) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { id, ok: false, code: error.code };
  }
}
