/** The one module that uses `localStorage`. A browser may forbid it, or it may be full: no function here throws. */

import { log } from "../log.ts";

/** The text under `key`; null where there is none or the storage cannot be read. */
export function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The JSON value under `key`, to be checked by a schema; undefined where there is none or it is no JSON. */
export function readStoredJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "");
  } catch {
    return undefined;
  }
}

/**
 * Stores `text` under `key`; null removes what is stored there.
 * @param name the subject of the warning in the log where that fails; without a name nothing is logged
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

/** The stored keys that begin with `prefix`, each without it. */
export function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  } catch {
    return [];
  }
}

/** Calls `listener` after each change by another tab; the event's key is null where that tab removed everything. */
export function onStorageChange(listener: (event: StorageEvent) => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
