import { OVERVIEW_DAYS, type Overview } from "#contract/administration/overview.ts";
import { testableProviders } from "#contract/administration/provider-check.ts";
import { DAY } from "#contract/limits.ts";
import { spentShare } from "#contract/models/budgets.ts";
import { hasOwner } from "../accounts/roles/role-store.ts";
import { countGroupBudgets, installationBudget } from "../budgets/budget-states.ts";
import type { Config } from "../config/config.ts";
import { diskSizeOf, type FreeSpace } from "../config/disk-space.ts";
import { toUsd } from "../database/nano-usd.ts";
import type { Database } from "../database/schema.ts";
import type { Outbox } from "../mail/outbox.ts";
import type { NamedHealth } from "../models/cool-downs.ts";
import type { Models } from "../models/open-models.ts";
import { type DaySums, readDatabaseSize, sumAccounts, sumCallsByDay } from "./overview-store.ts";
import { warningsOf } from "./overview-warnings.ts";
import { type ReleasesDeps, readReleases } from "./releases.ts";

export type OverviewDeps = ReleasesDeps & {
  config: Config;
  freeSpace: FreeSpace;
  outbox: Pick<Outbox, "backlog" | "failures">;
  models: Pick<Models, "health">;
};

/** Returns the state of the server. Nothing is cached, so that a reload shows the effect of a repair. */
export async function readOverview(deps: OverviewDeps, version: string): Promise<Overview> {
  const { config, database, clock, outbox, models } = deps;
  const now = clock.now();
  const providers = models.health();
  const [accounts, calls, storage, backlog, failed, isOwned, budget, groupBudgets, releases] = await Promise.all([
    sumAccounts(database, { weekAgo: now - 7 * DAY, monthAgo: now - 30 * DAY }),
    readCalls(database, now),
    readStorage(deps),
    outbox.backlog(),
    outbox.failures(),
    hasOwner(database),
    installationBudget(deps),
    countGroupBudgets(deps),
    readReleases(deps, version),
  ]);
  const { storedBytes, ...counts } = accounts;
  return {
    accounts: { ...counts, unverified: counts.total - counts.verified },
    ...calls,
    ...(budget && { budget }),
    groupBudgets,
    mail: { hasMailServer: config.hasMailServer, waiting: backlog.count, failed },
    storage: { stored: storedBytes, ...storage },
    answeringProcess: {
      version,
      uptimeMs: Math.round(performance.now()),
      providers: providers.map(toEntry),
      ...(deps.outbound.proxies && { proxy: deps.outbound.proxies }),
    },
    ...(releases && { releases }),
    warnings: warningsOf({
      config,
      registration: deps.installation.current,
      providers,
      hasOwner: isOwned,
      disk: { free: storage.diskFree, size: storage.diskSize },
      budgets: { installation: budget && spentShare(budget), groups: groupBudgets },
    }),
  };
}

function toEntry({ id, name, isPaid: _, ...seen }: NamedHealth): Overview["answeringProcess"]["providers"][number] {
  // The page has names of its own for the providers of the environment.
  const isOfEnvironment = testableProviders.some((each) => each === id);
  return { name: id, ...(!isOfEnvironment && { label: name }), ...seen };
}

async function readStorage({ config, database, freeSpace }: OverviewDeps) {
  return {
    database: await readDatabaseSize(database),
    diskFree: await freeSpace(),
    diskSize: await diskSizeOf(config.dataDir),
  };
}

async function readCalls(database: Database, now: number): Promise<Pick<Overview, "replies" | "usage">> {
  const today = Math.floor(now / DAY);
  const month = dayOf(today).slice(0, 7);
  const firstOfMonth = Date.parse(`${month}-01T00:00:00Z`) / DAY;
  const firstShown = today - OVERVIEW_DAYS + 1;
  const days = await sumCallsByDay(database, Math.min(firstShown, firstOfMonth));
  const repliesOn = new Map(days.map(({ day, replies }) => [day, replies]));
  const shown = Array.from({ length: OVERVIEW_DAYS }, (_, at) => firstShown + at);
  const { replies, ...tokens } = addUp(days.filter(({ day }) => day >= firstOfMonth));
  return {
    replies: {
      today: repliesOn.get(today) ?? 0,
      month: replies,
      days: shown.map((day) => ({ day: dayOf(day), replies: repliesOn.get(day) ?? 0 })),
    },
    usage: { month, ...tokens },
  };
}

/** Formats days since 1970, e.g. `2026-01-31`. */
const dayOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

function addUp(days: readonly DaySums[]) {
  const sum = (of: (day: DaySums) => number) => days.reduce((total, day) => total + of(day), 0);
  const hasCost = days.some(({ cost }) => cost !== null);
  return {
    replies: sum(({ replies }) => replies),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    ...(hasCost && { cost: toUsd(sum(({ cost }) => cost ?? 0)) }),
  };
}
