/** State of the server for administrators. Nothing here names an account. Times are Unix times in ms. */

import * as z from "zod/mini";
import { budgetStateSchema, groupBudgetsSchema } from "../models/budgets.ts";
import { timeField } from "../times.ts";

/**
 * Warnings about the configuration. `no-mail-server`: mails become files. `open-registration-with-paid-keys`: everybody
 * can register and cause costs. `rate-limits-off`: other machines can guess passwords without limit. `no-model`: the
 * demo assistant answers. `disk-nearly-full`: the disk of the data folder. `no-owner`: no owner can sign in.
 * `budget-used-up`, `budget-nearly-used`: that of the installation; `group-…`: those of some groups.
 */
export const overviewWarnings = [
  ...(["no-owner", "disk-nearly-full", "budget-used-up", "open-registration-with-paid-keys"] as const),
  ...(["rate-limits-off", "no-model", "no-mail-server", "budget-nearly-used"] as const),
  ...(["group-budgets-used-up", "group-budgets-nearly-used"] as const),
] as const;
export type OverviewWarning = (typeof overviewWarnings)[number];

export const OVERVIEW_DAYS = 30;
/** More than this version has. */
const PROVIDERS_MAX = 100;
const WARNINGS_MAX = 50;

/** What the answering process has seen of a provider since it started. Absent times: never. */
const providerHealth = z.object({
  /** Id of the connection: `openai`, `anthropic` or `local` of the environment, else its slug. */
  name: z.string(),
  /** Name that its owner has given; absent of an older server. */
  label: z.optional(z.string()),
  /** Automatic choice skips the provider until then; absent if it does not. */
  coolsUntil: z.optional(timeField()),
  /** `code`: an `ErrorCode`. */
  lastError: z.optional(z.object({ code: z.string(), at: timeField() })),
  lastSuccessAt: z.optional(timeField()),
});

/** In UTF-16 units. */
export const RELEASE_VERSION_MAX = 100;
export const RELEASE_URL_MAX = 2000;

/**
 * Newer versions, as far as the server asks for them. `isFixed`: the environment decides whether it asks. `checkedAt`: of
 * the last request. `newer`: absent if this version is the newest, or nothing is known. `hasFailed`: of the last request.
 */
const releasesSchema = z.object({
  isChecked: z.boolean(),
  isFixed: z.boolean(),
  checkedAt: z.optional(timeField()),
  newer: z.optional(
    z.object({
      version: z.string().check(z.maxLength(RELEASE_VERSION_MAX)),
      url: z.string().check(z.maxLength(RELEASE_URL_MAX)),
    }),
  ),
  hasFailed: z.optional(z.literal(true)),
});
export type Releases = z.infer<typeof releasesSchema>;

/**
 * Proxies for requests of the server, as host and port. `direct`: what is reached without them, as in `NO_PROXY`; this
 * machine always is.
 */
const proxySchema = z.object({
  https: z.optional(z.string()),
  http: z.optional(z.string()),
  direct: z.optional(z.string()),
});

export const overviewSchema = z.object({
  /** `total` is `verified` and `unverified`; the other numbers count some of them again. Last use is exact to a minute. */
  accounts: z.object({
    total: z.int(),
    verified: z.int(),
    unverified: z.int(),
    disabled: z.int(),
    activeInWeek: z.int(),
    activeInMonth: z.int(),
  }),
  /**
   * Calls in which models have written a reply or a part of it; without titles and refused calls. A reply that is
   * continued counts again. Days begin at midnight UTC, `month` is the calendar month.
   */
  replies: z.object({
    today: z.int(),
    month: z.int(),
    /** The last 30 days, oldest first; the last one is today. `day`: such as `2026-01-31`. */
    days: z.array(z.object({ day: z.string(), replies: z.int() })).check(z.maxLength(OVERVIEW_DAYS)),
  }),
  /** All calls to models in this calendar month (UTC), such as `2026-01`. */
  usage: z.object({
    month: z.string(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    /** US dollars; absent if no call has a price. */
    cost: z.optional(z.number()),
  }),
  /** Budget of the installation; absent if it has none. */
  budget: z.optional(budgetStateSchema),
  groupBudgets: groupBudgetsSchema,
  /** `waiting`: due or to be retried. `failed`: given up in the last 7 days. */
  mail: z.object({ hasMailServer: z.boolean(), waiting: z.int(), failed: z.int() }),
  /** In bytes. `stored`: chats and files of all accounts, as quotas count them. The disk is that of the data folder. */
  storage: z.object({ stored: z.number(), database: z.number(), diskFree: z.number(), diskSize: z.number() }),
  /** The process that answered; others may have seen something else. `uptimeMs`: since it started. */
  answeringProcess: z.object({
    version: z.string(),
    uptimeMs: z.int(),
    providers: z.array(providerHealth).check(z.maxLength(PROVIDERS_MAX)),
    /** Absent without a proxy. */
    proxy: z.optional(proxySchema),
  }),
  /** Absent if the operator has set no address of releases. */
  releases: z.optional(releasesSchema),
  /** Each is an `OverviewWarning`; a newer server may send others. */
  warnings: z.array(z.string()).check(z.maxLength(WARNINGS_MAX)),
});
export type Overview = z.infer<typeof overviewSchema>;
