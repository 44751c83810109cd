import { PDF_TYPE } from "#contract/files/files.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import { cutChars } from "../../text/cut-chars.ts";
import { EPUB_TYPE, MAIL_TYPE, NOTEBOOK_TYPE, RTF_TYPE } from "../media-type.ts";
import { type DocumentText, EncryptedDocument, MAX_TEXT_CHARS, TooComplex } from "./document-text.ts";
import { epubText } from "./formats/epub-text.ts";
import { mailText } from "./formats/mail-text.ts";
import { notebookText } from "./formats/notebook-text.ts";
import { readOfficeText } from "./office/office-text.ts";
import { readPdfText } from "./pdf-text.ts";
import { readPlainText } from "./plain-text.ts";
import { rtfText } from "./rtf-text.ts";

/** Extracts the text of a document, cut at the limit. A document that cannot be read has a remark that says why. */
export async function extractText(bytes: Uint8Array, type: string): Promise<DocumentText> {
  try {
    return cut(await readByType(bytes, type));
  } catch (error) {
    if (error instanceof EncryptedDocument) return { text: "", remark: "encrypted" };
    return { text: "", remark: isTooComplex(error) ? "too-complex" : "broken" };
  }
}

const readers: Readonly<Record<string, (bytes: Uint8Array) => string | Promise<string>>> = {
  [RTF_TYPE]: rtfText,
  [EPUB_TYPE]: epubText,
  [MAIL_TYPE]: mailText,
  [NOTEBOOK_TYPE]: notebookText,
};

async function readByType(bytes: Uint8Array, type: string): Promise<DocumentText> {
  if (type === PDF_TYPE) return readPdfText(bytes);
  if (type.startsWith("text/")) return { text: readPlainText(bytes) };
  const textOf = readers[type];
  return { text: await (textOf ? textOf(bytes) : readOfficeText(bytes, type)) };
}

/** Whether reading exceeded a limit, one of V8 (the stack, the length of an array or string), or one of memory. */
function isTooComplex(error: unknown): boolean {
  const isMemory = error instanceof Error && "code" in error && error.code === "ERR_MEMORY_ALLOCATION_FAILED";
  return error instanceof TooComplex || error instanceof RangeError || isMemory;
}

function cut({ text, ...facts }: DocumentText): DocumentText {
  const whole = wellFormed(text);
  if (whole.length <= MAX_TEXT_CHARS) return { ...facts, text: whole };
  return { ...facts, text: cutChars(whole, MAX_TEXT_CHARS), remark: "cut" };
}
