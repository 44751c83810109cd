import { readStorage, writeStorage } from "../../storage/browser-storage.ts";
import { currentSession } from "../session/session.ts";

/** Key of local storage: a sign-out must last in all tabs, and after a reload of the page. */
const STORED = "parley.headerSignIn";

let isTried = false;

/** Records that this browser has signed in by the header of a proxy. */
export const noteHeaderSignIn = (): void => void writeStorage(STORED, "1", "The sign-in by a proxy");

/**
 * Returns whether the page may sign in by the header without a click, and that only once: a session that is refused at
 * once must not cause a loop. After a sign-out it may not: only a first visit and a lost session allow it.
 */
export function isAutomaticSignInAllowed(): boolean {
  const { token, ended } = currentSession();
  // An expired token is still stored.
  const isLost = ended === "lost" || token !== null;
  const isAllowed = !isTried && ended !== "signed-out" && (isLost || readStorage(STORED) === null);
  if (isAllowed) isTried = true;
  return isAllowed;
}
