import { HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { i18n } from "../locales/i18n.ts";

/** A time to wait (ms) in words, never shorter than it is: "1 second", "42 seconds", "15 minutes". */
export function waitText(ms: number): string {
  if (ms <= MINUTE) return i18n.t("wait.seconds", { count: Math.max(1, Math.ceil(ms / SECOND)) });
  if (ms <= HOUR) return i18n.t("wait.minutes", { count: Math.ceil(ms / MINUTE) });
  return i18n.t("wait.hours", { count: Math.ceil(ms / HOUR) });
}

/** What was asked for too often, and how long (ms) to wait before the next time. */
export const tooOftenText = (waitMs: number) => i18n.t("wait.tooOften", { wait: waitText(waitMs) });
