declare const isDifference: unique symbol;

/**
 * Fields of a form that its person changed. Only {@link changedFields} returns it, so that an API function with this
 * parameter cannot receive a whole form, which would undo what others have changed since it was opened.
 */
export type ChangedFields<T> = Partial<T> & { readonly [isDifference]: true };

/** Returns the fields of `given` whose JSON differs from that of `initial`: the values with which the form was opened. */
export function changedFields<T extends object>(initial: Partial<T>, given: T): ChangedFields<T> {
  const before = new Map<string, unknown>(Object.entries(initial));
  const changed = Object.entries(given).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  return Object.fromEntries(changed) as ChangedFields<T>;
}

/** Returns whether there is anything to send. */
export function isUnchanged(fields: ChangedFields<object>): boolean {
  return Object.keys(fields).length === 0;
}
