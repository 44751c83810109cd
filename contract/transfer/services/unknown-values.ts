/** Readers of values of unknown shape, as they come from files of other services. */

/** Returns an object that is not an array; undefined for any other value. */
export function recordOf(value: unknown): Record<string, unknown> | undefined {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : undefined;
}

/** Returns an array; an empty one for any other value. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns a string; `""` for any other value. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Returns a finite number; undefined for any other value. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** Returns an id as text, also one that is a number; null for any other value, and for an empty text. */
export const idOf = (value: unknown): string | null => textOf(value) || (numberOf(value)?.toString() ?? null);

/** Returns the Unix time in ms of an ISO 8601 string; null for any other value. */
export function timeOfIso(value: unknown): number | null {
  const time = Date.parse(textOf(value));
  return Number.isNaN(time) ? null : time;
}
