import { StoredText } from "../../storage/stored-text.ts";
import { useStore } from "../../store/use-store.ts";

const stored = new StoredText("parley.line-numbers", "How code is shown");

/** All code of all tabs of this browser follows. */
export const showLineNumbers = (isWanted: boolean): void => stored.set(isWanted ? "shown" : null);

/** Whether lines of code are numbered. */
export const useLineNumbers = (): boolean => useStore(stored) !== null;
