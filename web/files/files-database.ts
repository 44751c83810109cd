/** Returns the name of the IndexedDB database with the files of an account's drafts. */
export const filesDatabase = (account: string) => `parley-files:${account}`;

/**
 * Deletes the files of an account's drafts from this browser. Open tabs close their database first. Needs no other
 * module, because a logout must not need a network.
 */
export function deleteStoredFiles(account: string): void {
  try {
    indexedDB.deleteDatabase(filesDatabase(account));
  } catch {
    // A browser that lacks or forbids IndexedDB has stored nothing.
  }
}
