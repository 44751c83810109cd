type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the value at a path of JSON; undefined without one. */
export function valueAt(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), json);
}

/** Returns the objects of a list at a path of JSON; undefined without a list. */
export function objectsAt(json: unknown, ...path: readonly string[]): Fields[] | undefined {
  const value = valueAt(json, ...path);
  return Array.isArray(value) ? value.filter(isFields) : undefined;
}
