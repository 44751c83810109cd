import { fenceEnd } from "./fence-end.ts";

export type CodeFence = { language: string; code: string; isClosed: boolean };

/** The parts of a block of Markdown that is one fenced piece of code, null for any other block. */
export function readCodeFence(block: string): CodeFence | null {
  const open = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\s`]*)([^\n]*)(?:\n|$)/.exec(block);
  const marks = open?.[2];
  if (!open || marks === undefined || (marks.startsWith("`") && open[4]?.includes("`"))) return null;
  // A reply with footnotes is one block: its code may be only the beginning.
  if (block.slice(fenceEnd(block, open[0].length, marks)).trim() !== "") return null;
  const rest = block.slice(open[0].length);
  const body = rest.trimEnd();
  const lastLine = body.slice(body.lastIndexOf("\n") + 1);
  const isClosed = new RegExp(`^ {0,3}\\${marks[0]}{${marks.length},}$`).test(lastLine);
  const code = isClosed ? body.slice(0, body.length - lastLine.length) : rest;
  const indent = open[1]?.length ?? 0;
  return { language: (open[3] ?? "").toLowerCase(), code: unindent(code.replace(/\n$/, ""), indent), isClosed };
}

/** Code is indented by no more than its fence less. */
const unindent = (code: string, indent: number) =>
  indent === 0 ? code : code.replaceAll(new RegExp(`^ {1,${indent}}`, "gm"), "");
