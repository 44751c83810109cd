/** When a message came: the time today, the day before that. */
export function hitTime(at: number, locale: string, now = Date.now()): string {
  const [then, today] = [new Date(at), new Date(now)];
  const isToday = then.toDateString() === today.toDateString();
  const isThisYear = then.getFullYear() === today.getFullYear();
  const day: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };
  if (!isThisYear) day.year = "numeric";
  return new Intl.DateTimeFormat(locale, isToday ? { timeStyle: "short" } : day).format(then);
}
