/** Longer than every IANA name. */
export const TIME_ZONE_MAX = 64;

/** Whether a name is one of the IANA time zone database. Offsets such as `+01:00` have no months of their own. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
