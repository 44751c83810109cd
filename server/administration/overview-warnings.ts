import { MEGABYTE } from "#contract/limits.ts";
import { type OverviewWarning, overviewWarnings } from "#contract/overview.ts";
import type { Config } from "../config/config.ts";
import { isLoopback, isReachable } from "../config/loopback.ts";
import type { ProviderName } from "../models/model.ts";

const FREE_MIN_BYTES = 1000 * MEGABYTE;
const FREE_MIN_SHARE = 0.05;

type WarningSettings =
  | ("publicUrl" | "host" | "hasMailServer" | "hasRateLimits")
  | ("registrationOpen" | "registrationDomains");

/** `providers`: the configured ones. `disk`: of the data folder, in bytes. */
export type OverviewFacts = {
  config: Pick<Config, WarningSettings>;
  providers: readonly ProviderName[];
  hasOwner: boolean;
  disk: { free: number; size: number };
};

/** Returns the warnings that apply, the most urgent first. */
export function warningsOf({ config, providers, hasOwner, disk }: OverviewFacts): OverviewWarning[] {
  const isOpenToAll = config.registrationOpen && config.registrationDomains.length === 0;
  const hasPaidKey = providers.some((provider) => provider !== "local");
  const applies: Record<OverviewWarning, boolean> = {
    "no-owner": !hasOwner,
    "disk-nearly-full": disk.free < Math.max(FREE_MIN_BYTES, FREE_MIN_SHARE * disk.size),
    "open-registration-with-paid-keys": isOpenToAll && hasPaidKey && !isLoopback(config.publicUrl),
    "rate-limits-off": isReachable(config) && !config.hasRateLimits,
    "no-model": providers.length === 0,
    "no-mail-server": !config.hasMailServer,
  };
  return overviewWarnings.filter((warning) => applies[warning]);
}
