import { ReadableStream } from "node:stream/web";
import { PDF_TYPE, pictureTypes } from "#contract/files/files.ts";
import type { ByteSource } from "./byte-source.ts";

/** Media types of office documents. */
export const officeTypes = [
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "application/vnd.oasis.opendocument.text",
  "application/vnd.oasis.opendocument.spreadsheet",
  "application/vnd.oasis.opendocument.presentation",
] as const;

export const RTF_TYPE = "application/rtf";
export const EPUB_TYPE = "application/epub+zip";
export const MAIL_TYPE = "message/rfc822";
export const NOTEBOOK_TYPE = "application/x-ipynb+json";

const accepted: ReadonlySet<string> = new Set([...pictureTypes, PDF_TYPE, ...officeTypes, RTF_TYPE, EPUB_TYPE]);

/** Type by which `file-type` distinguishes animated PNGs. */
const ANIMATED_PNG = "image/apng";

/** Types that `file-type` finds in files that are text. */
const textual: ReadonlySet<string> = new Set(["application/xml", "text/calendar", "text/vcard"]);

/**
 * Containers of documents whose kind only the name says: OLE compound files (encrypted documents, and those of
 * Office before 2007), and archives of more files than `file-type` looks at. A reader that finds no document refuses it.
 */
const containers: ReadonlySet<string> = new Set(["application/x-cfb", "application/zip"]);

const textTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  md: "text/markdown",
  markdown: "text/markdown",
};

const archiveExtensions: Readonly<Record<string, string>> = {
  docx: officeTypes[0],
  xlsx: officeTypes[1],
  pptx: officeTypes[2],
  epub: EPUB_TYPE,
};

/** Kinds whose files are text themselves. */
const STRUCTURED: ReadonlySet<string> = new Set([RTF_TYPE]);

const SNIFFED_BYTES = 64 * 1024;
/** Longest key that is sought in pieces of a file. */
const KEY_CHARS = 10;

/** Readers of PDF accept its header behind other bytes up to here, and its end before others (ISO 32000-1, annex H). */
const PDF_MARGIN = 1024;
/** Behind a letter it is a word of a text. */
const PDF_HEADER = /(?<![ -~])%PDF-\d\.\d/;
/** Each PDF has objects, which begin a line. */
const PDF_OBJECT = /(?:^|[\r\n])\s*\d+ \d+ obj\b/;
const PDF_END = "%%EOF";

/**
 * Returns the media type of a file by its content, null if files of its kind cannot be attached. Texts have no content
 * of their own: the name decides which text it is, and a file with binary content is none.
 */
export async function mediaTypeOf(source: ByteSource, name: string): Promise<string | null> {
  const { fileTypeFromStream } = await import("file-type");
  const found = await fileTypeFromStream(ReadableStream.from(blocksOf(source))).catch(() => undefined);
  if (found?.mime === ANIMATED_PNG) return "image/png";
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  // The signatures of some kinds are letters with which texts begin too.
  const isNamed = found?.ext === extension || STRUCTURED.has(found?.mime ?? "");
  const isWritten = found !== undefined && !isNamed && (await isPlainText(source));
  if (found && accepted.has(found.mime) && !isWritten) return found.mime;
  if (found && containers.has(found.mime)) return archiveExtensions[extension] ?? null;
  if (found && !textual.has(found.mime) && !isWritten) return null;
  if (await isPdf(source)) return PDF_TYPE;
  if (extension === "eml" && (await isMail(source))) return MAIL_TYPE;
  if (!(await isText(source))) return null;
  if (extension === "ipynb" && (await isNotebook(source))) return NOTEBOOK_TYPE;
  return textTypes[extension] ?? "text/plain";
}

async function* blocksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < source.size; at += SNIFFED_BYTES) yield await source.read(at, SNIFFED_BYTES);
}

/**
 * Whether a file of no other kind, or of letters only, is a PDF: its header is near its start. A text that only names the
 * header has no objects and no end.
 */
async function isPdf(source: ByteSource): Promise<boolean> {
  const start = (await source.read(0, SNIFFED_BYTES)).toString("latin1");
  if (!PDF_HEADER.test(start.slice(0, PDF_MARGIN)) || !PDF_OBJECT.test(start)) return false;
  const end = await source.read(Math.max(0, source.size - PDF_MARGIN), PDF_MARGIN);
  return end.includes(PDF_END);
}

/** Fields of which every mail has one (RFC 5322, 3.6), also one without its addresses. */
const MAIL_FIELD = /^(?:from|to|date|subject|received|return-path|message-id|mime-version|content-type):/im;
/** Lines of fields, which may be continued, and before them a separator of mailboxes. */
const MAIL_HEAD =
  /^(?:\xEF\xBB\xBF)?(?:\s*\n)?(?:From [^\n]*\n)?((?:[!-9;-~]+[ \t]*:[^\n]*(?:\n|$)|[ \t][^\n]*(?:\n|$))+)/;

/** Whether a file begins with the fields of a mail. Its body may have any bytes. */
async function isMail(source: ByteSource): Promise<boolean> {
  const start = await source.read(0, SNIFFED_BYTES);
  return MAIL_FIELD.test(MAIL_HEAD.exec(start.toString("latin1"))?.[1] ?? "");
}

/** Whether a file is an object of JSON with the keys of a notebook, of which the last may be at its end. */
async function isNotebook(source: ByteSource): Promise<boolean> {
  const missing = new Set(['"nbformat"', '"cell']);
  let isObject = true;
  let last = "";
  for await (const block of blocksOf(source)) {
    const text = last + Buffer.from(block).toString("latin1");
    if (last === "") isObject = /^(?:\xEF\xBB\xBF)?\s*\{/.test(text);
    for (const key of missing) if (text.includes(key)) missing.delete(key);
    if (!isObject || missing.size === 0) break;
    last = text.slice(-KEY_CHARS);
  }
  return isObject && missing.size === 0;
}

const [TAB, CARRIAGE_RETURN, ESCAPE, SPACE, DELETE] = [0x09, 0x0d, 0x1b, 0x20, 0x7f];
/** Whether a byte is a control character that texts do not have: they have those of lines, and escapes of terminals. */
const isForeignControl = (byte: number): boolean =>
  byte === DELETE || (byte < SPACE && byte !== ESCAPE && (byte < TAB || byte > CARRIAGE_RETURN));

/** Whether a file begins with text in UTF-8, without any control character that texts do not have. */
async function isPlainText(source: ByteSource): Promise<boolean> {
  const start = await source.read(0, SNIFFED_BYTES);
  if (start.some(isForeignControl)) return false;
  try {
    // With `stream`, because the last character may be cut.
    new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Whether a file begins with text: UTF-16 by its byte order mark, otherwise no NUL. */
async function isText(source: ByteSource): Promise<boolean> {
  const start = await source.read(0, SNIFFED_BYTES);
  const isUtf16 = start.length >= 2 && ["fffe", "feff"].includes(start.toString("hex", 0, 2));
  return isUtf16 || !start.includes(0);
}
