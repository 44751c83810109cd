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

const accepted: ReadonlySet<string> = new Set([...pictureTypes, PDF_TYPE, ...officeTypes, RTF_TYPE]);

/** Type by which `file-type` distinguishes animated PNGs. */
const ANIMATED_PNG = "image/apng";

/** Types that `file-type` finds in files that are text. */
const textual: ReadonlySet<string> = new Set(["application/xml", "text/calendar", "text/vcard"]);

/**
 * Containers of office documents whose kind only the name says: OLE compound files (encrypted documents, and those of
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

const officeExtensions: Readonly<Record<string, string>> = {
  docx: officeTypes[0],
  xlsx: officeTypes[1],
  pptx: officeTypes[2],
};

const SNIFFED_BYTES = 64 * 1024;

/** Readers of PDF accept its header behind other bytes up to here, and its end before others (ISO 32000-1, annex H). */
const PDF_MARGIN = 1024;
const PDF_HEADER = /%PDF-\d\.\d/;
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
  if (found && accepted.has(found.mime)) return found.mime;
  if (found && containers.has(found.mime)) return officeExtensions[extension] ?? null;
  if (found && !textual.has(found.mime)) return null;
  if (await isLatePdf(source)) return PDF_TYPE;
  if (!(await isText(source))) return null;
  return textTypes[extension] ?? "text/plain";
}

async function* blocksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < source.size; at += SNIFFED_BYTES) yield await source.read(at, SNIFFED_BYTES);
}

/** Whether a file of no other kind is a PDF whose header is not at its start. A text that only names the header has no end. */
async function isLatePdf(source: ByteSource): Promise<boolean> {
  const start = await source.read(0, PDF_MARGIN);
  if (!PDF_HEADER.test(start.toString("latin1"))) return false;
  const end = await source.read(Math.max(0, source.size - PDF_MARGIN), PDF_MARGIN);
  return end.includes(PDF_END);
}

/** Whether a file begins with text: UTF-16 by its byte order mark, otherwise no NUL. */
async function isText(source: ByteSource): Promise<boolean> {
  const start = await source.read(0, SNIFFED_BYTES);
  const isUtf16 = start.length >= 2 && ["fffe", "feff"].includes(start.toString("hex", 0, 2));
  return isUtf16 || !start.includes(0);
}
