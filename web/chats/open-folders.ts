const keyOf = (account: string) => `open-folders:${account}`;

/** Ids of the folders that the person has opened in this browser. */
export function readOpenFolders(account: string): string[] {
  try {
    return (localStorage.getItem(keyOf(account)) ?? "").split(" ").filter((id) => id !== "");
  } catch {
    return [];
  }
}

export function writeOpenFolders(account: string, ids: readonly string[]): void {
  try {
    localStorage.setItem(keyOf(account), ids.join(" "));
  } catch {
    // They are shut again when the page is.
  }
}

export function forgetOpenFolders(account: string): void {
  localStorage.removeItem(keyOf(account));
}
