/** A table whose rows are copied. */
export type CopiedTable = {
  name: string;
  /** Columns of a unique key, used for keyset pagination. */
  key: readonly [string, ...string[]];
};

/** All tables of an installation, ordered so that each row's foreign keys refer to earlier tables. */
export const copiedTables: readonly CopiedTable[] = [
  { name: "users", key: ["id"] },
  { name: "folders", key: ["id"] },
  { name: "presets", key: ["id"] },
  { name: "chats", key: ["id"] },
  { name: "messages", key: ["id"] },
  { name: "reply_chunks", key: ["message_id", "at"] },
  { name: "message_parts", key: ["message_id", "seq"] },
  { name: "reasoning_chunks", key: ["message_id", "seq", "at"] },
  { name: "sends", key: ["user_id", "key"] },
  { name: "daily_replies", key: ["user_id", "day"] },
  { name: "deleted_chats", key: ["user_id", "chat_id"] },
  { name: "model_calls", key: ["id"] },
  { name: "sessions", key: ["id"] },
  { name: "devices", key: ["user_id", "device"] },
  { name: "security_events", key: ["id"] },
  { name: "email_keys", key: ["id"] },
  { name: "used_nonces", key: ["hash"] },
  { name: "mails", key: ["id"] },
  { name: "limits", key: ["key"] },
  { name: "sign_in_throttles", key: ["key"] },
  // Includes its tokens, which each engine stores differently.
  { name: "search_entries", key: ["id"] },
];

/** Tables that are not copied: leases of running servers. */
export const passingTables: readonly string[] = ["processes"];
