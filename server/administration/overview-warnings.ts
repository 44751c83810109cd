import { type OverviewWarning, overviewWarnings } from "#contract/administration/overview.ts";
import { BUDGET_LOW_SHARE, BUDGET_USED_UP_SHARE, type GroupBudgets } from "#contract/models/budgets.ts";
import type { Config } from "../config/config.ts";
import { isNearlyFull } from "../config/disk-space.ts";
import { isOpenToAll, type RegistrationValues } from "../installation/effective-values.ts";

type WarningSettings = "isReachable" | "hasMailServer" | "hasRateLimits";

/**
 * `providers`: the configured ones; `isPaid`: calls may cost money. `disk`: of the data folder, in bytes. `budgets`: what is spent of the installation's,
 * from 0 to 1, undefined if it has none; and numbers of groups.
 */
export type OverviewFacts = {
  config: Pick<Config, WarningSettings>;
  registration: RegistrationValues;
  providers: readonly { isPaid: boolean }[];
  hasOwner: boolean;
  disk: { free: number; size: number };
  budgets: { installation: number | undefined; groups: GroupBudgets };
};

/** Returns the warnings that apply, the most urgent first. */
export function warningsOf(facts: OverviewFacts): OverviewWarning[] {
  const { config, registration, providers, hasOwner, disk, budgets } = facts;
  const hasPaidKey = providers.some(({ isPaid }) => isPaid);
  const { installation: spent = 0, groups } = budgets;
  const applies: Record<OverviewWarning, boolean> = {
    "no-owner": !hasOwner,
    "disk-nearly-full": isNearlyFull(disk),
    "open-registration-with-paid-keys": isOpenToAll(registration) && hasPaidKey && config.isReachable,
    "rate-limits-off": config.isReachable && !config.hasRateLimits,
    "no-model": providers.length === 0,
    "no-mail-server": !config.hasMailServer,
    "budget-used-up": spent >= BUDGET_USED_UP_SHARE,
    "group-budgets-used-up": groups.usedUp > 0,
    "budget-nearly-used": spent >= BUDGET_LOW_SHARE && spent < BUDGET_USED_UP_SHARE,
    "group-budgets-nearly-used": groups.nearlyUsed > 0,
  };
  return overviewWarnings.filter((warning) => applies[warning]);
}
