/** A table whose rows are copied. */
export type CopiedTable = {
  name: string;
  /** Columns that no two rows share; pages of rows are read by them. */
  key: readonly [string, ...string[]];
};

/** Everything that makes an installation, in an order in which each row finds those that it refers to. */
export const copiedTables: readonly CopiedTable[] = [
  { name: "users", key: ["id"] },
  { name: "folders", key: ["id"] },
  { name: "presets", key: ["id"] },
  { name: "chats", key: ["id"] },
  { name: "messages", key: ["id"] },
  { name: "reply_chunks", key: ["message_id", "at"] },
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
  // With its words, which each engine keeps in its own way.
  { name: "search_entries", key: ["id"] },
];

/** Leases of running servers: of no use to any other. */
export const passingTables: readonly string[] = ["processes"];
