import { readStorage, writeStorage } from "../../storage/browser-storage.ts";
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
    read: () => readStorage(key),
    keep: (words) => {
      // Behind a sign-out nothing is stored any more.
      if (words === null || currentSession().user?.id === account) writeStorage(key, words, "What was written");
    },
  };
}
