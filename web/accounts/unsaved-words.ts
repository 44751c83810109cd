import { log } from "../app/log.ts";
import { currentSession } from "./session.ts";

/** What was written in a form and not saved. */
export type UnsavedWords = {
  /** Null: there is nothing. */
  read: () => string | null;
  /** Null: it is saved, or not wanted any more. */
  keep: (words: string | null) => void;
};

/**
 * The words of the form `name`, kept in this browser for whoever is signed in now. They stand among the account's drafts:
 * logging out asks about them, and forgets them with those.
 */
export function unsavedWords(name: string): UnsavedWords {
  const account = currentSession().user?.id;
  if (account === undefined) return { read: () => null, keep: () => {} };
  const key = `draft:${account}:form:${name}`;
  return {
    read: () => {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    keep: (words) => {
      try {
        if (words === null) localStorage.removeItem(key);
        // Behind a sign-out nothing is stored any more.
        else if (currentSession().user?.id === account) localStorage.setItem(key, words);
      } catch (cause) {
        log.warn("What was written could not be kept in this browser", cause);
      }
    },
  };
}
