import type { AccountRole } from "#contract/accounts/roles.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { toNanoUsd, toUsd } from "../../database/nano-usd.ts";
import type { UserRow } from "../../database/schema.ts";
import { changeAccount } from "../account-changes-store.ts";
import { admitToGroup } from "../invitations/admit-to-group.ts";
import { assignGroup, holdGroup } from "../membership/assign-group.ts";
import { giveRole } from "../roles/give-role.ts";
import { keepOwner } from "../roles/owners.ts";
import { type Change, type ChangeDeps, commitChange } from "../trust/change-as.ts";
import { type Administrator, holdAdministered } from "./administrator.ts";

/**
 * `quotaMb`: storage quota in megabytes; null is that of the group or the server. `budgetUsd`: budget in US dollars a
 * month; null is that of the group's members. `groupId`: null is none. What is undefined stays.
 */
export type Rights = {
  role?: AccountRole | undefined;
  quotaMb?: number | null | undefined;
  budgetUsd?: number | null | undefined;
  groupId?: string | null | undefined;
  needsSecondFactor?: boolean | undefined;
};

/**
 * Gives an account another role, storage quota, budget or group, or requires a second factor of it, in one transaction.
 * @returns whether anything changed
 * @throws Failure `last-owner`, `not-found`, `not-permitted`; `invalid-input` if the group does not exist
 */
export async function setRights(
  deps: ChangeDeps,
  userId: string,
  { role, quotaMb, budgetUsd, groupId, needsSecondFactor, by }: Rights & { by: Administrator },
): Promise<boolean> {
  return commitChange(deps, async (change) => {
    const act = role === undefined ? "other" : { role };
    const user = await holdAdministered(deps, change.db, userId, { by, act });
    const record = { at: deps.clock.now(), actor: by.actor };
    const hasRole = role !== undefined && (await changeRole(change, user, { role, ...record }));
    const hasQuota = quotaMb !== undefined && (await changeQuota(change, user, { quotaMb, ...record }));
    const hasBudget = budgetUsd !== undefined && (await changeBudget(change, user, { budgetUsd, ...record }));
    const hasGroup = groupId !== undefined && (await changeGroupOf(change, user, { groupId, ...record }));
    const hasRequirement =
      needsSecondFactor !== undefined && (await changeRequirement(change, user, { needsSecondFactor, ...record }));
    return hasRole || hasQuota || hasBudget || hasGroup || hasRequirement;
  });
}

type Recorded<T> = T & { at: number; actor: string | null };

async function changeRole({ db }: Change, user: UserRow, { role, ...by }: Recorded<{ role: AccountRole }>) {
  if (user.role === role) return false;
  await keepOwner(db, user);
  await giveRole(db, user, { role, ...by });
  return true;
}

async function changeGroupOf({ db }: Change, user: UserRow, { groupId, ...by }: Recorded<{ groupId: string | null }>) {
  const isMoved = groupId !== null && groupId !== user.group_id;
  if (isMoved) await admitToGroup(db, { actor: by.actor, now: by.at }, await holdGroup(db, groupId));
  return assignGroup(db, user, { groupId, ...by });
}

async function changeQuota({ db }: Change, user: UserRow, { quotaMb, ...by }: Recorded<{ quotaMb: number | null }>) {
  if (user.quota_mb === quotaMb) return false;
  await changeAccount(db, user.id, { quota_mb: quotaMb });
  const values = { before: { quotaMb: user.quota_mb }, after: { quotaMb } };
  await recordAudit(db, { kind: "quota-changed", ...by, subject: user.id, ...values });
  return true;
}

async function changeBudget(
  { db }: Change,
  user: UserRow,
  { budgetUsd, ...by }: Recorded<{ budgetUsd: number | null }>,
) {
  const budget = budgetUsd === null ? null : toNanoUsd(budgetUsd);
  if (user.budget === budget) return false;
  await changeAccount(db, user.id, { budget });
  const before = { budgetUsd: user.budget === null ? null : toUsd(user.budget) };
  await recordAudit(db, { kind: "budget-changed", ...by, subject: user.id, before, after: { budgetUsd } });
  return true;
}

async function changeRequirement(
  { db }: Change,
  user: UserRow,
  { needsSecondFactor, ...by }: Recorded<{ needsSecondFactor: boolean }>,
) {
  if ((user.needs_second_factor === 1) === needsSecondFactor) return false;
  await changeAccount(db, user.id, { needs_second_factor: needsSecondFactor ? 1 : 0 });
  const [off, on] = [{ needsSecondFactor: "off" }, { needsSecondFactor: "on" }];
  const values = needsSecondFactor ? { before: off, after: on } : { before: on, after: off };
  await recordAudit(db, { kind: "second-factor-requirement-changed", ...by, subject: user.id, ...values });
  return true;
}
