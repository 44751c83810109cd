import { pictureKindOf } from "../prepare/picture-kinds.ts";

const HEAD_BYTES = 64 * 1024;
/** First characters of other files that the server accepts by their content: PDF, UTF-16. */
const KNOWN = /^(?:%PDF|\xFF\xFE|\xFE\xFF)/;
/** Archives and OLE compound files, which may be documents. */
const CONTAINERS = ["PK\u0003\u0004", "\u00D0\u00CF\u0011\u00E0"];
const DOCUMENT_NAME = /\.(?:docx|xlsx|pptx|odt|epub)$/i;
/** The bodies of mails may have any bytes. */
const MAIL_NAME = /\.eml$/i;
const DOCUMENT_CONTENT =
  /\[Content_Types\]\.xml|opendocument\.(?:text|spreadsheet|presentation)|application\/epub\+zip/;

/**
 * Returns whether the server would refuse a file as of an unknown kind, by its first bytes, so that it need not be
 * uploaded for that. False in doubt, where the server decides, and for pictures, which are prepared first.
 */
export async function isUnknownKind(file: File): Promise<boolean> {
  // A file that cannot be read fails when it is uploaded.
  const head = await file
    .slice(0, HEAD_BYTES)
    .arrayBuffer()
    .catch(() => null);
  if (!head) return false;
  // "latin1" is windows-1252: one character for each byte.
  const text = new TextDecoder("latin1").decode(head);
  if (!text.includes("\0") || KNOWN.test(text) || MAIL_NAME.test(file.name)) return false;
  // The browser converts a picture, or its failure names the kind.
  if (file.type.startsWith("image/") || pictureKindOf(text) !== null) return false;
  const isContainer = CONTAINERS.some((start) => text.startsWith(start));
  return !isContainer || (!DOCUMENT_NAME.test(file.name) && !DOCUMENT_CONTENT.test(text));
}
