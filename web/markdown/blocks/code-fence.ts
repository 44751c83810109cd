import { fenceEnd } from "#contract/text/fence-end.ts";

export type CodeFence = { language: string; code: string; isClosed: boolean };

/** Parses a block of Markdown that is exactly one fenced code block; null for any other block. */
export function readCodeFence(block: string): CodeFence | null {
  const open = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\s`]*)([^\n]*)(?:\n|$)/.exec(block);
  const marks = open?.[2];
  if (!open || marks === undefined || (marks.startsWith("`") && open[4]?.includes("`"))) return null;
  // Text may follow the closing fence within one block.
  if (block.slice(fenceEnd(block, open[0].length, marks)).trim() !== "") return null;
  const rest = block.slice(open[0].length);
  const body = rest.trimEnd();
  const lastLine = body.slice(body.lastIndexOf("\n") + 1);
  const isClosed = new RegExp(`^ {0,3}\\${marks[0]}{${marks.length},}$`).test(lastLine);
  const code = isClosed ? body.slice(0, body.length - lastLine.length) : rest;
  const indent = open[1]?.length ?? 0;
  return { language: (open[3] ?? "").toLowerCase(), code: unindent(code.replace(/\n$/, ""), indent), isClosed };
}

/** Removes at most the indent of the fence from each line of its code. */
const unindent = (code: string, indent: number) =>
  indent === 0 ? code : code.replaceAll(new RegExp(`^ {1,${indent}}`, "gm"), "");
