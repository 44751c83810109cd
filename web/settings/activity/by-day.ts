import type { SecurityEvent } from "#contract/accounts/sessions.ts";
import { DAY } from "#contract/limits.ts";
import { dayOf } from "../../chats/list/day-groups.ts";

export type EventDay = { label: string; events: SecurityEvent[] };
export type EventDayTexts = { today: string; yesterday: string };

/** Groups events (newest first) by day in the reader's time zone. `now` in ms; `locale` formats the dates. */
export function groupEventsByDay(
  events: readonly SecurityEvent[],
  now: number,
  words: EventDayTexts,
  locale: string,
): EventDay[] {
  const days: EventDay[] = [];
  for (const event of events) {
    const label = labelOf(event.at, now, words, locale);
    const last = days.at(-1);
    if (last?.label === label) last.events.push(event);
    else days.push({ label, events: [event] });
  }
  return days;
}

function labelOf(at: number, now: number, words: EventDayTexts, locale: string): string {
  const age = dayOf(now) - dayOf(at);
  // If the client's clock is behind the server's, a future event counts as today.
  if (age <= 0) return words.today;
  if (age === 1) return words.yesterday;
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, {
    ...(now - at < 7 * DAY && { weekday: "long" }),
    month: "long",
    day: "numeric",
    ...(!isThisYear && { year: "numeric" }),
  }).format(at);
}
