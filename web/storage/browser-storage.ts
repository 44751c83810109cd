/** The only module that uses `localStorage`. A browser may forbid it, or it may be full: no function here throws. */

import { log } from "../log.ts";

/** Returns the text under `key`; null if there is none or the storage cannot be read. */
export function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns the JSON value under `key`, unchecked; undefined if there is none or it is invalid JSON. */
export function readStoredJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "");
  } catch {
    return undefined;
  }
}

/**
 * Stores `text` under `key`; null removes the stored text.
 * @param name the subject of the warning in the log after a failure; without a name nothing is logged
 * @returns whether it succeeded
 */
export function writeStorage(key: string, text: string | null, name?: string): boolean {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch (cause) {
    if (name !== undefined)
      log.warn(`${name} could not be ${text === null ? "removed from" : "kept in"} this browser`, cause);
    return false;
  }
}

/** Returns the stored keys that begin with `prefix`, each without it. */
export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  } catch {
    return [];
  }
}

/**
 * Calls `listener` after each change by another tab; the event's key is null if that tab removed everything. Returns
 * the unsubscribe function.
 */
export function onStorageChange(listener: (event: StorageEvent) => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
