/** The only module that uses `sessionStorage`: texts of one tab, which survive its reload. No function here throws. */

import { log } from "../log.ts";

/** Returns the text under `key`; null if there is none or the storage cannot be read. */
export function readTabStorage(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Stores `text` under `key` until the tab is closed; null removes it.
 * @param name the subject of the warning in the log after a failure
 */
export function writeTabStorage(key: string, text: string | null, name: string): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch (cause) {
    log.warn(`${name} could not be ${text === null ? "removed from" : "kept in"} this tab`, cause);
  }
}
