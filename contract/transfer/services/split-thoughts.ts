import { ThinkingFilter } from "../../text/reasoning/thinking-filter.ts";
import type { Piece } from "./foreign-chat.ts";
import { withoutOuterLines } from "./foreign-nodes.ts";

type Words = Extract<Piece, { kind: "text" | "reasoning" }>;

/**
 * Splits an answer at the marks in which models write their reasoning, such as `<think>`, as the product does for replies
 * of its own. Marks in code are text. Takes linear time.
 * @param hasReasoning whether the service has separated reasoning itself: a closing mark alone is text then
 */
export function splitThoughts(text: string, hasReasoning: boolean): Words[] {
  const filter = new ThinkingFilter();
  if (hasReasoning) filter.noteReasoning();
  const pieces: { kind: Words["kind"]; texts: string[] }[] = [];
  const add = (kind: Words["kind"]) => (one: string) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.texts.push(one);
    else pieces.push({ kind, texts: [one] });
  };
  const sink = {
    onText: add("text"),
    onReasoning: add("reasoning"),
    onTakeBack: () => {
      for (const piece of pieces) piece.kind = "reasoning";
    },
  };
  filter.push(text, sink);
  filter.end(sink);
  if (!pieces.some(({ kind }) => kind === "reasoning"))
    return [{ kind: "text", text: pieces[0]?.texts.join("") ?? "" }];
  return pieces.map(({ kind, texts }) => ({ kind, text: withoutOuterLines(texts.join("")) }));
}
