/** Reasoning and calls of tools that Open WebUI writes into the text of an answer, as `<details>` elements. */

import { fenceEnd } from "../../../text/fence-end.ts";
import { decodeReferences } from "../../../text/html/references.ts";
import type { Piece } from "../foreign-chat.ts";
import { idTextOf, jsonOf, withoutOuterLines } from "../foreign-nodes.ts";
import { listOf, recordOf, textOf } from "../unknown-values.ts";

/** An element `details`. Positions in the text, in UTF-16 units; without an end it lasts to the end of the text. */
type Block = { start: number; bodyStart: number; bodyEnd: number; end: number; attributes: Map<string, string> };

/** Returns the pieces of the files that a tool has returned. `files`: an attribute or a field with its value. */
export type FilesOfTool = (files: unknown) => Piece[];

const TAG = /<details(?=[\s>])|<\/details\s*>/gi;
const ATTRIBUTE = /\s+([\w:-]+)(?:="([^"]*)")?/y;
const TAG_END = /\s*>/y;
/** The first line of a fenced block of code (CommonMark, "Fenced code blocks"). Group 1: its marks. */
const FENCE = /^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})/gm;
const SUMMARY = /^\s*<summary[^>]*>[\s\S]*?<\/summary>/i;
/** Escaped text has none of these: Open WebUI has begun to escape the content of these elements, and had not before. */
const UNESCAPED = /[<>"']/;
const ESCAPES = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u{A0}"],
]);

/** The elements that are read, by their type; others are Markdown of the model. */
const readers = new Map<string, (attributes: Map<string, string>, body: string, filesOf: FilesOfTool) => Piece[]>([
  ["reasoning", readReasoning],
  ["tool_calls", readCalls],
  ["code_interpreter", readCode],
]);

/**
 * Splits the text of an answer into text, reasoning and calls of tools. Elements in code are text. Takes linear time. The
 * elements are those of `serialize_output` and, earlier, `serialize_content_blocks` of Open WebUI.
 */
export function splitMarkup(text: string, filesOf: FilesOfTool): Piece[] {
  const pieces: Piece[][] = [];
  let from = 0;
  let codeEnd = 0;
  let fence = nextFence(text, 0);
  for (const block of blocksOf(text)) {
    const read = readers.get(block.attributes.get("type") ?? "");
    while (fence && fence.index < block.start) {
      if (fence.index >= from) codeEnd = fenceEnd(text, fence.index + fence[0].length, fence[1] ?? "");
      fence = nextFence(text, Math.max(codeEnd, fence.index + fence[0].length));
    }
    if (!read || block.start < Math.max(from, codeEnd) || text.charAt(block.start - 1) === "`") continue;
    pieces.push([{ kind: "text", text: withoutOuterLines(text.slice(from, block.start)) }]);
    pieces.push(read(block.attributes, text.slice(block.bodyStart, block.bodyEnd).replace(SUMMARY, ""), filesOf));
    from = block.end;
  }
  pieces.push([{ kind: "text", text: from === 0 ? text : withoutOuterLines(text.slice(from)) }]);
  return pieces.flat().filter((piece) => piece.kind !== "text" || piece.text.trim() !== "");
}

function nextFence(text: string, from: number): RegExpExecArray | null {
  FENCE.lastIndex = from;
  return FENCE.exec(text);
}

/**
 * Returns the elements by their start. They are paired as in HTML. One without an end of its own ends at the next end of
 * another: reasoning may name the element.
 */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const open: Block[] = [];
  const ends: { index: number; end: number }[] = [];
  for (const { 0: tag, index } of text.matchAll(TAG)) {
    const end = index + tag.length;
    if (tag.startsWith("</")) {
      const block = open.pop();
      if (block) Object.assign(block, { bodyEnd: index, end });
      ends.push({ index, end });
      continue;
    }
    const block = readTag(text, index, end);
    if (!block) continue;
    blocks.push(block);
    open.push(block);
  }
  let next = 0;
  for (const block of open) {
    while ((ends[next]?.index ?? Number.POSITIVE_INFINITY) < block.bodyStart) next++;
    const found = ends[next];
    if (found) Object.assign(block, { bodyEnd: found.index, end: found.end });
  }
  return blocks;
}

/** Reads the tag whose name ends at `at`; undefined if it has no end. */
function readTag(text: string, start: number, nameEnd: number): Block | undefined {
  const attributes = new Map<string, string>();
  let at = nameEnd;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(text);
    if (!found) break;
    attributes.set(found[1]?.toLowerCase() ?? "", decoded(found[2] ?? ""));
    at = ATTRIBUTE.lastIndex;
  }
  TAG_END.lastIndex = at;
  if (!TAG_END.test(text)) return undefined;
  return { start, bodyStart: TAG_END.lastIndex, bodyEnd: text.length, end: text.length, attributes };
}

function readReasoning(attributes: Map<string, string>, body: string): Piece[] {
  const lines = unescapedBody(body).split("\n");
  const isQuoted = lines.every((line) => line.trim() === "" || line.startsWith(">"));
  const text = isQuoted ? lines.map((line) => line.replace(/^> ?/, "")).join("\n") : lines.join("\n");
  return [
    { kind: "reasoning", text: withoutOuterLines(text), durationMs: durationOfSeconds(attributes.get("duration")) },
  ];
}

/** Returns a duration in ms of one in seconds; undefined for 0, which is noted for an unknown one. */
export function durationOfSeconds(value: unknown): number | undefined {
  const ms = Math.round(Number(value) * 1000);
  return ms > 0 && ms < Number.POSITIVE_INFINITY ? ms : undefined;
}

function readCalls(attributes: Map<string, string>, body: string, filesOf: FilesOfTool): Piece[] {
  const calls = listOf(parsed(attributes.get("content")));
  if (!attributes.has("name") && calls.length > 0) return readCallList(calls, parsed(attributes.get("results")));
  const given = attributes.get("result");
  const result = given ? textOfJson(given) : unescapedBody(body).trim();
  const isDone = result !== "" || attributes.get("done") === "true";
  return [
    {
      ...{ kind: "tool", name: attributes.get("name") || "tool", call: attributes.get("id") ?? "" },
      ...{ arguments: textOfJson(attributes.get("arguments") || "{}"), state: isDone ? "succeeded" : "unknown" },
      ...(isDone && { result }),
    },
    ...filesOf(parsed(attributes.get("files"))),
  ];
}

/** Reads the form of early versions: several calls, as the API of the model has them, in one element. */
function readCallList(calls: unknown[], results: unknown): Piece[] {
  const called = calls.map((value): Piece => {
    const call = recordOf(value);
    const { name, arguments: json } = recordOf(call?.function) ?? {};
    return {
      kind: "tool",
      name: textOf(name) || "tool",
      call: idTextOf(call?.id),
      arguments: jsonOf(json),
      state: "unknown",
    };
  });
  const returned = listOf(results).map((value): Piece => {
    const result = recordOf(value);
    const call = idTextOf(result?.tool_call_id);
    return {
      kind: "result",
      name: textOf(result?.name) || "tool",
      call,
      text: jsonOf(result?.content),
      hasFailed: false,
    };
  });
  return [...called, ...returned];
}

function readCode(attributes: Map<string, string>, body: string): Piece[] {
  const source = unescapedBody(body);
  const [, language = "", code] = /^\s*```([^\n]*)\n([\s\S]*?)\n?```\s*$/.exec(source) ?? [];
  const output = attributes.get("output");
  return [
    codePiece(language, code ?? source.trim(), output ? parsed(output) : undefined, attributes.get("done") === "true"),
  ];
}

/** Returns the call for code that Open WebUI has run. `output`: `{stdout, stderr, result}`, or only a text. */
export function codePiece(language: string, code: string, output: unknown, isDone: boolean): Piece {
  const { stdout, stderr, result, ...others } = recordOf(output) ?? {};
  const rest = Object.keys(others).length > 0 ? others : "";
  const texts = recordOf(output) ? [stdout, stderr, result, rest] : [output];
  const written = texts.map((text) => (text ? jsonOf(text) : "")).filter(Boolean);
  const hasFailed = textOf(stderr) !== "" && !stdout && !result;
  const hasResult = isDone || written.length > 0;
  return {
    ...{ kind: "tool", name: "code_interpreter", call: "" },
    ...{
      arguments: JSON.stringify({ language, code }),
      state: hasFailed ? "failed" : hasResult ? "succeeded" : "unknown",
    },
    ...(hasResult && { result: written.join("\n") }),
  };
}

const decoded = (text: string): string => decodeReferences(text, (name) => ESCAPES.get(name) ?? false);

const unescapedBody = (body: string): string => (UNESCAPED.test(body) ? body : decoded(body));

/** Returns the string that JSON has, and other JSON as it is written. Arguments are JSON within a string of JSON. */
function textOfJson(json: string): string {
  const value = parsed(json);
  return typeof value === "string" ? value : json;
}

function parsed(json: string | undefined): unknown {
  try {
    return json ? JSON.parse(json) : undefined;
  } catch {
    return undefined;
  }
}
