import type { PictureLoss, ToolSource } from "#contract/conversation/known-parts.ts";
import { TOOL_SOURCES_MAX } from "#contract/limits.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import type { AnswerFiles } from "../../../files/answer-files.ts";
import { cutChars } from "../../../text/cut-chars.ts";
import type { ToolOutcome } from "../../../tools/tool.ts";
import { callPartsOf, isFilePart, type Part } from "../../parts/message-part.ts";
import type { GrowingReply } from "../live-reply.ts";
import { numberedSources } from "./citations.ts";

/** Longest result of a call, in UTF-16 units. What is longer becomes a file of the answer. */
const RESULT_MAX = 100_000;

/** `storeText`: absent if nothing of the reply is stored. */
type Storing = { reply: GrowingReply; storeText?: AnswerFiles["storeText"] | undefined };

/** The rest of a result that was too long. `seq`: of the call. `result`: the text before it. */
export type RestOfResult = { seq: number; result: string; rest: string };

/**
 * Adds the result of a call to its part: its text with its sources, numbered after the earlier sources of the reply.
 * @returns the rest of a result that is too long, for {@link storeRest}; undefined if the result is whole
 */
export function addResult(
  { reply, storeText }: Storing,
  seq: number,
  outcome: ToolOutcome,
  durationMs: number,
): RestOfResult | undefined {
  const { whole, sources } = joinedTexts(outcome, reply.parts.all);
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
  });
  return rest === "" ? undefined : { seq, result, rest };
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

/** Stores the rest of a result as a file of the answer, which the model can read on; if that fails, the result says so. */
export async function storeRest({ reply, storeText }: Storing, { seq, result, rest }: RestOfResult): Promise<void> {
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
