import type { ChatListItem } from "#contract/conversation/chats.ts";
import { DAY } from "#contract/limits.ts";

export type DayGroup = { label: string; chats: ChatListItem[] };
export type ChatDayTexts = { today: string; yesterday: string; week: string };

/**
 * Groups the history (newest activity first) by days of the local time zone: today, yesterday, the seven days before,
 * then months. `now`: Unix time in ms; `locale`: language of the month names.
 */
export function groupChatsByDay(
  chats: readonly ChatListItem[],
  now: number,
  words: ChatDayTexts,
  locale: string,
): DayGroup[] {
  const today = dayOf(now);
  const thisYear = new Date(now).getFullYear();
  const groups = new Map<string, DayGroup>();
  for (const chat of chats) {
    const label = labelOf(chat.updatedAt, today, thisYear, words, locale);
    const group = groups.get(label);
    if (group) group.chats.push(chat);
    else groups.set(label, { label, chats: [chat] });
  }
  return [...groups.values()];
}

/** Returns the number of the local day; days of 23 or 25 hours (daylight saving) count as one. */
export function dayOf(time: number): number {
  const date = new Date(time);
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY);
}

function labelOf(time: number, today: number, thisYear: number, words: ChatDayTexts, locale: string): string {
  const age = today - dayOf(time);
  // A local clock behind the server's must not create a group for the future.
  if (age <= 0) return words.today;
  if (age === 1) return words.yesterday;
  if (age <= 8) return words.week;
  const date = new Date(time);
  const year = date.getFullYear() === thisYear ? undefined : "numeric";
  return new Intl.DateTimeFormat(locale, { month: "long", year }).format(date);
}
