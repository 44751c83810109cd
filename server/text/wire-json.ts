/** Type-safe access to untrusted JSON. Without a schema library, because this runs for every streamed word. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an own field of an object; `undefined` if it is missing, or the value is not an object. */
export function field(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns a field that is a string; else an empty string. */
export function textField(value: unknown, name: string): string {
  const text = field(value, name);
  return typeof text === "string" ? text : "";
}

/** Limit of the database's integer columns. A provider's wrong count must not prevent that a reply is stored. */
export const MAX_COUNT = 2 ** 31 - 1;

/** Returns a field that is a count, a non-negative integer; else `undefined`. */
export function countField(value: unknown, name: string): number | undefined {
  const count = field(value, name);
  return typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT ? count : undefined;
}
