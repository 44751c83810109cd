/** Rows beside chats, as `schema.ts` describes the others. */

/** Result of a request with an idempotency key. */
export interface SendRow {
  user_id: string;
  key: string;
  /** Hash of the request, which distinguishes a retry from another use of the key. */
  fingerprint: string;
  chat_id: string;
  question_id: string | null;
  reply_id: string | null;
  created_at: number;
}

/** Number of replies that an account has requested in a day (UTC), including those in deleted chats. */
export interface DailyRepliesRow {
  user_id: string;
  /** Days since 1970. */
  day: number;
  count: number;
}

/** A chat of another service that the account has imported once. It stays when the chat is deleted. */
export interface ImportedOriginRow {
  user_id: string;
  /** Keyed hash of account, service and the chat's id there (base64url). */
  digest: string;
}

/** A removed chat, for clients that still show it. */
export interface DeletedChatRow {
  user_id: string;
  chat_id: string;
  changed_seq: number;
  deleted_at: number;
}
