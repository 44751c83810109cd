import { TOOL_SOURCES_MAX } from "#contract/limits.ts";
import { optionalText, requiredText } from "../arguments.ts";
import { chatAddress } from "../chat-address.ts";
import type { OutsideText, ToolArguments, ToolContext, ToolOutcome } from "../tool.ts";
import { ToolInputError } from "../tool-input-error.ts";
import { chosenFile, labelled, lookedUpText } from "./chosen-file.ts";
import { type FilePage, pagesOf } from "./file-pages.ts";

/** Most text of one call, in UTF-16 units; below the limit of any result, with room for the titles. */
const READ_MAX = 90_000;
/** Pages that are read where none are named, at least one. */
const BEGINNING = 20_000;

const RANGE = /^\s*(?<from>\d{1,6})\s*(?:[-–]\s*(?<to>\d{1,6})\s*)?$/;

/** Returns pages of a file as sources. @throws ToolInputError */
export async function readPages(given: ToolArguments, { files, chatId }: ToolContext): Promise<ToolOutcome> {
  const chosen = chosenFile(labelled(files), requiredText(given, "file"));
  const pages = pagesOf(await lookedUpText(chosen));
  const { from, to } = rangeOf(pagesGiven(given), pages);
  const sources: OutsideText[] = [];
  let length = 0;
  for (let at = from; at <= Math.min(to, from + TOOL_SOURCES_MAX - 1); at++) {
    const page = pages[at - 1];
    if (!page || (length > 0 && length + page.text.length > READ_MAX)) break;
    length += page.text.length;
    const title = `${chosen.label}, ${page.label} of ${pages.length}`;
    sources.push({ url: chatAddress(chatId), title, text: page.text === "" ? "(no text)" : page.text });
  }
  const last = from + sources.length - 1;
  const rest = last < pages.length ? ` Read on with pages ${last + 1}-${pages.length}.` : "";
  const read = last === from ? `${from}` : `${from} to ${last}`;
  return { text: `${chosen.label} has ${pages.length} pages. Here: ${read}.${rest}`, sources };
}

/** A model may write the number of a page as a number. */
function pagesGiven(given: ToolArguments): string | undefined {
  return typeof given.pages === "number" ? `${given.pages}` : optionalText(given, "pages");
}

function rangeOf(wanted: string | undefined, pages: readonly FilePage[]): { from: number; to: number } {
  if (wanted === undefined) return { from: 1, to: beginningOf(pages) };
  const { from: first, to: last = first } = RANGE.exec(wanted)?.groups ?? {};
  const [from, to] = [Number(first), Number(last)];
  if (!(from >= 1 && to >= from)) throw new ToolInputError("“pages” must be a number, or a range such as 3-7.");
  if (from > pages.length) throw new ToolInputError(`The file has ${pages.length} pages only.`);
  return { from, to: Math.min(to, pages.length) };
}

function beginningOf(pages: readonly FilePage[]): number {
  let length = 0;
  const after = pages.findIndex(({ text }, at) => {
    length += text.length;
    return at > 0 && length > BEGINNING;
  });
  return after === -1 ? pages.length : after;
}
