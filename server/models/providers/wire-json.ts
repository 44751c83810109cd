/** Careful looks into JSON that others wrote; no schema library, since this runs for every streamed word. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field of an object; `undefined` where there is neither. */
export function field(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A field that is a text; else an empty one. */
export function textField(value: unknown, name: string): string {
  const text = field(value, name);
  return typeof text === "string" ? text : "";
}

/** As much as a row takes: what a provider says must not keep a reply from being stored. */
const MAX_COUNT = 2 ** 31 - 1;

/** A field that is a count; else `undefined`. */
export function countField(value: unknown, name: string): number | undefined {
  const count = field(value, name);
  return typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT ? count : undefined;
}

/** `undefined` where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
