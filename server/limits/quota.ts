import { MEGABYTE } from "#contract/limits.ts";
import { Failure } from "../failure.ts";

/** Storage quotas in bytes, measured by `storedBytes`. */
export type QuotaSettings = { maxChatBytes: number; maxAccountBytes: number };

/**
 * Refuses a write that exceeds a quota. A write that adds nothing itself, such as Continue, is refused at the quota.
 * @param used bytes without the write
 * @throws Failure `quota-reached`
 */
export function refuseOverQuota(used: number, added: number, max: number): void {
  if (used + Math.max(added, 1) > max) throw new Failure("quota-reached");
}

/** Returns the quota of an account in bytes: `quota_mb` is its own or its group's, else the server's counts. */
export function quotaOf({ quota_mb }: { quota_mb: number | null }, { maxAccountBytes }: QuotaSettings): number {
  return quota_mb === null ? maxAccountBytes : quota_mb * MEGABYTE;
}
