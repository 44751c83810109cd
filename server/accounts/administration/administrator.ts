import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import type { Identity } from "../../http/session-hook.ts";
import { holdUser } from "../account-store.ts";
import type { AccountsDeps } from "../accounts.ts";
import { admitAdministrator } from "../roles/admit-administrator.ts";
import type { AdministrativeAct } from "../roles/may-administer.ts";

/** Who administers: an account, or a command on the server itself (`actor` is null). */
export type Administrator = { actor: string | null; client: Client };

/** The logs of an account do not show where its administrator was. */
const hidden: Client = { ip: "", userAgent: "", isBrowser: false, device: null, isLocal: false, isTrusted: false };

/** Commands run on the server itself, without an account. */
export const commandLine: Administrator = { actor: null, client: { ...hidden, isLocal: true } };

/** The account that administers in the browser. */
export const administratorOf = (identity: Pick<Identity, "userId">): Administrator => ({
  actor: identity.userId,
  client: hidden,
});

/**
 * Locks an account that is administered.
 * @throws Failure `not-found`; `not-permitted` if the administrator may not act on it
 */
export async function holdAdministered(
  { clock }: Pick<AccountsDeps, "clock">,
  db: Queryable,
  userId: string,
  { by, act = "other" }: { by: Administrator; act?: AdministrativeAct },
): Promise<UserRow> {
  const user = await holdUser(db, userId);
  if (!user) throw new Failure("not-found");
  await admitAdministrator(db, { actor: by.actor, now: clock.now() }, user, act);
  return user;
}
