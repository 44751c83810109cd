import { readFile } from "node:fs/promises";
import { getDocumentProxy } from "unpdf";
import { type DocumentText, EncryptedDocument, MAX_TEXT_CHARS, TooComplex } from "./document-text.ts";
import { type PagePiece, putInPlace, readAnnotations } from "./pdf-annotations.ts";
import { logicalLine, type PlacedText } from "./right-to-left.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Share of characters without a meaning above which a text is not readable. */
const MAX_MEANINGLESS = 0.2;
/** Control characters other than white space, private use, unassigned, and the replacement character. */
const MEANINGLESS = /[\p{Co}\p{Cn}\uFFFD]|(?!\s)\p{Cc}/gu;
/** A page tree of 1 kB can claim a billion pages: its nodes may be shared. */
const MAX_PAGES = 100_000;

/**
 * Predefined character maps of East Asian fonts, as pdf.js ships them. `scripts/build/build.ts` copies them beside the
 * server's bundle, because `pdfjs-dist` is not installed where the build runs.
 */
const MAPS = import.meta.url.endsWith(".ts") ? "../../../node_modules/pdfjs-dist/cmaps/" : "./cmaps/";

/**
 * Of pdf.js: it loads nothing besides the file and character maps, and draws nothing. It has no interpreter for
 * JavaScript in a PDF. Its messages could quote a document.
 */
const OPTIONS = {
  ...{ disableFontFace: true, useSystemFonts: false, useWorkerFetch: false, useWasm: false },
  ...{ enableXfa: false, verbosity: 0 },
};

/**
 * Reads the text of a PDF, page by page up to the limit.
 * @throws EncryptedDocument if it needs a password; TooComplex; any other error of pdf.js if it is damaged
 */
export async function readPdfText(bytes: Uint8Array): Promise<DocumentText> {
  let lacksMaps = false;
  /** Loads the character maps that fonts of a PDF name. Texts need no other files of pdf.js. */
  class CharacterMaps {
    async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      if (kind !== "cMapUrl") throw new Error("Not installed");
      return await readCharacterMap(filename).catch((error: unknown) => {
        lacksMaps = true;
        throw error;
      });
    }
  }
  const pdf = await getDocumentProxy(bytes, { ...OPTIONS, BinaryDataFactory: CharacterMaps }).catch(rethrow);
  try {
    const pages = pdf.numPages;
    if (pages > MAX_PAGES) throw new TooComplex("Too many pages");
    const text = await readPages(pdf);
    if (text === "") return { text, pages, remark: lacksMaps ? "unreadable" : "scanned" };
    const meaningless = text.match(MEANINGLESS)?.length ?? 0;
    if (meaningless > text.length * MAX_MEANINGLESS) return { text: "", pages, remark: "unreadable" };
    return lacksMaps ? { text, pages, remark: "unreadable" } : { text, pages };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function readCharacterMap(name: string): Promise<Uint8Array> {
  if (!/^[\w-]+\.bcmap$/.test(name)) throw new Error("No name of a character map");
  return new Uint8Array(await readFile(new URL(MAPS + name, import.meta.url)));
}

/** @throws the error, as one of ours if it is known. pdf.js wraps errors: the name of the first is in `details` */
function rethrow(error: unknown): never {
  const { name, message, details }: { name?: string; message?: string; details?: unknown } = Object(error);
  if (name === "PasswordException" || message?.includes("encryption")) throw new EncryptedDocument();
  if (String(details).startsWith("RangeError")) throw new TooComplex("Nested too deeply");
  throw error;
}

/**
 * Returns the text of all pages, each below its number if there are several; "" if no page has text.
 * @throws the error of the first page if all are damaged
 */
async function readPages(pdf: Pdf): Promise<string> {
  const blocks: string[] = [];
  const errors: unknown[] = [];
  let length = 0;
  let hasText = false;
  for (let number = 1; number <= pdf.numPages && length <= MAX_TEXT_CHARS; number++) {
    const text = await readPage(pdf, number).catch((error: unknown) => {
      if (error instanceof TooComplex) throw error;
      errors.push(error);
      return null;
    });
    hasText ||= text !== null && text !== "";
    const heading = pdf.numPages === 1 ? "" : `[Page ${number}${text === null ? ": damaged" : ""}]\n`;
    const block = `${heading}${text ?? ""}`.trimEnd();
    blocks.push(block);
    length += block.length;
  }
  if (errors.length > 0 && errors.length === blocks.length) throw errors[0];
  return hasText ? blocks.join("\n\n") : "";
}

/** Returns the text of a page with the values of its form; values beside no text, and notes, are lines of their own at the end. */
async function readPage(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number).catch(rethrow);
  const { items } = await page.getTextContent().catch(rethrow);
  const pieces = items.flatMap((item) => ("str" in item ? [pieceOf(item)] : []));
  const { fields, notes } = await readAnnotations(page).catch(rethrow);
  const apart = putInPlace(pieces, fields);
  page.cleanup();
  const lines = apart.map(({ label, text }) => (label === "" ? text : `${label}: ${text}`));
  return [linesOf(pieces).join("\n").trim(), ...lines, ...notes].join("\n").trim();
}

type TextItem = { str: string; transform: readonly number[]; width: number; hasEOL: boolean };

function pieceOf({ str: text, transform, width, hasEOL: endsLine }: TextItem): PagePiece {
  const [a = 1, b = 0, , , x = 0, y = 0] = transform;
  // The position along the direction of the text.
  const at = a * x + b * y;
  return { text, x, y, width, at, isHorizontal: b === 0 && a > 0, endsLine, ahead: [], behind: [] };
}

function linesOf(pieces: readonly PagePiece[]): string[] {
  const lines: string[] = [];
  let line: PlacedText[] = [];
  for (const [index, { text, at, ahead, behind, endsLine }] of pieces.entries()) {
    line.push(...ahead.map((added) => ({ text: `${added} `, at })), { text, at });
    line.push(...behind.map((added) => ({ text: ` ${added}`, at })));
    if (behind.length > 0 && !endsLine && /^\S/.test(pieces[index + 1]?.text ?? "")) line.push({ text: " ", at });
    if (!endsLine) continue;
    lines.push(logicalLine(line));
    line = [];
  }
  return [...lines, logicalLine(line)];
}
