import { KeptText, useKeptText } from "../../ui/stored-text.ts";

const kept = new KeptText("parley.line-numbers", "How code is shown");

/** All code of all tabs of this browser follows. */
export const showLineNumbers = (isWanted: boolean): void => kept.keep(isWanted ? "shown" : null);

/** Whether lines of code are numbered. */
export const useLineNumbers = (): boolean => useKeptText(kept) !== null;
