import { DAY } from "#contract/limits.ts";
import type { SecurityEvent } from "#contract/sessions.ts";
import { dayOf } from "../../chats/day-groups.ts";

export type EventDay = { label: string; events: SecurityEvent[] };
export type EventDayTexts = { today: string; yesterday: string };

/** Events (newest first) by the reader's own days. `now` in ms; `locale` words the dates. */
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
  // A clock that is behind the server's makes no day of its own.
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
