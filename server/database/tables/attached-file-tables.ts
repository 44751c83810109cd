/** Rows of attached files. Their bytes are in a `FileStore`. */

/** A file of an account. A client chooses the id, so that only account and id together identify it. */
export interface FileRow {
  user_id: string;
  id: string;
  /** Key of its bytes in the stores: a UUIDv7, unique over all accounts. */
  key: string;
  name: string;
  /** Media type by content; null while it is uploaded. */
  type: string | null;
  /** In bytes; while it is uploaded, the size that the client has announced. Counted against the account's quota. */
  size: number;
  /** Of a picture, in pixels. */
  width: number | null;
  height: number | null;
  /** Of a PDF. */
  pages: number | null;
  /** A `FileRemark`. */
  remark: string | null;
  /** Length of its readable text in bytes of UTF-8. */
  text_bytes: number;
  /** 1: a message has named it. Triggers remove its row with the last message that does. */
  is_sent: number;
  created_at: number;
}

export interface FileTextRow {
  /** Key of the file. */
  key: string;
  text: string;
}

export interface MessageFileRow {
  message_id: string;
  /** Position among the files of the message, from 0. */
  position: number;
  user_id: string;
  file_id: string;
}

/** Key of a file whose row was removed, and whose bytes are still to be deleted. Triggers insert these rows. */
export interface FileRemovalRow {
  key: string;
}
