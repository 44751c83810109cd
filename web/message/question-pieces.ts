import { fenceEnd } from "#contract/text/fence-end.ts";
import { readCodeFence } from "../markdown/blocks/code-fence.ts";

/** A piece of a question: plain text, inline code, or a fenced code block without its fences. */
export type QuestionPiece = { kind: "text" | "code" | "block"; text: string };

/** Limit of code pieces in one question, each of which is an element; the rest of the text is plain. */
const MAX_CODE_PIECES = 250;
/** UTF-16 units in which code is searched; the rest of a longer question is plain. */
const MAX_SEARCHED = 100_000;
const FENCE = /^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*(?:\n|$)/gm;

/**
 * Splits a question into text and code, in linear time. Code fences and inline code are the only Markdown of a question:
 * the rest is shown as it was typed.
 */
export function questionPieces(question: string): QuestionPiece[] {
  const text = question.slice(0, MAX_SEARCHED);
  const pieces: QuestionPiece[] = [];
  let from = 0;
  let left = MAX_CODE_PIECES;
  const add = (words: string) => {
    const inline = left > 0 ? inlinePieces(words, left) : [{ kind: "text" as const, text: words }];
    left -= inline.filter(({ kind }) => kind === "code").length;
    pieces.push(...inline);
  };
  const fences = new RegExp(FENCE);
  for (let open = fences.exec(text); open && left > 0; open = fences.exec(text)) {
    const end = fenceEnd(text, open.index + open[0].length, open[1] ?? "");
    const fence = readCodeFence(text.slice(open.index, end));
    if (!fence) continue;
    // The line breaks beside a block are its own.
    add(text.slice(from, open.index).replace(/\n$/, ""));
    pieces.push({ kind: "block", text: fence.code });
    left--;
    from = text[end] === "\n" ? end + 1 : end;
    fences.lastIndex = from;
  }
  add(text.slice(from));
  pieces.push({ kind: "text", text: question.slice(MAX_SEARCHED) });
  return pieces.filter(({ kind, text: words }) => kind !== "text" || words !== "");
}

/** Splits text at inline code: between two equal runs of backticks in one paragraph (CommonMark 0.31.2, section 6.1). */
function inlinePieces(text: string, max: number): QuestionPiece[] {
  const marks = [...text.matchAll(/`+|\n[^\S\n]*\n/g)];
  const closings = closingsOf(marks);
  const pieces: QuestionPiece[] = [];
  let from = 0;
  for (let nth = 0; nth < marks.length && pieces.length < 2 * max; nth++) {
    const [open, close] = [marks[nth], marks[closings[nth] ?? -1]];
    if (!open || !close) continue;
    const code = text.slice(open.index + open[0].length, close.index).replaceAll("\n", " ");
    const isPadded = /^ .*[^ ].* $/.test(code);
    pieces.push({ kind: "text", text: text.slice(from, open.index) });
    pieces.push({ kind: "code", text: isPadded ? code.slice(1, -1) : code });
    from = close.index + close[0].length;
    nth = closings[nth] ?? nth;
  }
  pieces.push({ kind: "text", text: text.slice(from) });
  return pieces;
}

/** Returns for each run of backticks the index of the next equal run in its paragraph. */
function closingsOf(marks: readonly RegExpMatchArray[]): (number | undefined)[] {
  const next = new Map<string, number>();
  const closings: (number | undefined)[] = [];
  for (let nth = marks.length - 1; nth >= 0; nth--) {
    const run = marks[nth]?.[0] ?? "";
    if (run.startsWith("\n")) next.clear();
    else {
      closings[nth] = next.get(run);
      next.set(run, nth);
    }
  }
  return closings;
}
