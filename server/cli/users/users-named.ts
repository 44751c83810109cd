import type { AccountContext } from "../../accounts/accounts.ts";
import { listAccountsNamed } from "../../accounts/administration/account-list-store.ts";
import type { UserRow } from "../../database/schema.ts";
import { type Call, type Outcome, Refusal } from "../command.ts";
import { type CommandDeps, openCommandDeps } from "../open-installation.ts";

/** Returns an account as commands print it; times as ISO 8601, or `null`. */
export const userData = (user: UserRow) => ({
  id: user.id,
  username: user.username,
  email: user.email,
  name: `${user.firstname} ${user.lastname}`,
  createdAt: iso(user.created_at),
  verifiedAt: iso(user.verified_at),
  disabledAt: iso(user.disabled_at),
  deleteAt: iso(user.delete_at),
});

export const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Runs `work` on the account that the first operand names. @throws as {@link withAccountNamed} */
export const withAccount = (call: Call, work: (deps: AccountContext, user: UserRow) => Promise<Outcome>) =>
  withAccountNamed(call, call.operand(0), work);

/**
 * Runs `work` on the account with a username, an address or an id.
 * @throws Refusal if there is no such account, or several
 */
export async function withAccountNamed(
  call: Call,
  name: string,
  work: (deps: CommandDeps, user: UserRow) => Promise<Outcome>,
): Promise<Outcome> {
  await using deps = await openCommandDeps(call);
  const found = await listAccountsNamed(deps.database, name);
  const [user, ...others] = found;
  if (!user) throw new Refusal(`There is no account “${name}”.`);
  if (others.length > 0) {
    const names = found.map(({ username, id }) => `${username} (${id})`).join(", ");
    throw new Refusal(`“${name}” matches several accounts: ${names}. Name one of them.`);
  }
  // Awaited here, because the resources of `work` are disposed when this function returns.
  return await work(deps, user);
}
