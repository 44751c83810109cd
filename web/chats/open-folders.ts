import { readStorage, writeStorage } from "../storage/browser-storage.ts";

const keyOf = (account: string) => `open-folders:${account}`;

/** Reads the ids of the folders that the person has opened in this browser. */
export const readOpenFolders = (account: string): string[] =>
  (readStorage(keyOf(account)) ?? "").split(" ").filter((id) => id !== "");

/** Stores the ids. If storing fails, the folders are closed again after the next page load. */
export const writeOpenFolders = (account: string, ids: readonly string[]): void =>
  void writeStorage(keyOf(account), ids.join(" "));

export const forgetOpenFolders = (account: string): void => void writeStorage(keyOf(account), null);
