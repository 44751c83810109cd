import { stripVTControlCharacters } from "node:util";
import { MAX_TEXT_CHARS } from "../document-text.ts";
import { readPlainText } from "../plain-text.ts";
import { htmlText } from "./html-text.ts";

/** Values of an untrusted notebook have any type. */
type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const PICTURE = "[picture]";
/** A picture within Markdown or HTML, whose base64 says nothing to readers. */
const EMBEDDED = /data:[a-z]+\/[\w.+-]+(?:;[\w=-]+)*;base64,[A-Za-z\d+/=\s]*/gi;
/** Names in `nbformat` 3 of what is a media type in `nbformat` 4. */
const OLD_TYPES: Fields = { text: "text/plain", html: "text/html", latex: "text/latex", json: "application/json" };
/** Media types of an output, the best for readers first. Others are named. */
const READ_TYPES = ["text/markdown", "text/plain", "text/html", "text/latex", "application/json"];
/** How Python names an object, for outputs that are shown as HTML. */
const OBJECT_NAME = /^<[\w.]+ (?:at 0x|object|size)[^\n]*>$/;
const IS_PICTURE = /^(?:image\/|png$|jpeg$|svg$|application\/(?:pdf$|vnd\.(?:plotly|vega|vegalite|bokeh))|pdf$)/;

/**
 * Returns the cells of a Jupyter notebook (`nbformat` 3 and 4) in their order: Markdown as it is, code in fences with
 * its language, and the texts of its outputs. Pictures are named. JSON that is no notebook is returned as it is.
 */
export function notebookText(bytes: Uint8Array): string {
  const source = readPlainText(bytes);
  const cells = cellsOf(source);
  if (!cells) return source;
  const blocks: string[] = [];
  let length = 0;
  for (const block of cells.list.flatMap((cell) => blocksOf(fieldsOf(cell), cells.language))) {
    blocks.push(block);
    length += block.length;
    if (length > MAX_TEXT_CHARS) break;
  }
  return blocks.join("\n\n");
}

function cellsOf(source: string): { list: readonly unknown[]; language: string } | null {
  const notebook = parsed(source);
  if (typeof notebook.nbformat !== "number") return null;
  const sheets = listOf(notebook.worksheets).flatMap((sheet) => listOf(fieldsOf(sheet).cells));
  if (!Array.isArray(notebook.cells) && !Array.isArray(notebook.worksheets)) return null;
  const { language_info: info, kernelspec } = fieldsOf(notebook.metadata);
  const named = fieldsOf(info).name ?? fieldsOf(kernelspec).language;
  return { list: [...listOf(notebook.cells), ...sheets], language: typeof named === "string" ? named : "" };
}

function parsed(source: string): Fields {
  try {
    return fieldsOf(JSON.parse(source));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Returns the text of a field, which is a text or a list of its lines. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return listOf(value)
    .filter((line) => typeof line === "string")
    .join("");
}

const isFilled = (text: string) => text.trim() !== "";

function blocksOf(cell: Fields, language: string): string[] {
  const source = textOf(cell.source ?? cell.input)
    .replaceAll(EMBEDDED, PICTURE)
    .trimEnd();
  if (cell.cell_type === "heading") return [`${"#".repeat(Math.min(6, Number(cell.level) || 1))} ${source}`];
  if (cell.cell_type !== "code") return [source].filter(isFilled);
  const own = typeof cell.language === "string" ? cell.language : language;
  const code = isFilled(source) ? [fenced(source, own)] : [];
  return [...code, ...outputsOf(listOf(cell.outputs).map(fieldsOf))];
}

/** Returns the outputs of a cell as one block, and its pictures. */
function outputsOf(outputs: readonly Fields[]): string[] {
  const texts: string[] = [];
  for (const [at, output] of outputs.entries()) {
    const text = outputText(output);
    // A program that prints in pieces has an output for each.
    const continues = output.output_type === "stream" && outputs[at - 1]?.output_type === "stream";
    if (continues) texts.push((texts.pop() ?? "") + text);
    else texts.push(text);
  }
  const shown = texts.map((text) => cleaned(text).replace(/^\n+/, "").trimEnd()).filter(isFilled);
  return shown.length === 0
    ? []
    : [`Output:\n${shown.map((text) => (text === PICTURE ? text : fenced(text))).join("\n")}`];
}

function outputText(output: Fields): string {
  const type = output.output_type;
  if (type === "stream") return textOf(output.text);
  if (type === "error" || type === "pyerr") {
    const traceback = listOf(output.traceback).filter((line) => typeof line === "string");
    return traceback.length > 0 ? traceback.join("\n") : `${textOf(output.ename)}: ${textOf(output.evalue)}`;
  }
  const data = Object.entries(fieldsOf(output.data ?? output)).map(([key, value]) => [OLD_TYPES[key] ?? key, value]);
  return richText(new Map(data as [string, unknown][]));
}

/** Returns the text of an output that has several forms, by their media types. */
function richText(data: ReadonlyMap<string, unknown>): string {
  const types = [...data.keys()].filter((type) => IS_PICTURE.test(type) || type.includes("/"));
  if (types.some((type) => IS_PICTURE.test(type))) return [PICTURE, wordsBeside(data)].filter(isFilled).join("\n");
  const isNamed = data.has("text/html") && OBJECT_NAME.test(textOf(data.get("text/plain")));
  const type = READ_TYPES.find((one) => data.has(one) && !(isNamed && one === "text/plain"));
  if (type === undefined) return types.length === 0 ? "" : `[${types[0]}]`;
  const value = data.get(type);
  const text = type === "application/json" && typeof value === "object" ? JSON.stringify(value) : textOf(value);
  return (type === "text/html" ? htmlText(text) : text).replaceAll(EMBEDDED, PICTURE);
}

/** Returns what an output says beside its picture, such as a formula; empty if that is only the name of an object. */
function wordsBeside(data: ReadonlyMap<string, unknown>): string {
  const plain = textOf(data.get("text/plain"));
  return textOf(data.get("text/latex")) || (OBJECT_NAME.test(plain) ? "" : plain);
}

/** Returns the text as a terminal shows it: without colours, and with the last state of a line that was written again. */
function cleaned(text: string): string {
  const lines = stripVTControlCharacters(text.replaceAll("\r\n", "\n")).split("\n");
  return lines.map((line) => line.split("\r").findLast((state) => state !== "") ?? "").join("\n");
}

/** Returns text in a fence of Markdown that it cannot close. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${/^[\w+#.-]+$/.test(language) ? language : ""}\n${text}\n${fence}`;
}
