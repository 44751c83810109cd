import { HOUR, MINUTE, SECOND } from "#contract/limits.ts";
import { i18n } from "../locales/i18n.ts";

/** Translates a waiting time (ms), rounded up: "1 second", "42 seconds", "15 minutes". */
export function waitText(ms: number): string {
  if (ms <= MINUTE) return i18n.t("wait.seconds", { count: Math.max(1, Math.ceil(ms / SECOND)) });
  if (ms <= HOUR) return i18n.t("wait.minutes", { count: Math.ceil(ms / MINUTE) });
  return i18n.t("wait.hours", { count: Math.ceil(ms / HOUR) });
}

/** Returns the text for too many requests, with the time (ms) to wait. */
export const tooOftenText = (waitMs: number) => i18n.t("wait.tooOften", { wait: waitText(waitMs) });
