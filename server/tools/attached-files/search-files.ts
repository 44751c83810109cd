import { setImmediate } from "node:timers/promises";
import { queryRuns } from "../../search/matches.ts";
import { densestMatch, occursIn } from "../../search/pattern-search.ts";
import { TimeBudget } from "../../search/time-budget.ts";
import { cutChars } from "../../text/cut-chars.ts";
import type { Run } from "../../text/tokenise.ts";
import { optionalText, requiredText } from "../arguments.ts";
import { chatAddress } from "../chat-address.ts";
import type { OutsideText, ToolArguments, ToolContext, ToolOutcome } from "../tool.ts";
import { ToolInputError } from "../tool-input-error.ts";
import { chosenFile, type LabelledFile, labelled } from "./chosen-file.ts";
import { type FilePage, pagesOf } from "./file-pages.ts";

const PASSAGES_MAX = 10;
/** Characters of a passage before and after its match, in UTF-16 units. */
const BEFORE = 300;
const AFTER = 900;
const QUERY_MAX = 400;
/** Files that are searched, the newest first. */
const FILES_MAX = 200;

/** A page with words of the query. `count`: number of different words. `order`: position among all pages. */
type Hit = { label: string; pages: number; page: FilePage; count: number; order: number };

/** Returns the passages of files with the most words of a query as sources. @throws ToolInputError; the signal's reason */
export async function searchFiles(given: ToolArguments, context: ToolContext): Promise<ToolOutcome> {
  const wanted = queryRuns(cutChars(requiredText(given, "query"), QUERY_MAX));
  if (wanted.length === 0) throw new ToolInputError("The query has no words.");
  const name = optionalText(given, "file");
  const all = labelled(context.files);
  const searched = name === undefined ? all.slice(-FILES_MAX) : [chosenFile(all, name)];
  const hits = await bestPages(searched, wanted, context.signal);
  if (hits.length === 0) return { text: "There are no matches." };
  // Its end is that of the call, which has a limit of its own.
  const budget = new TimeBudget({ limitMs: Number.POSITIVE_INFINITY });
  const sources: OutsideText[] = [];
  for (const { label, pages, page } of hits) {
    const match = await densestMatch(page.text, wanted, budget);
    context.signal.throwIfAborted();
    const title = `${label}, ${page.label} of ${pages}`;
    sources.push({ url: chatAddress(context.chatId), title, text: passageAt(page.text, match?.start ?? 0) });
  }
  return { text: "", sources };
}

async function bestPages(files: readonly LabelledFile[], wanted: readonly Run[], signal: AbortSignal): Promise<Hit[]> {
  let best: Hit[] = [];
  let order = 0;
  for (const { label, file } of files.toReversed()) {
    // A file that cannot be read does not hide the others.
    const pages = pagesOf(await file.readText().catch(() => ""));
    for (const page of pages) {
      const count = wanted.filter((run) => occursIn(page.text, run)).length;
      if (count > 0) best.push({ label, pages: pages.length, page, count, order: order++ });
    }
    best = best.sort((a, b) => b.count - a.count || a.order - b.order).slice(0, PASSAGES_MAX);
    // Yields to the event loop, because SQLite queries are synchronous.
    await setImmediate();
    signal.throwIfAborted();
  }
  return best;
}

/** Returns the text around a position, from the beginning of a word. */
function passageAt(text: string, at: number): string {
  const least = Math.max(0, at - BEFORE);
  const space = least === 0 ? -1 : text.slice(least, at).search(/\s/);
  const from = space === -1 ? least : least + space;
  const passage = cutChars(text.slice(from).toWellFormed(), BEFORE + AFTER).trim();
  const before = from > 0 ? "…" : "";
  return `${before}${passage}${from + BEFORE + AFTER < text.length ? "…" : ""}`;
}
