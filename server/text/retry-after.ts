import { SECOND } from "#contract/limits.ts";

/** Parses `Retry-After`: seconds, also with decimals, or a date (RFC 9110). @returns ms, not negative; undefined if it is none of them */
export function parseRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined || !/^[\d.]+$|^[A-Z][a-z]{2}, /.test(value)) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * SECOND : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
