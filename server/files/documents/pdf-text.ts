import { readFile } from "node:fs/promises";
import { getDocumentProxy } from "unpdf";
import { type DocumentText, EncryptedDocument, MAX_TEXT_CHARS, TooComplex } from "./document-text.ts";
import { isMeaningless } from "./meaningless-text.ts";
import { type Drawing, type PagePiece, putInPlace, readAnnotations } from "./pdf-annotations.ts";
import { readAppearances } from "./pdf-appearances.ts";
import { forgetAttachmentEncryption } from "./pdf-encryption.ts";
import { findPictures } from "./pdf-pictures.ts";
import { logicalLine, type PlacedText } from "./right-to-left.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Processor time in microseconds above which a page without text is a drawing. */
const HEAVY_US = 300_000;
/** Of the heading of a page, about. */
const HEADING_CHARS = 10;
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
  forgetAttachmentEncryption(bytes);
  const pdf = await getDocumentProxy(bytes, { ...OPTIONS, BinaryDataFactory: CharacterMaps }).catch(rethrow);
  try {
    if (pdf.numPages > MAX_PAGES) throw new TooComplex("Too many pages");
    const pages = await readPages(pdf);
    await markPictures(pdf, pages);
    await addDrawings(pdf, pages);
    const facts = { text: textOf(pages), pages: pdf.numPages };
    // The text itself marks the pages that are missing in it.
    const has = (wanted: PageText["mark"]) => facts.text === "" && pages.some(({ mark }) => mark === wanted);
    if (lacksMaps || has("unreadable")) return { ...facts, remark: "unreadable" };
    return has("picture") ? { ...facts, remark: "scanned" } : facts;
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/**
 * Of a page that has been read. `drawn`: text that the page itself draws; `drawings`: its stamps and signatures; `mark`:
 * why text is missing.
 */
type PageText = {
  text: string;
  drawn: string;
  drawings: readonly Drawing[];
  mark?: "damaged" | "picture" | "unreadable";
};

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
 * Reads the pages up to the limit of text.
 * @throws the error of the first page if all are damaged
 */
async function readPages(pdf: Pdf): Promise<PageText[]> {
  const pages: PageText[] = [];
  const errors: unknown[] = [];
  let length = 0;
  for (let number = 1; number <= pdf.numPages && length <= MAX_TEXT_CHARS; number++) {
    const page = await readPage(pdf, number).catch((error: unknown): PageText => {
      if (error instanceof TooComplex) throw error;
      errors.push(error);
      return { text: "", drawn: "", drawings: [], mark: "damaged" };
    });
    pages.push(page);
    length += page.text.length + HEADING_CHARS;
  }
  if (errors.length > 0 && errors.length === pages.length) throw errors[0];
  return pages;
}

/** Marks the pages that draw no text, but pictures. */
async function markPictures(pdf: Pdf, pages: readonly PageText[]): Promise<void> {
  const empty = pages.flatMap(({ drawn, mark }, at) => (drawn === "" && mark === undefined ? [at + 1] : []));
  if (empty.length === 0) return;
  for (const number of await findPictures(await pdf.getData(), empty, OPTIONS)) {
    const page = pages[number - 1];
    if (page) page.mark = "picture";
  }
}

/** Adds the texts of stamps and signatures to their pages, as lines that are marked as notes are. */
async function addDrawings(pdf: Pdf, pages: PageText[]): Promise<void> {
  const numbers = pages.flatMap(({ drawings }, at) => (drawings.length > 0 ? [at + 1] : []));
  if (numbers.length === 0) return;
  const texts = await readAppearances(await pdf.getData(), numbers, OPTIONS);
  for (const page of pages) {
    const lines = page.drawings.flatMap(({ id, kind }) => {
      const text = texts.get(id) ?? "";
      return text === "" || isMeaningless(text) ? [] : [`[${kind}] ${text}`];
    });
    page.text = [page.text, ...lines].filter((text) => text !== "").join("\n");
  }
}

/** Returns the text of all pages, each below its number if there are several or it is marked; "" if no page has text. */
function textOf(pages: readonly PageText[]): string {
  if (pages.every(({ text }) => text === "")) return "";
  const blocks = pages.map(({ text, mark }, at) => {
    if (pages.length === 1 && mark === undefined) return text;
    return `[Page ${at + 1}${mark === undefined ? "" : `: ${mark}`}]\n${text}`.trimEnd();
  });
  return blocks.join("\n\n");
}

const noAnnotations = { fields: [], notes: [], drawings: [] };

/** Returns the text of a page with the values of its form; values beside no text, and notes, are lines of their own at the end. */
async function readPage(pdf: Pdf, number: number): Promise<PageText> {
  const page = await pdf.getPage(number).catch(rethrow);
  const begunAt = process.cpuUsage().user;
  const { items } = await page.getTextContent().catch(rethrow);
  const isHeavy = process.cpuUsage().user - begunAt > HEAVY_US;
  const pieces = items.flatMap((item) => ("str" in item ? [pieceOf(item)] : []));
  // A damaged form does not discard the text of its pages.
  const { fields, notes, drawings } = await readAnnotations(page).catch(() => noAnnotations);
  const apart = putInPlace(pieces, fields);
  page.cleanup();
  const lines = apart.map(({ label, text }) => (label === "" ? text : `${label}: ${text}`));
  const drawn = linesOf(pieces).join("\n").trim();
  const text = [drawn, ...lines, ...notes].join("\n").trim();
  if (isMeaningless(text)) return { text: "", drawn, drawings, mark: "unreadable" };
  // Its operators could be millions, all in memory at once.
  if (isHeavy) return { text, drawn, drawings: [], ...(drawn === "" && { mark: "picture" }) };
  return { text, drawn, drawings };
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
