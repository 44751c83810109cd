import type { InvitationRow } from "../../database/tables/invitation-tables.ts";
import { Failure } from "../../failure.ts";
import type { Client } from "../../http/client.ts";
import type { LimitName } from "../../limits/limits.ts";
import { networkOf } from "../../limits/networks.ts";
import { usernameKeyOf } from "../account-keys.ts";
import { findUserByUsername, isLapsed } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";

/** Limit of answers that a username is taken, which cannot be avoided. Null for none. */
export type NameLookUp = { name: LimitName; subject: string } | null;

/** An invitation is its own ticket: look-ups with it count against the invitation and not against the network. */
export function nameLookUpOf({ ip, isTrusted }: Client, ticket: InvitationRow | undefined): NameLookUp {
  if (ticket !== undefined) return { name: "invited-name-look-up", subject: ticket.id };
  return isTrusted ? null : { name: "name-look-up", subject: networkOf(ip) };
}

/**
 * Only taken names count, so that people of one network who register at the same time do not refuse each other. Beyond
 * the limit all names are refused: otherwise the refusal would reveal the taken ones.
 * @throws Failure `username-taken`, `too-many-requests`
 */
export async function refuseTakenName(accounts: AccountContext, username: string, lookUp: NameLookUp): Promise<void> {
  const { database, clock, limits } = accounts;
  if (lookUp !== null) await limits.check(lookUp.name, lookUp.subject);
  const user = await findUserByUsername(database, usernameKeyOf(username));
  if (user && !isLapsed(user, clock.now())) {
    await countTakenName(accounts, lookUp);
    throw new Failure("username-taken");
  }
  // Concurrent look-ups may have reached the limit meanwhile.
  if (lookUp !== null) await limits.check(lookUp.name, lookUp.subject);
}

/** Counts an answer that a name is taken. @throws Failure `too-many-requests` instead of that answer */
export async function countTakenName({ limits }: AccountContext, lookUp: NameLookUp): Promise<void> {
  if (lookUp !== null) await limits.take(lookUp.name, lookUp.subject);
}
