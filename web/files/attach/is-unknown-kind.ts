import { readPictureHeader } from "../prepare/picture-header.ts";

const HEAD_BYTES = 64 * 1024;
/** First characters of files that the server accepts by their content: JPEG, PNG, GIF, WebP, PDF, UTF-16. */
const KNOWN = /^(?:\xFF\xD8\xFF|.PNG|GIF8|RIFF.{4}WEBP|%PDF|\xFF\xFE|\xFE\xFF)/s;
/** Archives and OLE compound files, which may be office documents. */
const CONTAINERS = ["PK\u0003\u0004", "\u00D0\u00CF\u0011\u00E0"];
const OFFICE_NAME = /\.(?:docx|xlsx|pptx|odt)$/i;
const OFFICE_CONTENT = /\[Content_Types\]\.xml|opendocument\.(?:text|spreadsheet|presentation)/;

/**
 * Returns whether the server would refuse a file as of an unknown kind, by its first bytes, so that it need not be
 * uploaded for that. False in doubt: the server decides.
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
  if (!text.includes("\0") || KNOWN.test(text)) return false;
  if (CONTAINERS.some((start) => text.startsWith(start)))
    return !OFFICE_NAME.test(file.name) && !OFFICE_CONTENT.test(text);
  return !(await readPictureHeader(file)).isHeic;
}
