import * as z from "zod/mini";
import { RELEASE_URL_MAX, RELEASE_VERSION_MAX, type Releases } from "#contract/administration/overview.ts";
import { DAY, SECOND } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import { withTimeout } from "../concurrency/with-timeout.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/schema.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import { claimSetting, listSettingsNamed, putSetting } from "../installation/setting-store.ts";
import type { Log } from "../log.ts";
import { allowedHostOf } from "../outbound/guarded-request.ts";
import type { Outbound } from "../outbound/outbound.ts";

export type ReleasesDeps = {
  config: Pick<Config, "releasesUrl" | "fixedSettings">;
  database: Database;
  installation: Pick<InstallationSettings, "current">;
  clock: Clock;
  log: Log;
  outbound: Outbound;
};

const NAME = "newestRelease";
const INTERVAL_MS = DAY;
const LIMITS = { timeoutMs: 5 * SECOND, maxBytes: 1024 * 1024 };
/** Time that the overview waits for an answer; a later one is shown by the next. */
const WAIT_MS = 2 * SECOND;

/** A version of the form `1.2.3`; one with a suffix is a preview of it. */
const VERSION = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-.+)?$/;

/** The form of a releases API. */
const answerSchema = z.object({
  tag_name: z.string().check(z.maxLength(RELEASE_VERSION_MAX), z.regex(VERSION)),
  html_url: z.string().check(
    z.maxLength(RELEASE_URL_MAX),
    z.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? "")),
  ),
});

const storedSchema = z.object({
  checkedAt: z.int(),
  /** Null: the last request has failed, or has not ended. */
  newest: z.nullable(z.object({ version: z.string(), url: z.string() })),
  hasFailed: z.boolean(),
});
type Stored = z.infer<typeof storedSchema>;

/**
 * Returns what is known of newer versions. Where an owner has switched it on, asks the operator's address at most once a
 * day, whatever the number of processes. The request says nothing about the installation.
 * @param version of the running program
 * @returns undefined without an address
 */
export async function readReleases(deps: ReleasesDeps, version: string): Promise<Releases | undefined> {
  const { config, installation } = deps;
  const { releasesUrl, fixedSettings } = config;
  if (releasesUrl === undefined) return undefined;
  const isChecked = installation.current.releaseCheck === "on";
  const state = { isChecked, isFixed: fixedSettings.releaseCheck !== undefined };
  if (!isChecked) return state;
  const stored = await readOrAsk(deps, releasesUrl);
  // A request that has not ended says nothing.
  if (!stored || (stored.newest === null && !stored.hasFailed)) return state;
  const { checkedAt, newest, hasFailed } = stored;
  return {
    ...state,
    checkedAt,
    ...(newest && isNewer(newest.version, version) && { newer: newest }),
    ...(hasFailed && { hasFailed: true as const }),
  };
}

async function readStored(database: Database): Promise<{ value: string | undefined; stored: Stored | undefined }> {
  const [row] = await listSettingsNamed(database, [NAME]);
  const stored = row === undefined ? undefined : storedSchema.safeParse(JSON.parse(row.value)).data;
  return { value: row?.value, stored };
}

/** Returns what is stored, after a request if one is due. */
async function readOrAsk(deps: ReleasesDeps, address: string): Promise<Stored | undefined> {
  const { database, clock } = deps;
  const now = clock.now();
  const { value, stored } = await readStored(database);
  // A clock that was set back does not end the requests for good.
  if (stored && now - stored.checkedAt < INTERVAL_MS && stored.checkedAt <= now) return stored;
  // Claimed before the request, so that other processes send none, and a failed one is not repeated.
  const claim: Stored = { checkedAt: now, newest: stored?.newest ?? null, hasFailed: false };
  const isClaimed = await claimSetting(database, rowOf(claim), value);
  if (isClaimed) await withTimeout(ask(deps, address, claim), WAIT_MS);
  return (await readStored(database)).stored;
}

const rowOf = (stored: Stored) => ({ name: NAME, value: JSON.stringify(stored), changed_at: stored.checkedAt });

/** Stores the answer. Never rejects. */
async function ask(deps: ReleasesDeps, address: string, claim: Stored): Promise<void> {
  const { database, log } = deps;
  try {
    const newest = await requestNewest(deps, address);
    await putSetting(database, rowOf({ ...claim, newest }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason }, "the address of releases could not be read");
    await putSetting(database, rowOf({ ...claim, hasFailed: true })).catch(() => undefined);
  }
}

async function requestNewest({ outbound }: Pick<ReleasesDeps, "outbound">, address: string) {
  const { OutboundGuard } = await import("../outbound/outbound-guard.ts");
  await using response = await new OutboundGuard({ outbound }).open(address, {
    ...LIMITS,
    headers: { accept: "application/json", "user-agent": "Parley" },
    allowed: allowedHostOf(new URL(address)),
  });
  const { tag_name, html_url } = answerSchema.parse(JSON.parse(Buffer.from(await response.bytes()).toString()));
  return { version: tag_name.replace(/^v/, ""), url: html_url };
}

/** Returns whether a version is newer than another one. A preview is older than its version. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [VERSION.exec(version), VERSION.exec(than)];
  if (!one || !other) return false;
  for (const at of [1, 2, 3]) {
    const difference = Number(one[at]) - Number(other[at]);
    if (difference !== 0) return difference > 0;
  }
  return one[4] === undefined && other[4] !== undefined;
}
