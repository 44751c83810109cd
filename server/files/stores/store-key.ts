const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text has the form of a key of stored bytes: a UUID in lower case. */
export const isStoreKey = (text: string): boolean => UUID.test(text);

/**
 * Returns the key. Called before a key becomes a part of a path.
 * @throws Error if it is not a UUID in lower case
 */
export function checkedKey(key: string): string {
  if (!isStoreKey(key)) throw new Error("A key of stored bytes must be a UUID");
  return key;
}
