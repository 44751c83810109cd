import type { ShareAudience } from "#contract/shares/shares.ts";

/** A link to a snapshot of a chat, or a draft of one. A revoked link has no row. */
export interface ShareRow {
  id: string;
  user_id: string;
  chat_id: string;
  /** SHA-256 of the token in its address, hex. The token itself is derived from the id. Null: a draft. */
  token_hash: string | null;
  /** Title of the chat when the snapshot was made. */
  title: string;
  /** The last message of the snapshot. */
  leaf: string | null;
  /** JSON of the contract's `ShareOptions`. */
  options: string;
  /** Null: a draft. */
  audience: ShareAudience | null;
  /** The group that a link for a group is for; null if that was deleted, and for other links. */
  group_id: string | null;
  /** When the snapshot was made. */
  created_at: number;
  /** When the link was made; null: a draft. */
  published_at: number | null;
  expires_at: number | null;
  visits: number;
  /** Size of the row of `share_pages` in bytes, which counts in the account's quota. */
  bytes: number;
}

/** Content of a link or draft, apart from it, because lists do not need it. */
export interface SharePageRow {
  share_id: string;
  /** JSON of the contract's `SharedPage`. */
  page: string;
  /** JSON of the contract's exported messages, for a copy. */
  messages: string;
}

/** A file of a link or draft, by its number within it. */
export interface ShareFileRow {
  share_id: string;
  position: number;
  user_id: string;
  file_id: string;
}
