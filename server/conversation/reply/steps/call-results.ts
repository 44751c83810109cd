import type { PictureLoss, ToolSource } from "#contract/conversation/known-parts.ts";
import { TOOL_SOURCES_MAX } from "#contract/limits.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import type { AnswerFiles } from "../../../files/answer-files.ts";
import { cutChars } from "../../../text/cut-chars.ts";
import type { ResultPicture, ToolOutcome } from "../../../tools/tool.ts";
import { callPartsOf, isFilePart, type Part } from "../../parts/message-part.ts";
import type { GrowingReply } from "../live-reply.ts";
import { numberedSources } from "./citations.ts";

/** Longest result of a call, in UTF-16 units. What is longer becomes a file of the answer. */
const RESULT_MAX = 100_000;

/** `storeText`, `storePicture`: absent if nothing of the reply is stored. */
type Storing = { reply: GrowingReply } & Partial<{
  [Name in keyof Pick<AnswerFiles, "storeText" | "storePicture">]: AnswerFiles[Name] | undefined;
}>;

/**
 * What becomes files of a result. `seq`: of the call. `result`: its text before `rest`, which is empty unless the text was
 * too long.
 */
export type FilesOfResult = { seq: number; result: string; rest: string; pictures: readonly ResultPicture[] };

/** Longest result as JSON. */
const STRUCTURED_MAX = 100_000;

/**
 * Adds the result of a call to its part: its text with its sources, numbered after the earlier sources of the reply.
 * @returns what becomes files, for {@link storeFiles}
 */
export function addResult(
  { reply, storeText }: Storing,
  seq: number,
  outcome: ToolOutcome,
  durationMs: number,
): FilesOfResult {
  const { whole, sources } = joinedTexts(outcome, reply.parts.all);
  const { structured, pictures = [] } = outcome;
  const result = cutChars(whole, RESULT_MAX);
  const rest = whole.slice(result.length);
  const numbered = sources.map((source) => ({ ...source, to: Math.min(source.to, result.length) }));
  // Until it is stored, it counts as lost: the process may be killed before.
  const remark = rest === "" ? "" : cutRemark(rest, storeText ? "failed" : "temporary");
  reply.changeTool(seq, {
    state: outcome.isError ? "failed" : "succeeded",
    durationMs,
    result: result + remark,
    ...(rest !== "" && { isCut: true }),
    ...(numbered.length > 0 && { sources: numbered }),
    ...(structured !== undefined && structured.length <= STRUCTURED_MAX && { structured: wellFormed(structured) }),
    progress: undefined,
    question: undefined,
  });
  return { seq, result, rest, pictures };
}

/** Joins the texts of a result. A source that begins behind the limit has no number. */
function joinedTexts({ text, sources = [] }: ToolOutcome, parts: readonly Part[]) {
  let number = numberedSources(parts).reduce((most, each) => Math.max(most, each.number), 0);
  let whole = wellFormed(text);
  const numbered: ToolSource[] = [];
  for (const { url, title, text: words, fetchedAt } of sources.slice(0, TOOL_SOURCES_MAX)) {
    const head = `${whole === "" ? "" : "\n\n"}[${number + 1}] ${wellFormed(title)}\n${url}\n`;
    const from = whole.length + head.length;
    if (from >= RESULT_MAX) {
      whole += `\n\n${wellFormed(title)}\n${url}\n${wellFormed(words)}`;
      continue;
    }
    whole += head + wellFormed(words);
    number += 1;
    numbered.push({ number, url, title, from, to: whole.length, ...(fetchedAt !== undefined && { fetchedAt }) });
  }
  return { whole, sources: numbered };
}

/** Stores the pictures of a result and the rest of a long one as files of the answer. */
export async function storeFiles(storing: Storing, files: FilesOfResult): Promise<void> {
  for (const picture of files.pictures) await storePictureOf(storing, files.seq, picture);
  if (files.rest !== "") await storeRest(storing, files);
}

/** Stores a picture of a result; if that fails, a notice says so. */
async function storePictureOf({ reply, storePicture }: Storing, seq: number, { bytes }: ResultPicture): Promise<void> {
  const { userId, parts } = reply;
  const called = callPartsOf(parts.all).find((call) => call.seq === seq);
  if (!called) return;
  const position = parts.all.filter(isFilePart).length;
  const stored = storePicture ? await storePicture({ userId, bytes, position }) : "temporary";
  if (typeof stored === "string") reply.addNotice("picture", { reason: stored });
  else if (!reply.addFile({ ...stored, tool: seq }, called.at)) reply.addNotice("picture", { reason: "many" });
}

/** Stores the rest of a result as a file of the answer, which the model can read on; if that fails, the result says so. */
async function storeRest({ reply, storeText }: Storing, { seq, result, rest }: FilesOfResult): Promise<void> {
  const called = callPartsOf(reply.parts.all).find((call) => call.seq === seq);
  if (!storeText || !called) return;
  const { userId, parts } = reply;
  const name = `${called.body.name}-${seq + 1}.txt`;
  const stored = await storeText({ userId, name, text: rest, position: parts.all.filter(isFilePart).length });
  const change = (remark: string) => reply.changeTool(seq, { result: result + remark });
  if (typeof stored === "string") return change(cutRemark(rest, stored));
  // Without a wait between them, so that a checkpoint has both changes or neither.
  const isAdded = reply.addFile({ ...stored, tool: seq }, called.at);
  change(isAdded ? remarkOf(rest, `is in the file “${stored.name}”`) : cutRemark(rest, "many"));
}

const remarkOf = (rest: string, words: string) => `\n\n[The rest of this result, ${rest.length} characters, ${words}.]`;

const reasons: Readonly<Partial<Record<PictureLoss, string>>> = {
  quota: ": the storage of this account is full",
  off: ": this server stores no files",
  temporary: ": nothing of this chat is stored",
};

const cutRemark = (rest: string, loss: PictureLoss) => remarkOf(rest, `was cut${reasons[loss] ?? ""}`);
