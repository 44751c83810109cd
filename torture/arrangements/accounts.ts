import { type Account, registerAtProcess } from "../../testing/accounts/process-account.ts";
import type { ServerProcess } from "../../testing/servers/server-process.ts";
import { bounded } from "../bounded.ts";

/** {@link registerAtProcess} with a limit. @throws GaveUp if no link to verify the account is printed */
export const registerAt = (server: ServerProcess, others: readonly ServerProcess[] = []): Promise<Account> =>
  bounded(`no account was registered at server ${server.name}`, registerAtProcess(server, others));

/** Registers several accounts, one after the other. */
export async function registerSome(
  count: number,
  server: ServerProcess,
  others: readonly ServerProcess[] = [],
): Promise<[Account, ...Account[]]> {
  const accounts: [Account, ...Account[]] = [await registerAt(server, others)];
  while (accounts.length < count) accounts.push(await registerAt(server, others));
  return accounts;
}
