/** Attached files: what they are, and how they are uploaded. */

import * as z from "zod/mini";

/**
 * Why models do not receive all of a file. Of a document without readable text, or not all of it: `encrypted`; `broken`:
 * damaged; `scanned`: pictures of pages only; `unreadable`: its characters have no meaning; `too-complex`: reading it
 * takes too much time or memory; `cut`: the text ends at the limit. Of a picture: `animated`: it has several frames.
 */
export const fileRemarks = ["encrypted", "broken", "scanned", "unreadable", "too-complex", "cut", "animated"] as const;
export type FileRemark = (typeof fileRemarks)[number];

/** Facts of a file that the server has read. `size` in bytes, after metadata of pictures was removed. */
export const fileFacts = {
  id: z.string(),
  name: z.string(),
  /** Media type by content, not by name. */
  type: z.string(),
  size: z.number(),
  /** Of a picture, in pixels. */
  width: z.optional(z.number()),
  height: z.optional(z.number()),
  /** Of a PDF. */
  pages: z.optional(z.number()),
  remark: z.optional(z.enum(fileRemarks)),
};

export const attachedFileSchema = z.object(fileFacts);
export type AttachedFile = z.infer<typeof attachedFileSchema>;

/** State of an upload: bytes that are stored, and the file once it is whole and read. */
export const uploadSchema = z.object({ stored: z.number(), file: z.optional(attachedFileSchema) });
export type Upload = z.infer<typeof uploadSchema>;

/** Readable text of a document. */
export const fileTextSchema = z.object({ text: z.string(), remark: z.optional(z.enum(fileRemarks)) });
export type FileText = z.infer<typeof fileTextSchema>;

/** Id that a client gives to an upload; the same id continues it. Another account may use the same one. */
export const fileIdSchema = z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));

/** Header of an upload with the file's name in percent-encoded UTF-8. */
export const FILE_NAME_HEADER = "x-file-name";
/** Headers of the answer to HEAD: bytes that are stored, and bytes of the whole file. */
export const UPLOAD_OFFSET_HEADER = "upload-offset";
export const UPLOAD_LENGTH_HEADER = "upload-length";

/** Media types of pictures that browsers show and the server accepts. */
export const pictureTypes = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const;
export type PictureType = (typeof pictureTypes)[number];
export const PDF_TYPE = "application/pdf";

/**
 * How models receive a file: a `picture` or `pdf` as it is, by models that read such files. A `text`, and a `pdf` by
 * other models, is received as its readable text.
 */
export type FileKind = "picture" | "pdf" | "text";

/** Whether the readable text of a file was extracted from a document, so that its pictures and layout are missing. */
export const isExtracted = (type: string): boolean => EXTRACTED.test(type);

/** A page names the type of a file that no server has read by the browser's table, where source code is of any type. */
const EXTRACTED = /^(?:application\/(?:pdf$|vnd\.|msword|rtf$|epub\+zip$|x-ipynb\+json$)|message\/rfc822$)/;

/** Returns the kind of a file by its media type. */
export function fileKindOf(type: string): FileKind {
  if (pictureTypes.some((picture) => picture === type)) return "picture";
  return type === PDF_TYPE ? "pdf" : "text";
}
