import type { Share, ShareAudience, ShareRules, shareDays } from "#contract/shares/shares.ts";
import { detailText, isUnreachable, textByCode } from "../api/problem-text.ts";
import { i18n } from "../locales/i18n.ts";
import { exactTime } from "../locales/times.ts";

/** Keys of the texts of each audience. */
const audienceKeys = { anyone: "anyone", "signed-in": "signedIn", group: "group" } as const satisfies Record<
  ShareAudience,
  string
>;

const lifeKeys = { 1: "day", 7: "week", 30: "month" } as const satisfies Record<(typeof shareDays)[number], string>;

/** Returns the sentence for a failed call. */
export function shareFailureText(error: unknown): string {
  const text = isUnreachable(error) ? null : (textByCode(error) ?? detailText(error));
  return text ?? i18n.t("shares:failed");
}

/** Returns the name and the explanation of an audience. `group`: name of the account's group. */
export function audienceText(audience: ShareAudience, group = ""): { title: string; text: string } {
  const key = audienceKeys[audience];
  return { title: i18n.t(`shares:audience.${key}`, { group }), text: i18n.t(`shares:audience.${key}Text`) };
}

/** Returns the name of a life in days; null: without end. */
export const lifeText = (days: (typeof shareDays)[number] | null): string =>
  i18n.t(`shares:life.${days === null ? "never" : lifeKeys[days]}`);

/** Returns a sentence with the people who can open a link, and until when. `expiresAt`: Unix time in ms; null: never. */
export function reachText(audience: ShareAudience, expiresAt: number | null): string {
  const key = audienceKeys[audience];
  if (expiresAt === null) return i18n.t(`shares:reach.${key}Always`);
  return i18n.t(`shares:reach.${key}`, { date: exactTime(expiresAt, i18n.language) });
}

/** Returns when a link expires. */
export const expiryText = ({ expiresAt }: Share): string =>
  expiresAt === null
    ? i18n.t("shares:facts.always")
    : i18n.t("shares:facts.expires", { date: exactTime(expiresAt, i18n.language) });

/** Returns why a link is paused; null if it is not. */
export function pauseText({ isPaused }: Share, { audiences }: ShareRules): string | null {
  return isPaused ? i18n.t(`shares:paused.${audiences.length === 0 ? "off" : "group"}`) : null;
}
