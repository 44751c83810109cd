import type { FileRemark } from "#contract/files/files.ts";

/** Why a document has no text, or not all of it. */
export type DocumentRemark = FileRemark;

/** Readable text of a document. `pages`: of a PDF. `remark`: why it has no text, or not all of it. */
export type DocumentText = { text: string; pages?: number; remark?: DocumentRemark };

/** Most text of a document, in UTF-16 units. */
export const MAX_TEXT_CHARS = 1_000_000;

/** A document takes more time or memory than it may. */
export class TooComplex extends Error {}

/** A document is damaged, or no document of its type. */
export class BrokenDocument extends Error {}

/** A document can be read only with a password. */
export class EncryptedDocument extends Error {}
