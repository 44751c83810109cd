import { RunSearch } from "#contract/text/costly-runs.ts";
import type { ShownMessage } from "../shown-branch.ts";

/** UTF-16 units that are searched per time slice: some scripts take 70 ms for a million. */
const SEARCHED_AT_ONCE = 100_000;

/** Whether one of the texts of a message, reasoning included, is costly to lay out. */
export async function isCostly(
  { text, parts }: Pick<ShownMessage, "text" | "parts">,
  step: () => Promise<void>,
): Promise<boolean> {
  const ofParts = parts.flatMap((part) => ("text" in part && typeof part.text === "string" ? [part.text] : []));
  for (const searched of [text, ...ofParts]) {
    const search = new RunSearch();
    for (let to = SEARCHED_AT_ONCE; to < searched.length; to += SEARCHED_AT_ONCE) {
      if (search.find(searched.slice(0, to))) return true;
      await step();
    }
    if (search.find(searched)) return true;
  }
  return false;
}
