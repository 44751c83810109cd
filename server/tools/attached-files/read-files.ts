import { TOOL_SOURCES_MAX } from "#contract/limits.ts";
import { cutText } from "../../models/attachments/file-text.ts";
import { optionalNumber, optionalText, requiredText } from "../arguments.ts";
import { chatAddress } from "../chat-address.ts";
import type { OutsideText, ToolArguments, ToolContext, ToolOutcome } from "../tool.ts";
import { ToolInputError } from "../tool-input-error.ts";
import { chosenFile, labelled, lookedUpText } from "./chosen-file.ts";
import { type FilePage, pagesOf } from "./file-pages.ts";

/** Most text of one call, in UTF-16 units; below the limit of any result, with room for the titles. */
const READ_MAX = 90_000;
/** Bytes of a page that are read in the smallest window. */
const LEAST_ROOM = 300;
/** Pages that are read where none are named, at least one. */
const BEGINNING = 20_000;

const RANGE = /^\s*(?<from>\d{1,6})\s*(?:[-–]\s*(?<to>\d{1,6})\s*)?$/;

/**
 * Returns pages of a file as sources, as many as there is room for. A page that is longer than the room is cut, and the
 * result says at which character it goes on.
 * @throws ToolInputError
 */
export async function readPages(given: ToolArguments, { files, chatId, room }: ToolContext): Promise<ToolOutcome> {
  const chosen = chosenFile(labelled(files), requiredText(given, "file"));
  const pages = pagesOf(await lookedUpText(chosen));
  const { from, to } = rangeOf(pagesGiven(given), pages);
  const skipped = skippedOf(given, pages[from - 1], from);
  const sources: OutsideText[] = [];
  let [length, bytes, goesOnAt] = [0, 0, 0];
  for (let at = from; at <= Math.min(to, from + TOOL_SOURCES_MAX - 1) && goesOnAt === 0; at++) {
    const page = pages[at - 1];
    const whole = (at === from ? page?.text.slice(skipped) : page?.text)?.toWellFormed() ?? "";
    const words = sources.length === 0 ? cutText(whole, Math.max(LEAST_ROOM, room)) : whole;
    length += words.length;
    bytes += Buffer.byteLength(words);
    if (!page || (sources.length > 0 && (length > READ_MAX || bytes > room))) break;
    if (words.length < whole.length) goesOnAt = skipped + words.length + 1;
    const begin = at === from && skipped > 0 ? `, from character ${skipped + 1}` : "";
    const title = `${chosen.label}, ${page.label} of ${pages.length}${begin}`;
    sources.push({ url: chatAddress(chatId), title, text: words === "" ? "(no text)" : words });
  }
  const last = from + sources.length - 1;
  const read = last === from ? `${from}` : `${from} to ${last}`;
  const rest = goesOnAt > 0 ? restOfPage(from, goesOnAt) : restOf(last, pages.length);
  return { text: `${chosen.label} has ${pages.length} pages. Here: ${read}.${rest}`, sources };
}

const restOf = (last: number, pages: number) => (last < pages ? ` Read on with pages ${last + 1}-${pages}.` : "");
const restOfPage = (page: number, at: number) =>
  ` Page ${page} does not fit here whole. Read on with pages ${page} and from ${at}.`;

/** Returns how many characters of the first page are left out. @throws ToolInputError */
function skippedOf(given: ToolArguments, page: FilePage | undefined, number: number): number {
  const skipped = (optionalNumber(given, "from") ?? 1) - 1;
  const { length = 0 } = page?.text ?? "";
  if (skipped > 0 && skipped >= length) throw new ToolInputError(`Page ${number} has ${length} characters only.`);
  return skipped;
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
