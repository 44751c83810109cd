import { createContext, useContext } from "react";
import { type AccountDetails, accountDetailsSchema } from "#contract/accounts/account-settings.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { refreshUser } from "../accounts/session/session.ts";
import { api } from "../api/client.ts";
import type { QueryResult } from "./use-query.ts";

/** Reads the account's details and refreshes the user: a new address may have been confirmed elsewhere. */
export async function readAccount(signal: AbortSignal): Promise<AccountDetails> {
  const [details] = await Promise.all([
    api.get(accountPaths.account, accountDetailsSchema, { signal }),
    refreshUser({ signal }),
  ]);
  return details;
}

export const AccountDetailsContext = createContext<QueryResult<AccountDetails> | null>(null);

/** Returns the account details, which are loaded once for all pages of the settings. */
export function useAccountDetails(): QueryResult<AccountDetails> {
  const value = useContext(AccountDetailsContext);
  if (!value) throw new Error("There are no account details around this component");
  return value;
}
