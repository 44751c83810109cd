import { field, isRecord } from "../../text/wire-json.ts";

/** Returns the value at a path of JSON; undefined without one. */
export function valueAt(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce(field, json);
}

/** Returns the objects of a list at a path of JSON; undefined without a list. */
export function objectsAt(json: unknown, ...path: readonly string[]): Record<string, unknown>[] | undefined {
  const value = valueAt(json, ...path);
  return Array.isArray(value) ? value.filter(isRecord) : undefined;
}
