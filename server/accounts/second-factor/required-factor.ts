import { hasRole } from "#contract/accounts/roles.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { AccountContext } from "../accounts.ts";
import { findGroup } from "../membership/group-store.ts";
import { hasPasskey } from "../webauthn/has-passkey.ts";
import { findTotpFactor } from "./second-factor-store.ts";

/** Returns whether an account has a second factor: an authenticator app, or a passkey of this server. */
export async function hasSecondFactor(
  accounts: Pick<AccountContext, "config">,
  db: Queryable,
  userId: string,
): Promise<boolean> {
  return (await findTotpFactor(db, userId)) !== undefined || hasPasskey(accounts, db, userId);
}

/** Returns whether an account must have a second factor: by the configuration and its role, by itself, or by its group. */
export async function isSecondFactorRequired(
  { config }: Pick<AccountContext, "config">,
  db: Queryable,
  {
    role,
    group_id: groupId,
    needs_second_factor: isNeeded,
  }: Pick<UserRow, "role" | "group_id" | "needs_second_factor">,
): Promise<boolean> {
  if (config.secondFactor === "required") return true;
  if (config.secondFactor === "administrators" && hasRole(role, "administrator")) return true;
  if (isNeeded === 1) return true;
  return groupId !== null && (await findGroup(db, groupId))?.needs_second_factor === 1;
}

/**
 * Refuses a change, in its transaction, that has removed the last second factor of an account that must have one.
 * @throws Failure `second-factor-required`
 */
export async function refuseMissingFactor(
  accounts: Pick<AccountContext, "config">,
  db: Queryable,
  user: UserRow,
): Promise<void> {
  const isMissing =
    (await isSecondFactorRequired(accounts, db, user)) && !(await hasSecondFactor(accounts, db, user.id));
  if (isMissing) throw new Failure("second-factor-required");
}
