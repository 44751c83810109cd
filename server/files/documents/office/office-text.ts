import { officeTypes } from "../../media-type.ts";
import { EncryptedDocument } from "../document-text.ts";
import { odtText } from "./open-document/odt-text.ts";
import { isOpenDocumentEntry } from "./open-document/open-document.ts";
import { odsText } from "./open-document/open-sheet-text.ts";
import { odpText } from "./open-document/open-slides-text.ts";
import { isSheetEntry, sheetText } from "./sheets/sheet-text.ts";
import { isSlidesEntry, slidesText } from "./slides/slides-text.ts";
import { isWordEntry, wordText } from "./word/word-text.ts";
import { readZip, type ZipEntries } from "./zip-entries.ts";

type Format = { isWanted(name: string): boolean; textOf(entries: ZipEntries): string | Promise<string> };

const [DOCX, XLSX, PPTX, ODT, ODS, ODP] = officeTypes;
const formats: Readonly<Record<string, Format>> = {
  [DOCX]: { isWanted: isWordEntry, textOf: wordText },
  [XLSX]: { isWanted: isSheetEntry, textOf: sheetText },
  [PPTX]: { isWanted: isSlidesEntry, textOf: slidesText },
  [ODT]: { isWanted: isOpenDocumentEntry, textOf: odtText },
  [ODS]: { isWanted: isOpenDocumentEntry, textOf: odsText },
  [ODP]: { isWanted: isOpenDocumentEntry, textOf: odpText },
};

/** First bytes of an OLE compound file, in which an encrypted document of Microsoft Office is. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * Reads the text of an office document.
 * @throws EncryptedDocument, TooComplex, BrokenDocument; any other error if it is damaged
 */
export async function readOfficeText(bytes: Uint8Array, type: string): Promise<string> {
  const format = formats[type];
  if (!format) throw new TypeError("Not the type of an office document");
  if (COMPOUND.every((byte, at) => bytes[at] === byte)) throw new EncryptedDocument();
  return format.textOf(readZip(bytes, format.isWanted));
}
