import { readStorage, writeStorage } from "../../storage/browser-storage.ts";
import { currentSession } from "./session.ts";

/** Local storage of a form's unsaved text. */
export type UnsavedWords = {
  /** Returns null if there is none. */
  read: () => string | null;
  /** Null deletes the text, which is saved or discarded. */
  keep: (words: string | null) => void;
};

/** Begins the locations of the drafts of forms, which belong to no chat. */
export const FORM_DRAFT_PREFIX = "form:";

/**
 * Returns the unsaved text of the form `name`, stored in this browser for the signed-in account. It counts as one of
 * the account's drafts: logging out asks about it, and deletes it with the drafts.
 */
export function unsavedWords(name: string): UnsavedWords {
  const account = currentSession().user?.id;
  if (account === undefined) return { read: () => null, keep: () => {} };
  const key = `draft:${account}:${FORM_DRAFT_PREFIX}${name}`;
  return {
    read: () => readStorage(key),
    keep: (words) => {
      // Store nothing after a sign-out.
      if (words === null || currentSession().user?.id === account) writeStorage(key, words, "What was written");
    },
  };
}
